/** Pictures as providers see them: the size from the file's own header, and what each provider bills and refuses. */

export interface Size {
  width: number;
  height: number;
}

/** A picture that cannot be fetched here (a URL, a file id) is taken to have this size. */
export const REMOTE: Size = { width: 1024, height: 1024 };

/** Kind and size by the header of a PNG, JPEG, GIF or WebP; nothing for whatever is none of these. */
export function pictureIn(file: Uint8Array): (Size & { media: string }) | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  try {
    return png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes);
  } catch (error) {
    // Cut off in the header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Found = (Size & { media: string }) | undefined;

const magic = (bytes: Buffer, at: number, length: number): string => bytes.toString("latin1", at, at + length);

function png(bytes: Buffer): Found {
  if (magic(bytes, 0, 8) !== "\x89PNG\r\n\x1a\n" || magic(bytes, 12, 4) !== "IHDR") return undefined;
  return { media: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gif(bytes: Buffer): Found {
  if (!["GIF87a", "GIF89a"].includes(magic(bytes, 0, 6))) return undefined;
  return { media: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Three kinds of WebP tell the size in three places (RFC 9649, section 2). */
function webp(bytes: Buffer): Found {
  if (magic(bytes, 0, 4) !== "RIFF" || magic(bytes, 8, 4) !== "WEBP") return undefined;
  const size = (width: number, height: number): Found => ({ media: "image/webp", width, height });
  switch (magic(bytes, 12, 4)) {
    case "VP8 ":
      return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case "VP8X":
      return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}

/** Walks the segments up to the frame header: C0 … CF, but not C4, C8 and CC (ITU T.81, table B.1). */
function jpeg(bytes: Buffer): Found {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    // Fill bytes may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { media: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
}

const divide = (edge: number, cell: number): number => Math.ceil(edge / cell);

/** Half to even, as Python rounds. */
function round(value: number): number {
  const floor = Math.floor(value);
  const half = value - floor;
  return half > 0.5 || (half === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** Models of the high tier: Opus 4.7 and later, Sonnet 5 and later, Fable, Mythos. */
function highTier(model: string): boolean {
  if (/fable|mythos/.test(model)) return true;
  const [, family = "", major = "0", minor = "0"] = /(opus|sonnet)-(\d+)(?:-(\d{1,2})(?!\d))?/.exec(model) ?? [];
  const version = Number(major) + Number(minor) / 100;
  return (family === "opus" && version >= 4.07) || (family === "sonnet" && version >= 5);
}

/** What Anthropic bills: squares of 28 px after a resize that makes both the edge and the sum hold. */
export function anthropicPicture(model: string, { width, height }: Size): { tokens: number } & Size {
  const [edge, most] = highTier(model) ? [2576, 4784] : [1568, 1568];
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const at = (length: number): [number, number, number] => {
    const other = Math.max(1, round((short * length) / long));
    return [length, other, divide(length, 28) * divide(other, 28)];
  };
  const holds = (length: number): boolean => divide(length, 28) * 28 <= edge && at(length)[2] <= most;
  let found = long;
  if (!holds(long)) {
    // The longest edge that holds.
    let [low, high] = [1, long];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (holds(middle)) low = middle;
      else high = middle;
    }
    found = low;
  }
  const [one, other, tokens] = at(found);
  return width >= height ? { tokens, width: one, height: other } : { tokens, width: other, height: one };
}

/** Base and tile of models that are billed by tiles of 512 px. */
const TILES: [RegExp, number, number][] = [
  [/^gpt-4o-mini/, 2833, 5667],
  [/^gpt-(4o|4\.1|4\.5)(?!.*(mini|nano))/, 85, 170],
  [/^gpt-5(-chat.*|-\d{4}.*)?$/, 70, 140],
  [/^o[13](?!.*mini)/, 75, 150],
  [/^computer-use/, 65, 129],
];
/** Patches of 32 px: most patches, longest edge and multiplier at `high`, and at `auto` where that is another. */
const PATCHES: [RegExp, { budget: number; edge: number; multiplier: number; auto?: [number, number] }][] = [
  [/^gpt-(5\.6|6)/, { budget: Infinity, edge: Infinity, multiplier: 1.2 }],
  [/^gpt-5\.5/, { budget: 2500, edge: 2048, multiplier: 1.2, auto: [10_000, 6000] }],
  [/^o4-mini/, { budget: 1536, edge: Infinity, multiplier: 1.72 }],
  [/mini/, { budget: 1536, edge: Infinity, multiplier: 1.62 }],
  [/nano/, { budget: 1536, edge: Infinity, multiplier: 2.46 }],
  [/^gpt-5\.4/, { budget: 2500, edge: 2048, multiplier: 1.2 }],
  [/^gpt-5\.2/, { budget: 1536, edge: Infinity, multiplier: 1.2 }],
];

/** What OpenAI bills. Models that no row names are billed as gpt-4o. */
export function openaiPicture(model: string, { width, height }: Size, detail: string): number {
  const tiles = TILES.find(([name]) => name.test(model));
  const patches = tiles ? undefined : PATCHES.find(([name]) => name.test(model));
  if (patches) return byPatches(width, height, detail, patches[1]);
  const [, base, tile] = tiles ?? TILES[1]!;
  if (detail === "low") return base;
  let fit = Math.min(1, 2048 / Math.max(width, height));
  // A shorter side is not enlarged: sources do not agree, and this is the cheaper reading.
  fit *= Math.min(1, 768 / (Math.min(width, height) * fit));
  return base + tile * divide(round(width * fit), 512) * divide(round(height * fit), 512);
}

function byPatches(width: number, height: number, detail: string, rule: (typeof PATCHES)[number][1]): number {
  const [budget, edge] = detail === "high" ? [rule.budget, rule.edge] : (rule.auto ?? [rule.budget, rule.edge]);
  const fit = Math.min(1, edge / Math.max(width, height));
  let [w, h] = [width * fit, height * fit];
  if (divide(w, 32) * divide(h, 32) > budget) {
    const scale = Math.sqrt((1024 * budget) / (w * h));
    const exact = (side: number): number => Math.floor((side * scale) / 32) / ((side * scale) / 32);
    const both = scale * Math.min(exact(w), exact(h));
    [w, h] = [w * both, h * both];
  }
  // A side that falls on a whole number of patches is that number, whatever the last bit says.
  const cells = (side: number): number => Math.ceil(side / 32 - 1e-9);
  return Math.ceil(Math.min(budget, cells(w) * cells(h)) * rule.multiplier);
}
