/** The worker's side of keeping: the session that is open, as a conversation in IndexedDB, so that it is there when the page is loaded again. */
import { Conversation, CorruptStoreError, type Format } from "palimpsest";
import { indexedDBStore } from "palimpsest/indexeddb";
import type { SessionFile } from "palimpsest/read-session";
import { messagesOf } from "./outline.js";
import type { Settings } from "./protocol.js";

const store = indexedDBStore("palimpsest-demo");
/** Messages taken over before the worker looks at other questions. */
const STRIDE = 1000;

/** What the page keeps beside the messages, in the conversation's `meta`. */
interface Beside {
  [key: string]: unknown;
  title: string;
  kind: SessionFile["kind"];
  bytes: number;
  skipped: number;
  /** The request around its messages. */
  envelope: object;
  /** What comes after the last whole turn, which is as far as a conversation is written. */
  rest: object[];
  settings: Settings;
}

export interface Again {
  name: string;
  format: Format;
  bytes: number;
  session: SessionFile;
  settings: Settings;
}

let kept: Conversation<object> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** One thing at a time: whoever opens two files in a row keeps the second. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work);
  last = turn;
  return turn;
}

/** Keeps a session instead of what was kept before. */
export function keep(name: string, session: SessionFile, format: Format, bytes: number, settings: Settings): Promise<void> {
  return inTurn(async () => {
    const { kind, skipped, request } = session;
    const conversation = await Conversation.open<object>({ store, id: crypto.randomUUID(), format });
    const messages = messagesOf(request) as object[];
    try {
      for (let at = 0; at < messages.length; at += STRIDE) {
        conversation.append(messages.slice(at, at + STRIDE));
        await new Promise((resolve) => setTimeout(resolve));
      }
      const envelope = Array.isArray(request) ? {} : { ...request, messages: [] };
      conversation.meta = { title: name, kind, bytes, skipped, envelope, rest: unfinished(conversation), settings } satisfies Beside;
      await conversation.commit();
      await removeAllBut(conversation.id);
    } catch (error) {
      // What was kept before is still there, but is not what is open.
      await drop(kept);
      kept = undefined;
      await drop(conversation);
      await store.remove(conversation.id).catch(() => {}); // it may have written what was whole
      throw error;
    }
    await drop(kept);
    kept = conversation;
  });
}

/** The messages from the first call on that has no result; they leave the path. */
function unfinished(conversation: Conversation<object>): object[] {
  const open = new Set(conversation.openCalls().map(({ at }) => at));
  if (open.size === 0) return [];
  const path = conversation.messages();
  const cut = path.findIndex(({ id }) => open.has(id));
  conversation.branch(path[cut]!.parent);
  return path.slice(cut).map(({ message }) => message);
}

/** What was kept last; nothing when nothing was. */
export function again(): Promise<Again | undefined> {
  return inTurn(async () => {
    const [newest] = await store.list({ limit: 1 });
    if (newest === undefined) return undefined;
    const conversation = await Conversation.open<object>({ store, id: newest.id, agent: newest.agent });
    const { title, kind, bytes, skipped, envelope, rest, settings } = conversation.meta as unknown as Beside;
    if (typeof envelope !== "object" || typeof settings !== "object") throw new CorruptStoreError("What is kept was written by another version of this page.");
    kept = conversation;
    const messages = [...conversation.messages().map(({ message }) => message), ...rest];
    const request = kind === "messages" ? messages : { ...envelope, messages };
    return { name: title, format: conversation.format, bytes, settings, session: { kind, request, format: conversation.format, lines: 0, skipped } };
  });
}

/** Keeps the choice of model and window with what is kept. */
export function remember(settings: Settings): Promise<void> {
  return inTurn(async () => {
    if (kept === undefined) return;
    kept.meta = { ...kept.meta, settings };
    await kept.commit();
  });
}

/** Also what cannot be read. */
export function forget(): Promise<void> {
  return inTurn(async () => {
    await drop(kept);
    kept = undefined;
    await removeAllBut(undefined);
  });
}

async function removeAllBut(id: string | undefined): Promise<void> {
  for (const one of await store.list()) if (one.id !== id) await store.remove(one.id);
}

/** Frees its memory. What it did not write, and why, has been told. */
async function drop(conversation: Conversation<object> | undefined): Promise<void> {
  await conversation?.close().catch(() => {});
}
