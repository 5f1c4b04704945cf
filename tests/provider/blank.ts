/** Small picture files of any size, in base64. Only PNG can be drawn; of the others the header is what counts. */
import { crc32, deflateSync } from "node:zlib";

/** A blank picture, one bit a pixel. `mark` makes it another file. */
export function png(width: number, height: number, mark = ""): string {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(1, 8);
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  const text = mark === "" ? [] : [chunk("tEXt", Buffer.from(`mark\0${mark}`, "latin1"))];
  const file = [Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), ...text, chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat(file).toString("base64");
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

export function jpeg(width: number, height: number): string {
  // An application segment and a Huffman table stand before the frame.
  const frame = [0xff, 0xc2, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  return Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc4, 0, 3, 0, ...frame, 0xff, 0xd9]).toString("base64");
}

export function gif(width: number, height: number): string {
  return Buffer.from([...Buffer.from("GIF89a"), width & 255, width >> 8, height & 255, height >> 8, 0, 0, 0, 0x3b]).toString("base64");
}

/** The extended kind: sizes less one, 24 bits each. */
export function webp(width: number, height: number): string {
  const file = Buffer.alloc(30);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(22, 4);
  file.write("WEBPVP8X", 8, "latin1");
  file.writeUInt32LE(10, 16);
  file.writeUIntLE(width - 1, 24, 3);
  file.writeUIntLE(height - 1, 27, 3);
  return file.toString("base64");
}
