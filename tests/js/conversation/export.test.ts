/** Exports, and reading them back: nothing is lost, and nothing in them is trusted. */
import { describe, expect, test } from "vitest";
import { Conversation, OptionError, PalimpsestError } from "../../../pkg/entry/node.js";
import { importSession } from "../../../pkg/sessions.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { chatHistory } from "../support/history.js";
import { generator, randomValue } from "../support/random.js";
import { assistant, calling, chat, result, texts, user } from "./talk.js";

/** With branches, labels, records, bytes, and letters of all kinds. */
async function rich(): Promise<Conversation> {
  const talk = await chat();
  talk.append(chatHistory(40).messages);
  await talk.request();
  const at = talk.messages()[2]!.id;
  talk.checkpoint("end");
  talk.edit(at, { role: "user", content: "<script>alert(1)</script> \u2028 字 😀 \ud800", bytes: Uint8Array.of(1, 2, 3), "palimpsest:blob": "mine" });
  talk.append(assistant("```js\n````\n# no heading\n</pre>"), { meta: { starred: true } });
  talk.checkpoint("<b>\"'&");
  talk.meta = { title: "</title><script>", own: [1, { two: null }] };
  return talk;
}

test.each(["json", "jsonl"] as const)("%s is read back without loss", async (kind) => {
  const talk = await rich();
  const file = talk.export(kind);
  const { conversations, report } = await importSession(kind === "json" ? file : new TextEncoder().encode(file));
  expect(report).toMatchObject({ kind: "palimpsest", skipped: [], reattached: 0, branches: 2 });
  const store = memoryStore();
  const again = await Conversation.from(conversations[0]!, { store, model: { id: "mine", window: 8_000 } });
  expect(again.export(kind)).toBe(file);
  expect(again.messages()).toEqual(JSON.parse(JSON.stringify(talk.messages()), (key, value) => (key === "bytes" ? Uint8Array.of(1, 2, 3) : value)));
  expect(again.meta).toEqual(talk.meta);
  expect(again.checkpoints()).toEqual(talk.checkpoints());
  for (const label of ["end", "<b>\"'&"]) {
    for (const each of [talk, again]) each.rewind(label);
    expect((await again.request()).body).toEqual((await talk.request()).body);
  }
  await again.commit();
  const reopened = await Conversation.open({ store, id: again.id });
  expect(JSON.parse(reopened.export("json")).nodes).toEqual(JSON.parse(talk.export("json")).nodes);
  // Imported once more under the same name it is the same conversation.
  const twice = await Conversation.from(conversations[0]!, { store });
  await twice.commit();
  expect((await store.load(again.id, "main"))!.nodes).toHaveLength(conversations[0]!.nodes.length);
});

