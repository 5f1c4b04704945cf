// The face for Chinese, Japanese and Korean: Fusion Pixel 12px, whose outlines trace pixels, as the pixels themselves.
//
// As outlines the font is 5.9 MB, 1.5 MB packed; as bitmaps it is 0.6 MB, a quarter of a megabyte packed, and needs no drawing.
// The licence (OFL 1.1) lets a changed font be passed on under the same licence and another name.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { sfnt, u16, u32, u8, woffTables } from "./lib/sfnt.mjs";

const source = dirname(createRequire(import.meta.url).resolve("@fontsource/fusion-pixel-12px-monospaced-sc/package.json"));
const NAME = "Palimpsest CJK";
/** Pixels an em, and how many of them stand above the baseline; units a pixel. */
const SIZE = 12;
const ABOVE = 10;
const UNIT = 100;

/** Writes the face and its licence into the folder `faces` of the package; their names in the package. */
export function cjkFace(pkg) {
  mkdirSync(join(pkg, "faces"), { recursive: true });
  const { version } = JSON.parse(readFileSync(join(source, "metadata.json"), "utf8"));
  const files = { "faces/cjk.bin": gzipSync(cjkFont(), { level: 9 }), "faces/LICENSE-cjk.txt": licence(version) };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(pkg, name), bytes);
  return Object.keys(files);
}

const licence = (version) => `The font in cjk.bin, "${NAME}", is a changed version of Fusion Pixel 12px Monospaced zh_hans ${version}
(https://github.com/TakWolf/fusion-pixel-font): its outlines were made into bitmaps and its name was changed.
It is licensed under the SIL Open Font License, Version 1.1, as the original and the fonts that went into that are:

${readFileSync(join(source, "LICENSE"), "utf8").replaceAll("\r", "")}`;

/** The font, not packed. */
export function cjkFont() {
  const tables = woffTables(readFileSync(join(source, "files/fusion-pixel-12px-monospaced-sc-latin-400-normal.woff")));
  if (tables.head.readUInt16BE(18) !== SIZE * UNIT) throw new Error("Fusion Pixel is not what it was: look at it anew");
  const letters = readLetters(tables);
  // Glyph 0 stands for what is missing; then all of half an em, then all of a whole one: two ranges, each of one size.
  const half = letters.filter(({ advance }) => advance * 2 === SIZE * UNIT);
  const whole = letters.filter(({ advance }) => advance === SIZE * UNIT);
  if (half.length + whole.length !== letters.length) throw new Error("a letter is neither half an em wide nor a whole one");
  const glyphs = [...half, ...whole];
  glyphs.forEach((letter, index) => (letter.glyph = index + 1));
  return sfnt({
    ...bitmaps(half, whole, tables),
    cmap: cmap(letters),
    head: head(tables.head),
    // Advances of glyph 0, of the half ones and of the first whole one, which holds for the rest.
    hhea: Buffer.concat([tables.hhea.subarray(0, 34), u16(half.length + 2)]),
    hmtx: Buffer.concat([u16(SIZE * UNIT, 0), ...half.map(({ advance }) => u16(advance, 0)), u16(SIZE * UNIT, 0), Buffer.alloc(2 * whole.length - 2)]),
    maxp: Buffer.concat([u32(0x5000), u16(glyphs.length + 1)]),
    name: name(),
    "OS/2": tables["OS/2"],
    post: u32(0x30000, 0, 0, 0, 0, 0, 0, 0),
  });
}

/** `head`, its checksum blank until the file is there, and offsets unused. */
function head(table) {
  const copy = Buffer.from(table);
  copy.writeUInt32BE(0, 8);
  return copy;
}

/** Every letter with its glyph there and its advance, sorted. The private ones are logos. */
function readLetters({ cmap, hmtx, hhea }) {
  const last = hhea.readUInt16BE(34) - 1;
  const letters = [];
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const map = cmap.subarray(cmap.readUInt32BE(8 + 8 * i));
    if (map.readUInt16BE(0) !== 12) continue;
    for (let group = 0; group < map.readUInt32BE(12); group++) {
      const [first, end, glyph] = [0, 4, 8].map((offset) => map.readUInt32BE(16 + 12 * group + offset));
      for (let code = first; code <= end; code++) {
        if (code >= 0xe000 && code <= 0xf8ff) continue;
        const from = glyph + code - first;
        letters.push({ code, from, advance: hmtx.readUInt16BE(4 * Math.min(from, last)) });
      }
    }
    return letters.sort((a, b) => a.code - b.code);
  }
  throw new Error("no map of all letters");
}

