/** Files of the command line: reading with progress, writing whole or not at all. */
import { open, readFile, rename, unlink } from "node:fs/promises";
import { PalimpsestError } from "../errors.js";
import { readSession, type SessionFile } from "../read-session.js";

/** Bytes from which on reading tells how far it is. */
const LARGE = 10_000_000;

/** Rejects with code "import-failed", in words for a person, whatever went wrong. */
export async function readInput(file: string): Promise<SessionFile> {
  const bytes = await contents(file);
  if (bytes.length < LARGE) return readSession(bytes);
  const progress = new ProgressLine(process.stderr, file === "-" ? "standard input" : file);
  try {
    return await readSession(bytes, (done, total) => progress.show(done, total));
  } finally {
    progress.end();
  }
}

/** The same for a text of any kind. */
export async function readText(file: string): Promise<string> {
  return new TextDecoder().decode(await contents(file));
}

async function contents(file: string): Promise<Uint8Array> {
  try {
    if (file !== "-") return await readFile(file);
    const parts: Buffer[] = [];
    for await (const part of process.stdin) parts.push(part as Buffer);
    return Buffer.concat(parts);
  } catch (cause) {
    throw new PalimpsestError("import-failed", reason(file, cause), { cause });
  }
}

/** Writes beside the file and renames: a reader, or a crash, sees the old file or the new one. */
export async function writeWhole(file: string, contents: string | Uint8Array): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    const handle = await open(draft, "wx");
    try {
      await handle.writeFile(contents);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (cause) {
    await unlink(draft).catch(() => {});
    throw new PalimpsestError("option", reason(file, cause), { cause });
  }
}

function reason(file: string, cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return `No such file or folder: ${file}`;
    case "EISDIR":
      return `${file} is a folder, not a file.`;
    case "EACCES":
    case "EPERM":
      return `No permission for ${file}.`;
    case "ENOSPC":
      return `No room left to write ${file}.`;
    default:
      return `${file}: ${message}`;
  }
}

/** How far reading is: one line that changes on a terminal, a line each quarter elsewhere. */
class ProgressLine {
  #quarter = 0;

  constructor(
    readonly stream: NodeJS.WriteStream,
    readonly name: string,
  ) {}

  show(done: number, total: number): void {
    const line = `reading ${this.name}: ${Math.floor((100 * done) / total)}% of ${(total / 1e6).toFixed(1)} MB`;
    const quarter = Math.floor((4 * done) / total);
    if (this.stream.isTTY) this.stream.write(`\r${line}`);
    else if (quarter > this.#quarter) this.stream.write(`${line}\n`);
    this.#quarter = quarter;
  }

  end(): void {
    if (this.stream.isTTY) this.stream.write("\r\x1b[K");
  }
}
