/** Recorded sessions of agents: each becomes a conversation, is committed, opened again, branched in its middle, copied, exported and read back. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { check, Conversation } from "../../../pkg/entry/node.js";
import { importSession } from "../../../pkg/sessions.js";
import { readSession } from "../../../pkg/read-session.js";
import { fileStore } from "../../../pkg/stores/files.js";
import { memoryStore } from "../../../pkg/stores/memory.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(process.env["PALIMPSEST_CORPUS"] ?? join(root, "../shared/corpus"), "a-claude-code");
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
if (files.length === 0) console.log(`skipped: there is no corpus at ${folder}`);

const place = mkdtempSync(join(tmpdir(), "palimpsest-corpus-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const words = (talk: Conversation): unknown[] => talk.messages().map(({ message }) => message);
const MODEL = { id: "claude-sonnet-4-5", window: 40_000 };

test.skipIf(files.length === 0).each(files)("%s", async (name) => {
  const { request } = await readSession(readFileSync(join(folder, name)));
  const { messages } = request as { messages: any[] };
  for (const store of [memoryStore(), fileStore(place)]) {
    const talk = await Conversation.open({ store, id: name, format: "anthropic", model: MODEL });
    talk.append(messages);
    // One that ends in the middle of a turn is committed as far as it is whole.
    await talk.close();
    const again = await Conversation.open({ store, id: name, model: MODEL });
    const kept = again.messages().length;
    expect(kept).toBeGreaterThan(0);
    expect(words(again)).toEqual(messages.slice(0, kept));
    expect(messages.length - kept).toBeLessThanOrEqual(4);

    const { body } = await again.request<any>();
    expect(await check(body, { format: "anthropic" })).toEqual([]);
    await again.commit();

    // Its middle: the nearest place where nothing is open.
    const whole = again.messages().map(({ id }) => id);
    let middle = Math.floor(kept / 2);
    again.branch(whole[middle]!);
    while (again.openCalls().length > 0) again.branch(whole[--middle]!);
    again.append({ role: "user", content: "Something else." });
    again.checkpoint("aside");
    await again.commit();
    expect(words(again)).toEqual([...messages.slice(0, middle + 1), { role: "user", content: "Something else." }]);
    expect(await check((await again.request()).body, { format: "anthropic" })).toEqual([]);
    expect(again.tree()).toHaveLength(kept + 1);

    const copy = await again.duplicate({ id: `${name} copy`, at: whole.at(-1)! });
    expect(words(copy)).toEqual(messages.slice(0, kept));
    const file = again.export("json");
    const { conversations: [exported], report } = await importSession(file);
    expect(report).toMatchObject({ skipped: [], reattached: 0 });
    const back = await Conversation.from(exported!, { store: memoryStore(), model: MODEL });
    expect(back.export("json")).toBe(file);
    back.branch(whole.at(-1)!);
    again.branch(whole.at(-1)!);
    expect((await back.request()).body).toEqual((await again.request()).body);
    again.export("html");
    again.export("markdown");
  }
}, 60_000);