/** `EBLC` and `EBDT`: one strike of two ranges, with metrics in the first and bits in the second. */
function bitmaps(half, whole, tables) {
  const images = [];
  const ranges = [];
  let first = 1;
  let at = 4;
  for (const [letters, width] of [[half, SIZE / 2], [whole, SIZE]]) {
    const size = Math.ceil((width * SIZE) / 8);
    // Glyphs all of one size (index 2), a bit a pixel and nothing between rows (image 5); height, width, left, top, advance.
    const table = Buffer.concat([u16(2, 5), u32(at, size), u8(SIZE, width, 0, ABOVE, width, 0, 0, SIZE)]);
    ranges.push({ first, last: first + letters.length - 1, table });
    images.push(...letters.map(({ from }) => pack(pixels(from, width, tables), size)));
    first += letters.length;
    at += size * letters.length;
  }
  const list = ranges.map(({ first, last }, index) => Buffer.concat([u16(first, last), u32(16 + 20 * index)]));
  const line = u8(ABOVE, ABOVE - SIZE, SIZE, 0, 0, 0, 0, 0, ABOVE, ABOVE - SIZE, 0, 0);
  const strike = [u32(56, 16 + 40, 2, 0), line, line, u16(1, first - 1), u8(SIZE, SIZE, 1, 1)];
  return {
    EBLC: Buffer.concat([u32(0x20000, 1), ...strike, ...list, ...ranges.map(({ table }) => table)]),
    EBDT: Buffer.concat([u32(0x20000), ...images]),
  };
}

/** The pixels of a glyph, row by row from the top: 1 for ink. */
function pixels(glyph, width, { glyf, loca, head }) {
  const long = head.readUInt16BE(50) === 1;
  const offset = (index) => (long ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index));
  const rows = Array.from({ length: SIZE }, () => new Int8Array(width + 1));
  for (const contour of contours(glyf.subarray(offset(glyph), offset(glyph + 1)))) {
    contour.forEach(([x, y], index) => {
      const [nextX, nextY] = contour[(index + 1) % contour.length];
      if ((x !== nextX && y !== nextY) || x % UNIT || y % UNIT) throw new Error(`glyph ${glyph} is not made of pixels`);
      // An upright edge turns ink on or off to its right; what is outside the em is cut.
      const column = Math.min(Math.max(x / UNIT, 0), width);
      for (let level = Math.min(y, nextY); level < Math.max(y, nextY); level += UNIT) {
        const row = rows[ABOVE - 1 - level / UNIT];
        if (row) row[column] += nextY > y ? 1 : -1;
      }
    });
  }
  return rows.flatMap((row) => {
    let ink = 0;
    return [...row.subarray(0, width)].map((change) => ((ink += change) ? 1 : 0));
  });
}

/** The corners of a simple glyph without curves. */
function contours(data) {
  const count = data.length ? data.readInt16BE(0) : 0;
  if (count < 0) throw new Error("a glyph is made of glyphs");
  const ends = Array.from({ length: count }, (_, index) => data.readUInt16BE(10 + 2 * index));
  const points = (ends.at(-1) ?? -1) + 1;
  if (!points) return [];
  let at = 10 + 2 * count + 2 + data.readUInt16BE(10 + 2 * count);
  const flags = [];
  while (flags.length < points) {
    const flag = data[at++];
    if (!(flag & 1)) throw new Error("a glyph has curves");
    const times = flag & 8 ? data[at++] + 1 : 1;
    for (let i = 0; i < times; i++) flags.push(flag);
  }
  const axis = (short, same) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? data[at++] : -data[at++];
      else if (!(flag & same)) value += data.readInt16BE((at += 2) - 2);
      return value;
    });
  };
  const xs = axis(2, 16);
  const ys = axis(4, 32);
  return ends.map((end, index) => {
    const from = index ? ends[index - 1] + 1 : 0;
    return xs.slice(from, end + 1).map((x, i) => [x, ys[from + i]]);
  });
}

/** Bits in a row. */
function pack(bits, size) {
  const bytes = Buffer.alloc(size);
  bits.forEach((bit, index) => (bytes[index >> 3] |= bit << (7 - (index & 7))));
  return bytes;
}

/** A map of all letters (format 12) for Windows. */
function cmap(letters) {
  const groups = [];
  for (const { code, glyph } of letters) {
    const last = groups.at(-1);
    if (last && last.end + 1 === code && last.glyph + code - last.code === glyph) last.end = code;
    else groups.push({ code, end: code, glyph });
  }
  const body = groups.map(({ code, end, glyph }) => u32(code, end, glyph));
  return Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(16 + 12 * groups.length, 0, groups.length), ...body]);
}

/** The font's names and where it comes from. */
function name() {
  const texts = {
    0: "Made from Fusion Pixel, copyright (c) 2022 TakWolf (https://takwolf.com).",
    1: NAME,
    2: "Regular",
    4: NAME,
    6: NAME.replaceAll(" ", ""),
    13: "This Font Software is licensed under the SIL Open Font License, Version 1.1.",
    14: "https://openfontlicense.org",
  };
  const records = [];
  let at = 0;
  for (const [number, text] of Object.entries(texts)) {
    records.push(u16(3, 1, 0x409, Number(number), 2 * text.length, at));
    at += 2 * text.length;
  }
  const letters = Object.values(texts).flatMap((text) => [...text].map((letter) => u16(letter.charCodeAt(0))));
  return Buffer.concat([u16(0, records.length, 6 + 12 * records.length), ...records, ...letters]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(cjkFace(process.argv[2] ?? "pkg").join("\n"));
