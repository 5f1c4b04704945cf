/** Bytes as files, named by their hash. */
import { createHash, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Blob, isHash } from "../blobs.js";
import { entries, makeFolder, readWhole, removeFile, replaceFile, unlessAbsent } from "./disk.js";

export class BlobFiles {
  constructor(readonly folder: string) {}

  /** The bytes; `undefined` when there are none, or not those of this hash. */
  async read(hash: string): Promise<Uint8Array | undefined> {
    if (!isHash(hash)) return undefined;
    const bytes = await readWhole(join(this.folder, hash));
    return bytes && createHash("sha256").update(bytes).digest("hex") === hash ? new Uint8Array(bytes) : undefined;
  }

  async has(hash: string): Promise<boolean> {
    return (await unlessAbsent(stat(join(this.folder, hash)))) !== undefined;
  }

  async write(blobs: readonly Blob[]): Promise<void> {
    if (blobs.length > 0) await makeFolder(this.folder);
    for (const { hash, bytes } of blobs) {
      const path = join(this.folder, hash);
      if (!(await this.has(hash))) await replaceFile(path, `${path}.${randomUUID()}.part`, [bytes]);
    }
  }

  /** Takes away all others, and what a crash left behind. Only one process at a time may do this, and none may write meanwhile. */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    for (const name of await entries(this.folder)) if (!hashes.has(name)) await removeFile(join(this.folder, name));
  }
}
