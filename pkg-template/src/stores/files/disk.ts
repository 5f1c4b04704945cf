/** Reading and writing files whole, and what went wrong in words of the contract. */
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { OptionError } from "../../errors.js";
import { noRoom } from "../change.js";

/** Names in a directory; none when there is no directory. */
export async function entries(directory: string): Promise<string[]> {
  return (await unlessAbsent(readdir(directory))) ?? [];
}

export async function readWhole(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return unlessAbsent(readFile(path));
}

/** The first line, without its end, and no more of the file than it takes. */
export async function firstLine(path: string): Promise<string | undefined> {
  const handle = await unlessAbsent(open(path));
  if (!handle) return undefined;
  try {
    const parts: Buffer[] = [];
    for (let at = 0; ; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, at);
      const end = buffer.subarray(0, bytesRead).indexOf(10);
      parts.push(buffer.subarray(0, end < 0 ? bytesRead : end));
      if (end >= 0 || bytesRead === 0) return Buffer.concat(parts).toString("utf8");
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/**
 * Writes beside the file, to `draft`, and puts that in its place: a reader, or a crash, sees the old file or the new one, and what was
 * written is on disk when this resolves. `before` runs last before the file changes place.
 */
export async function replaceFile(path: string, draft: string, parts: readonly Uint8Array[], before?: () => Promise<void>): Promise<void> {
  try {
    const handle = await open(draft, "w");
    try {
      for (const part of parts) await handle.writeFile(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await before?.();
    await persistently(() => rename(draft, path));
  } catch (error) {
    await removeFile(draft).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

export async function removeFile(path: string): Promise<void> {
  await unlessAbsent(persistently(() => unlink(path)));
}

/** Makes a directory, and all above it. */
export async function makeFolder(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true });
  if (first !== undefined) await syncFolder(dirname(first));
}

/** The same at once, for those who cannot wait. */
export function makeFolderNow(directory: string): void {
  const first = mkdirSync(directory, { recursive: true });
  if (first === undefined || process.platform === "win32") return;
  const handle = openSync(dirname(first), "r");
  try {
    fsyncSync(handle);
  } catch (error) {
    unlessRefused(error);
  } finally {
    closeSync(handle);
  }
}

/** Puts the names in a directory on disk. Windows has no such thing. */
export async function syncFolder(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory);
  try {
    await handle.sync();
  } catch (error) {
    unlessRefused(error);
  } finally {
    await handle.close();
  }
}

/** Some file systems of networks refuse to put names on disk, and keep them without being asked. */
function unlessRefused(error: unknown): void {
  if (codeOf(error) !== "EINVAL" && codeOf(error) !== "ENOTSUP") throw error;
}

/** Runs `work`; an error of the file system becomes one of the package. */
export async function told<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") throw noRoom(`No room left to write ${path}.`, error);
    throw new OptionError(`The directory of conversations cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** What the system calls the error; `undefined` for one of ours. */
export function codeOf(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return typeof code === "string" && typeof syscall === "string" ? code : undefined;
}

export async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** On Windows a file that another program just looks at cannot be replaced: that passes. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (process.platform !== "win32" || tries === 20 || !["EPERM", "EACCES", "EBUSY"].includes(codeOf(error) ?? "")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * tries));
    }
  }
}