test("html: one page that loads nothing, with everything escaped", async () => {
  const talk = await rich();
  talk.append(user("x"), { parent: null });
  talk.append({ role: 'user" onload="alert(1)', content: [{ type: "image_url", image_url: { url: 'https://x.test/"><img src=x onerror=alert(1)>' } }, { type: "image_url", image_url: { url: "data:image/svg+xml;base64,PHN2Zz4=" } }, { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }, { type: '"><b>', x: "<i>" }, null, 7] });
  talk.append(calling('"><u>', { path: "</pre><script>" }));
  talk.append(result('"><u>', "</article>"));
  const page = talk.export("html");
  // Whatever is not of ours is gone when text is taken out: only these tags, these attributes.
  const tags = [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  const allowed = /^<(?:!doctype html|html lang="en"|meta [^<]*|article class="(?:user|assistant|system|tool|other)"|pre(?: class="code")?|details(?: class="branch")?|img alt="a picture" src="data:image\/png;base64,[\w+/=]+"|\/?(?:html|head|body|title|style|h1|h2|small|p|summary|details|article|pre))>$/;
  expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
  expect(page).not.toMatch(/<script|javascript:|<img src=x|<link/i);
  for (const tag of ["details", "article", "pre", "summary"]) {
    expect(page.split(`<${tag}`).length, tag).toBe(page.split(`</${tag}>`).length);
  }
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(page).toContain("&lt;/title&gt;&lt;script&gt;");
  // Every message stands in it once.
  expect(page.split("<article").length - 1).toBe(talk.tree().length);
});

test("markdown: what was said opens no fence, heading or tag of its own", async () => {
  const talk = await rich();
  const text = talk.export("markdown");
  const outside: string[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    if (fence === "") {
      fence = /^(`{3,})(?:text|json)$/.exec(line)?.[1] ?? "";
      if (fence === "") outside.push(line);
    } else if (line === fence) fence = "";
  }
  expect(fence).toBe("");
  expect(outside[0]).toBe("# \\</title\\>\\<script\\>");
  expect(outside.filter((line) => line.startsWith("## "))).toHaveLength(talk.messages().length);
  expect(outside.join("\n")).not.toMatch(/(?<!\\)<|no heading/);
});

test("a hundred thousand messages in one path, and a thousand branches, are no depth", async () => {
  const talk = await chat();
  talk.append(Array.from({ length: 100_000 }, (_, at) => user(`message ${at}`)));
  const last = talk.tip!;
  for (let at = 0; at < 1_000; at++) talk.edit(last, user(`edit ${at}`));
  const page = talk.export("html");
  expect(page.split("<article").length - 1).toBe(101_000);
  const { conversations, report } = await importSession(talk.export("json"));
  expect(conversations[0]!.nodes).toHaveLength(101_000);
  expect(report.branches).toBe(1_001);
}, 60_000);

describe("files that are not to be trusted", () => {
  const node = (id: unknown, parent: unknown, more: object = {}): object => ({ id, parent, at: 1, message: user(String(id)), ...more });
  const file = (nodes: unknown[], head: object = {}): string => JSON.stringify({ palimpsest: 1, id: "x", agent: "main", format: "openai-chat", tip: null, records: [], checkpoints: [], meta: {}, notes: {}, ...head, nodes });

  async function read(text: string): Promise<{ talk: Conversation; report: any }> {
    const { conversations, report } = await importSession(text);
    const talk = await Conversation.from(conversations[0]!, { store: memoryStore(), model: "gpt-4o" });
    await talk.commit();
    return { talk, report };
  }

  test("circles, parents that are not there, ids twice", async () => {
    const { talk, report } = await read(file([node("a", "b"), node("b", "a"), node("c", "gone"), node("d", "d"), node("a", null), node("e", "c")], { tip: "nowhere", checkpoints: [{ label: "l", at: "gone" }], records: [{ id: "r", rung: "window", from: "a", to: "gone", before: 1, after: 0, model: "m" }] }));
    expect(talk.tree()).toHaveLength(6);
    expect(report.reattached).toBe(3);
    expect(report.skipped.length).toBeGreaterThanOrEqual(5);
    expect(talk.checkpoints()).toEqual([]);
    expect(talk.tip).not.toBeNull();
    for (const { id } of talk.tree()) {
      talk.branch(id);
      expect((await talk.request()).body.messages.length).toBeGreaterThan(0);
    }
    expect(JSON.parse(talk.export("json")).records).toEqual([]);
  });

  test("nodes of any shape are left out, by their lines", async () => {
    const wrong = [null, 7, "x", [], {}, node("", null), node(7, null), node("a", 7), node("a", null, { at: "now" }), node("a", null, { message: "hi" }), node("a", null, { message: [] }), node("a", null, { message: { text: "no role" } })];
    const { conversations, report } = await importSession(file([...wrong, node("good", null, { extra: 1 })], { tip: "good" }));
    expect(conversations[0]!.nodes).toEqual([node("good", null)]);
    expect(report.skipped.map(({ line }) => line)).toEqual(wrong.map((_, index) => index + 2));
  });

  test("heads of any shape", async () => {
    const { talk, report } = await read(file([node("a", null)], { id: 7, agent: {}, tip: 7, records: "no", checkpoints: [7], meta: [], notes: { a: 1 }, calibration: "no" }));
    expect(report.skipped).toHaveLength(6);
    expect([talk.agent, talk.meta, talk.tip]).toEqual(["main", {}, null]);
  });

  test("lines that are torn", async () => {
    const talk = await chat();
    talk.append([user("a"), assistant("b"), user("c")]);
    const lines = talk.export("jsonl").split("\n");
    const { conversations, report } = await importSession([lines[0], lines[1], lines[2]!.slice(0, 20), lines[3], ""].join("\n"));
    expect(report).toMatchObject({ lines: 4, reattached: 1 });
    const again = await Conversation.from(conversations[0]!, { store: memoryStore() });
    expect(texts(again)).toEqual(["a", "c"]);
  });

  test.each([
    ["", /empty/],
    ["{", /line 1, column 2/],
    ["[]", /no session/],
    ["{}", /no session/],
    ['{"palimpsest":1}', /nodes|format/],
    ['{"palimpsest":2,"nodes":[]}', /later version/],
    ['{"palimpsest":"1","nodes":[]}', /version/],
    ['{"palimpsest":1,"nodes":[]}', /format/],
    ['{"palimpsest":1,"nodes":{},"format":"openai-chat"}', /nodes/],
    ["null", /no session/],
  ])("%s is refused", async (text, words) => {
    const error = await importSession(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PalimpsestError);
    expect(error).toMatchObject({ code: "import-failed", message: expect.stringMatching(words) });
  });

  test("other kinds, other things", async () => {
    await expect(importSession("{}", { kind: "chatgpt" })).rejects.toMatchObject({ code: "import-failed" });
    await expect(importSession(7 as any)).rejects.toThrow(OptionError);
    for (const wrong of [null, {}, { nodes: 7 }, { nodes: [7] }]) await expect(Conversation.from(wrong as any, { store: memoryStore() })).rejects.toThrow(OptionError);
  });

  test("random values in place of any part are mended or refused", async () => {
    const random = generator(97);
    const whole = JSON.parse((await rich()).export("json"));
    whole.nodes.length = 12;
    for (let round = 0; round < 400; round++) {
      const copy = structuredClone(whole);
      for (let change = 0; change < 3; change++) {
        let at = copy;
        for (;;) {
          const keys = Object.keys(at);
          const key = keys[Math.floor(random() * keys.length)];
          if (key === undefined) break;
          if (typeof at[key] === "object" && at[key] !== null && random() < 0.7) at = at[key];
          else {
            at[key] = JSON.parse(JSON.stringify(randomValue(random, 2) ?? null) ?? "null");
            break;
          }
        }
      }
      const read = await importSession(JSON.stringify(copy)).catch((error: unknown) => error);
      if (read instanceof Error) expect((read as any).code, read.message).toMatch(/^(?:import-failed|unsupported-format)$/);
      else {
        const talk = await Conversation.from((read as any).conversations[0], { store: memoryStore(), model: "gpt-4o" });
        await talk.commit();
        talk.export("html");
        talk.export("markdown");
      }
    }
  }, 60_000);
});

test("html: the way to the tip stands open, whatever is newer beside it", async () => {
  const talk = await chat();
  const first = talk.append(user("shown"));
  talk.append(assistant("the answer shown"));
  const tip = talk.tip;
  talk.edit(first, user("newer, beside"));
  talk.branch(tip);
  const [folded] = /<details class="branch">[^]*<\/details>/.exec(talk.export("html"))!;
  expect(folded).toContain("newer, beside");
  expect(folded).not.toContain("shown");
});

test("markdown: a fence is longer than any that was said", async () => {
  const talk = await chat();
  talk.append(user("code:\n```\nx\n```\n`````\ny\n`````\n# said"));
  expect(talk.export("markdown")).toContain("\n``````text\ncode:\n```\nx\n```\n`````\ny\n`````\n# said\n``````\n");
});

test("what was taken off, or dropped by a close, is in no file", async () => {
  const talk = await chat();
  talk.append(Array.from({ length: 30 }, (_, n) => (n % 2 ? assistant : user)(`${n} ${"word ".repeat(100)}`)));
  const { records } = await talk.compact({ force: true, rungs: ["window"] });
  expect(JSON.parse(talk.export("json")).records).toHaveLength(1);
  talk.uncompact(records[0]!.id);
  expect(JSON.parse(talk.export("json")).records).toEqual([]);
  const torn = talk.append([user("kept"), calling("open")]);
  await talk.close();
  expect(talk.get(torn)).toBeUndefined();
  expect(talk.messages()).toHaveLength(31);
});

test("a file says parents before children, also of a draft that went on streaming after an edit", async () => {
  const talk = await chat();
  const [first, draft] = [talk.append(user("a")), talk.append(assistant(""))];
  talk.edit(first, user("a2"));
  talk.update(draft, assistant("He"));
  talk.branch(draft);
  talk.update(draft, assistant("Hello"));
  talk.append(user("b"));
  const seen = new Set<string | null>([null]);
  for (const { id, parent } of JSON.parse(talk.export("json")).nodes) {
    expect(seen.has(parent), id).toBe(true);
    seen.add(id);
  }
  expect(seen.size).toBe(5);
});

test("a file with a mark of byte order, or one whose bytes are elsewhere, is read, and says so", async () => {
  const talk = await chat();
  talk.append(user("a"));
  expect((await importSession(`\ufeff${talk.export("jsonl")}`)).report).toMatchObject({ skipped: [], branches: 1 });
  const lost = JSON.parse(talk.export("json"));
  lost.nodes[0].message.picture = { "palimpsest:blob": "0".repeat(64), as: "Uint8Array" };
  const { conversations, report } = await importSession(JSON.stringify(lost));
  expect(conversations[0]!.nodes[0]!.message).toMatchObject(user("a"));
  expect(report.skipped).toMatchObject([{ line: 0, why: expect.stringMatching(/1 pictures?/) }]);
});
