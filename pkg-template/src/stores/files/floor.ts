/** The highest revision that was ever removed, so that a name that is used again goes on counting. */
import { readWhole, replaceFile } from "./disk.js";

export class Floor {
  constructor(readonly path: string) {}

  async read(): Promise<number> {
    const bytes = await readWhole(this.path);
    const value = bytes ? Number(new TextDecoder().decode(bytes)) : 0;
    return Number.isSafeInteger(value) && value > 0 ? value : 0;
  }

  /** Only one process at a time may do this. */
  async raise(revision: number): Promise<void> {
    if (revision > (await this.read())) await replaceFile(this.path, `${this.path}.part`, [Buffer.from(`${revision}\n`)]);
  }
}
