/** Reads pages back: the PNG by Node's own zlib, letters by comparing cells with those of a page on which every letter stands once. */
import { crc32, inflateSync } from "node:zlib";
import { pages, type PageShape } from "../../../pkg/entry/node.js";

export interface Picture {
  width: number;
  height: number;
  /** Bits a pixel. */
  depth: number;
  /** Keyword and text of the tEXt chunk. */
  text: string[];
  /** A pixel's grey, 0 (black) up to 2^depth − 1. */
  grey(x: number, y: number): number;
}

/** @throws {Error} for whatever is no PNG of greys with unfiltered rows, and for a wrong checksum. */
export function readPng(file: Uint8Array): Picture {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") throw new Error("no PNG");
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.subarray(at + 4, at + 8 + length);
    if (crc32(kind) !== bytes.readUInt32BE(at + 8 + length)) throw new Error("a checksum is wrong");
    chunks.push([kind.toString("latin1", 0, 4), kind.subarray(4)]);
    at += 12 + length;
  }
  const all = (name: string): Buffer[] => chunks.filter(([kind]) => kind === name).map(([, data]) => data);
  if (chunks[0]?.[0] !== "IHDR" || chunks.at(-1)?.[0] !== "IEND") throw new Error("chunks are missing");
  const head = chunks[0][1];
  const [width, height, depth] = [head.readUInt32BE(0), head.readUInt32BE(4), head.readUInt8(8)];
  if (head.subarray(9).some((byte) => byte !== 0)) throw new Error("not grey, or interlaced");
  const stride = 1 + Math.ceil((width * depth) / 8);
  const rows = inflateSync(Buffer.concat(all("IDAT")));
  if (rows.length !== stride * height) throw new Error(`${rows.length} bytes of pixels, not ${stride * height}`);
  for (let y = 0; y < height; y++) if (rows[y * stride] !== 0) throw new Error("a filtered row");
  const grey = (x: number, y: number): number => {
    const bit = x * depth;
    return (rows[y * stride + 1 + (bit >> 3)]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  };
  return { width, height, depth, text: all("tEXt").flatMap((data) => data.toString("latin1").split("\0")), grey };
}

export interface Pitch {
  font: string;
  cellWidth: number;
  cellHeight: number;
}

/** A reader of one pitch: the text of a page, `\ufffd` for cells that hold none of the letters it knows. Knows ASCII and line breaks, in black
 *  and in white, but not the signs at both ends of a marker. Blanks at the end of the last page are cells that nothing stands in. */
export async function readerOf({ font, cellWidth, cellHeight }: Pitch): Promise<(png: Uint8Array) => string> {
  const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index));
  const known = [...letters, "\n", "x", "    ", "x", " ", "x"];
  const shape: Partial<PageShape> = { font, cellWidth, cellHeight };
  const [page] = (await pages(known.join(""), { shape })).pages;
  const cells = (png: Uint8Array): string[] => cellsOf(readPng(png), cellWidth, cellHeight);
  const drawn = cells(page!.png);
  const alphabet = new Map(known.flatMap((letter, index) => [[drawn[index]!, letter], [inverse(drawn[index]!, cellWidth), letter]]));
  return (png) => cells(png).map((cell) => alphabet.get(cell) ?? "\ufffd").join("");
}

function inverse(cell: string, width: number): string {
  return [...cell].map((line) => String.fromCharCode(line.charCodeAt(0) ^ (2 ** width - 1))).join("");
}

/** The pixels of each cell, row by row, a letter for each of its lines. */
function cellsOf({ width, height, depth, grey }: Picture, cellWidth: number, cellHeight: number): string[] {
  if (depth !== 1) throw new Error("only black and white is compared");
  const cells: string[] = [];
  for (let top = 0; top + cellHeight <= height; top += cellHeight) {
    for (let left = 0; left + cellWidth <= width; left += cellWidth) {
      let bits = "";
      for (let y = top; y < top + cellHeight; y++) {
        let line = 0;
        for (let x = left; x < left + cellWidth; x++) line = 2 * line + grey(x, y);
        bits += String.fromCharCode(line);
      }
      cells.push(bits);
    }
  }
  return cells;
}
