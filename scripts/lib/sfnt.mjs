// TrueType files: out of a WOFF the tables, out of tables a file.

import { inflateSync } from "node:zlib";

/** The tables of a WOFF, unpacked; by tag. */
export function woffTables(file) {
  if (file.toString("latin1", 0, 4) !== "wOFF") throw new Error("no WOFF");
  const tables = {};
  for (let i = 0; i < file.readUInt16BE(12); i++) {
    const entry = 44 + 20 * i;
    const [at, packed, length] = [4, 8, 12].map((offset) => file.readUInt32BE(entry + offset));
    const bytes = file.subarray(at, at + packed);
    tables[file.toString("latin1", entry, entry + 4)] = packed < length ? inflateSync(bytes) : bytes;
  }
  return tables;
}

/** A TrueType file of these tables, with the checksums that the format asks for. */
export function sfnt(tables) {
  const tags = Object.keys(tables).sort();
  const power = 2 ** Math.floor(Math.log2(tags.length));
  const head = [u32(0x10000), u16(tags.length, 16 * power, Math.log2(power), 16 * (tags.length - power))];
  const body = [];
  let at = 12 + 16 * tags.length;
  for (const tag of tags) {
    const table = tables[tag];
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    head.push(Buffer.from(tag, "latin1"), u32(checksum(padded), at, table.length));
    body.push(padded);
    at += padded.length;
  }
  const file = Buffer.concat([...head, ...body]);
  const headAt = file.readUInt32BE(12 + 16 * tags.indexOf("head") + 8);
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, headAt + 8);
  return file;
}

function checksum(padded) {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

/** Big-endian numbers; negative ones as the format writes them. */
export const u8 = (...numbers) => Buffer.from(numbers.map((number) => number & 0xff));
export const u16 = (...numbers) => Buffer.concat(numbers.map((number) => u8(number >> 8, number)));
export const u32 = (...numbers) => Buffer.concat(numbers.map((number) => u16(number >>> 16, number)));
