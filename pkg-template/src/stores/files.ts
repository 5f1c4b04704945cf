/** "palimpsest/files": conversations as files in a directory (Node, Deno, Bun). */
import { join, resolve } from "node:path";
import { unknownNode } from "../errors.js";
import { alreadyStored, checkedChange, type Checked, checkNames, conflict, noBytes } from "./change.js";
import { BlobFiles } from "./files/blobs.js";
import { entries, readWhole, removeFile, replaceFile, syncFolder, told } from "./files/disk.js";
import { type Document, documentOf, type FileHead, readHead, written } from "./files/document.js";
import { Floor } from "./files/floor.js";
import { locked } from "./files/lock.js";
import { isConversation, nameOf, prefixOf } from "./files/names.js";
import { Watch } from "./files/watch.js";
import { checkPart, momentAfter, pageOf, pathOf, shownOf } from "./listing.js";
import { LAYOUT, type Listed, type Node, type Store, type Stored } from "./store.js";
import { storedOf } from "./stored.js";

export type { Change, Head, Listed, Node, NodeId, Part, Store, Stored } from "./store.js";

/**
 * A store of one JSON file a conversation and agent in `directory`, which is made when there is none. A commit writes the file anew beside
 * the old one and puts it in its place, so it costs time in proportion to the conversation: fine for the work of an agent, some thousands
 * of messages; not for hundreds of thousands. Several processes may use one directory. Bytes are files of their own, in `blobs/`.
 */
export function fileStore(directory: string): Store {
  const root = resolve(directory);
  const blobs = new BlobFiles(join(root, "blobs"));
  const floor = new Floor(join(root, "floor"));
  const watch = new Watch(root);
  let newest = 0;

  /** What only one process may do at a time with anything in the directory: give and take bytes that conversations share. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => locked(join(root, "directory"), work);

  const conversations = async (): Promise<string[]> => (await entries(root)).filter(isConversation);

  return {
    async load(id, agent, part) {
      checkNames(id, agent);
      checkPart(part);
      const path = join(root, nameOf(id, agent));
      const bytes = await told(path, () => readWhole(path));
      if (!bytes) return undefined;
      const stored = wholeOf(documentOf(bytes), id, agent);
      if (!part) return stored;
      const byId = new Map(stored.nodes.map((node) => [node.id, node]));
      return { ...stored, nodes: pathOf(part, stored.tip, (node) => byId.get(node)) };
    },

    async commit(id, agent, base, change) {
      const checked = checkedChange(id, agent, base, change);
      const path = join(root, nameOf(id, agent));
      const write = (): Promise<number> =>
        locked(path, async (lock) => {
          const bytes = await readWhole(path);
          const document = bytes && documentOf(bytes);
          // A file that is not whole is not written over: `load` says what can be saved of it.
          const stored = document ? wholeOf(document, id, agent).revision : 0;
          if (stored !== base) throw conflict(id, base, stored);
          await validate(document, checked);
          await blobs.write(checked.blobs);
          const head = await nextHead(id, agent, document?.head, checked);
          await replaceFile(path, lock.draft, written(head, document, checked.nodes), () => lock.confirm());
          return head.revision;
        });
      // Bytes that this commit leans on must not be taken away while it is made.
      const shares = checked.uses.size + checked.blobs.length > 0;
      const revision = await told(path, () => (shares ? alone(write) : write()));
      watch.tell(nameOf(id, agent), id, agent, revision);
      return revision;
    },

    async blob(hash) {
      return told(root, () => blobs.read(hash));
    },

    async list(options) {
      const heads = await told(root, async () => inTurns(await conversations(), (name) => readHead(join(root, name))));
      const listed = heads.flatMap((line): Listed[] => {
        if (!line) return [];
        const { id, agent, messages, updatedAt, head } = line;
        return [{ id, agent, messages, updatedAt, ...shownOf(head) }];
      });
      return pageOf(listed, options);
    },

    async remove(id, agent) {
      checkNames(id, agent ?? "");
      const wanted = agent === undefined ? prefixOf(id) : nameOf(id, agent);
      const removed = await told(root, async () => {
        // Where there is nothing, not even the directory is made.
        if (!(await conversations()).some((name) => name.startsWith(wanted))) return [];
        return alone(async () => {
          const gone: string[] = [];
          for (const name of (await conversations()).filter((name) => name.startsWith(wanted))) {
            const agent = await locked(join(root, name), () => removeOne(join(root, name)));
            if (agent !== undefined) gone.push(agent);
          }
          await syncFolder(root);
          await sweep();
          return gone;
        });
      });
      for (const one of removed) watch.tell(nameOf(id, one), id, one, 0);
    },

    subscribe: (listener) => watch.subscribe(listener),
  };

  async function validate(document: Document | undefined, { nodes, outside, blobs: given, uses }: Checked): Promise<void> {
    const ids = new Set((document?.nodes as Node[] | undefined)?.map((node) => node.id));
    for (const [id, what] of outside) if (!ids.has(id)) throw unknownNode(id, what);
    for (const { id } of nodes) if (ids.has(id)) throw alreadyStored(id);
    const hashes = new Set(given.map(({ hash }) => hash));
    for (const hash of uses) if (!hashes.has(hash) && !(await blobs.has(hash))) throw noBytes(hash);
  }

  async function nextHead(id: string, agent: string, last: FileHead | undefined, { nodes, head, blobs: given, uses }: Checked): Promise<FileHead> {
    const floorNow = last ? 0 : await floor.read();
    newest = momentAfter(Math.max(newest, last?.updatedAt ?? 0));
    return {
      palimpsest: LAYOUT,
      id,
      agent,
      revision: (last?.revision ?? floorNow) + 1,
      updatedAt: newest,
      messages: (last?.messages ?? 0) + nodes.length,
      blobs: [...new Set([...(last?.blobs ?? []), ...uses, ...given.map(({ hash }) => hash)])],
      head,
    };
  }

  /** The agent whose conversation it was, if that could be told. */
  async function removeOne(path: string): Promise<string | undefined> {
    const head = await readHead(path);
    const revision = head?.revision ?? 0;
    // Before the file goes: were it after, a crash in between could make a revision mean two things. On a full disk it must go first.
    const raised = await floor.raise(revision).then(() => true, () => false);
    await removeFile(path);
    if (!raised) await floor.raise(revision);
    return head?.agent;
  }

  /** Takes away bytes that no conversation uses. One that cannot be read may use anything. */
  async function sweep(): Promise<void> {
    const heads = await inTurns(await conversations(), (name) => readHead(join(root, name)));
    if (heads.every((head) => head !== undefined)) await blobs.keepOnly(new Set(heads.flatMap((head) => head.blobs)));
  }
}

/** @throws {CorruptStoreError} when the file is not whole, or is another's: renamed or copied by hand. */
function wholeOf({ line, head, nodes, lost }: Document, id: string, agent: string): Stored {
  const strange = head && (head.id !== id || head.agent !== agent) ? ["its file belongs to another conversation"] : [];
  return storedOf({ id, version: line.palimpsest, revision: line.revision, head: line.head, nodes, lost: [...lost, ...strange] });
}

/** Some at a time: a process may hold only so many files open. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += 16) results.push(...(await Promise.all(items.slice(at, at + 16).map(work))));
  return results;
}
