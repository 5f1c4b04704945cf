/** Bytes apart from messages: what is set apart comes back to the letter, and what is not is not touched. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { base64, bytesIn } from "../../../pkg/stores/base64.js";
import { incoming, joinBlobs, outgoing, splitBlobs } from "../../../pkg/stores/blobs.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Node } from "../../../pkg/stores/store.js";
import { generator, randomValue } from "../support/random.js";
import { picture, url } from "./suite/blobs.js";
import { equal } from "./support/assert.js";
import { change, node } from "./support/talk.js";

afterEach(() => void vi.unstubAllGlobals());

const of = (message: object): Node => node(null, "words", message);

/** Through JSON, as a store would keep it. */
async function there(nodes: Node[], inline = false): Promise<{ nodes: Node[]; kept: Node[]; blobs: number }> {
  const apart = await splitBlobs(nodes, { inline });
  const bytes = new Map(apart.blobs.map((blob) => [blob.hash, blob.bytes]));
  const kept = JSON.parse(JSON.stringify(apart.nodes));
  const { nodes: back, missing } = await joinBlobs(kept, async (hash) => bytes.get(hash));
  expect(missing).toEqual([]);
  return { nodes: back, kept, blobs: apart.blobs.length };
}

describe("base64", () => {
  test("of bytes of any length is that of Node, and comes back", () => {
    for (const length of [0, 1, 2, 3, 4, 5, 255, 24_575, 24_576, 24_577, 100_000]) {
      const bytes = picture(length, length);
      expect(base64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      if (length > 0) expect(bytesIn(base64(bytes), 0)).toEqual(bytes);
    }
  });

  test("that would not come back to the letter is none", () => {
    for (const text of ["", "A", "AA", "AAA", "AAAAA", "AB==", "AAB=", "A===", "====", "AA=A", "AA==AAAA", "AAA\n", "AA A", "A-_A", "AAA\u0100", "AAA字"]) {
      expect(bytesIn(text, 0), text).toBeUndefined();
    }
    expect(bytesIn("AA==", 0)).toEqual(new Uint8Array([0]));
    expect(bytesIn("//8=", 0)).toEqual(new Uint8Array([255, 255]));
  });

  test("is found at random only where it comes back to the letter", () => {
    const random = generator(11);
    let found = 0;
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 12) }, () => "ABC/+89=-_ \n"[Math.floor(random() ** 2 * 12)]).join("");
      const bytes = bytesIn(text, 0);
      if (bytes) expect(base64(bytes)).toBe(text);
      if (bytes) found++;
    }
    expect(found).toBeGreaterThan(500);
  });
});

describe("what is set apart", () => {
  test("large base64 and data URLs, wherever they stand; what is small or otherwise stays", async () => {
    const large = base64(picture(6_144, 1)); // 8,192 letters
    const messages = {
      apart: [{ data: large }, { url: url(picture(9_000, 2)) }, { deep: [[[{ url: `data:audio/wav;rate=16000;base64,${large}` }]]] }, { data: "QUFB".repeat(3_000) }],
      stays: [{ data: base64(picture(6_141, 3)) }, { url: `data:image/svg+xml,${"a".repeat(9_000)}` }, { text: "word ".repeat(3_000) }, { data: `${large}\n` }, { data: large.replaceAll("+", "-") }],
    };
    for (const message of messages.apart) expect((await there([of(message)])).blobs, Object.keys(message)[0]).toBe(1);
    for (const message of messages.stays) {
      const given = of(message);
      const { nodes } = await splitBlobs([given]);
      expect(nodes[0]).toBe(given);
    }
  });

  test("comes back equal, as JSON sees it, for anything a message may hold", async () => {
    const random = generator(7);
    const bytes = [picture(50, 4), new Uint8Array(), new Float64Array([1, NaN]), new DataView(new ArrayBuffer(3)), new ArrayBuffer(5), new BigInt64Array([5n]), picture(70, 5).subarray(3, 9)];
    const lookalikes = [
      { "palimpsest:blob": "itself", value: {} },
      { "palimpsest:blob": "itself", value: { "palimpsest:blob": "itself", value: { "palimpsest:blob": 1 } } },
      { "palimpsest:blob": "a".repeat(64), as: "Uint8Array" },
      { "palimpsest:blob": "a".repeat(64), as: "base64", before: "" },
      { "palimpsest:blob": "inline", as: "ArrayBuffer", base64: "" },
      { "palimpsest:blob": null },
    ];
    for (let round = 0; round < 400; round++) {
      const mixed = { a: JSON.parse(JSON.stringify(randomValue(random, 4)) ?? "null"), b: bytes[round % bytes.length], c: [lookalikes[round % lookalikes.length]], d: url(picture(9_000, round % 5)) };
      const given = of({ mixed, more: [{ mixed }] });
      for (const inline of [false, true]) equal((await there([given], inline)).nodes, [given], `round ${round}`);
    }
  });

  test("of a Buffer comes back as a Uint8Array, of a view only its own bytes", async () => {
    const whole = picture(100, 6);
    const { nodes } = await there([of({ buffer: Buffer.from([1, 2, 3]), view: whole.subarray(10, 20) })]);
    equal(nodes[0]!.message.buffer, new Uint8Array([1, 2, 3]));
    expect(nodes[0]!.message.view.buffer.byteLength).toBe(10);
  });

  test("is one string, however often it is shown, and its bytes are nobody else's", async () => {
    const { nodes, blobs } = await there([of({ a: url(picture(9_000, 8)), b: picture(9, 9) }), of({ a: url(picture(9_000, 8)), b: picture(9, 9) })]);
    expect(blobs).toBe(2);
    nodes[0]!.message.b.fill(0);
    equal(nodes[1]!.message.b, picture(9, 9));
  });

  test("leaves the caller's own objects as they are", async () => {
    const given = of({ content: [{ type: "text", text: "look" }, { url: url(picture(9_000, 10)) }], tail: { kept: true } });
    const before = JSON.stringify(given);
    const { nodes } = await splitBlobs([given]);
    expect(JSON.stringify(given)).toBe(before);
    expect(nodes[0]!.message.content[0]).toBe(given.message.content[0]);
    expect(nodes[0]!.message.tail).toBe(given.message.tail);
  });

  test("nodes without any are the very objects, both ways", async () => {
    const given = [of({}), of({ list: [1, { a: "b" }] })];
    const { nodes } = await splitBlobs(given);
    expect(nodes.every((node, index) => node === given[index])).toBe(true);
    const back = await joinBlobs(nodes, async () => undefined);
    expect(back.nodes.every((node, index) => node === given[index])).toBe(true);
  });

  test("a message nested deeper than 512 is refused", async () => {
    const nested = (depth: number): Node => {
      let value: object = {};
      for (let at = 1; at < depth; at++) value = { value };
      return of({ value: value });
    };
    await splitBlobs([nested(510)]);
    await expect(splitBlobs([nested(600)])).rejects.toMatchObject({ code: "option" });
  });
});

describe("references", () => {
  test("that are not exactly ours are left as they are", async () => {
    const hash = "a".repeat(64);
    const odd = [
      { "palimpsest:blob": hash },
      { "palimpsest:blob": hash, as: "Function" },
      { "palimpsest:blob": hash, as: "base64" },
      { "palimpsest:blob": hash, as: "__proto__" },
      { "palimpsest:blob": hash.toUpperCase(), as: "Uint8Array" },
      { "palimpsest:blob": "inline", as: "Float32Array", base64: "AAAA" },
      { "palimpsest:blob": "inline", as: "Uint8Array", base64: "A" },
      { "palimpsest:blob": "inline", as: "Uint8Array" },
      { "palimpsest:blob": "itself", value: [] },
      { "palimpsest:blob": 7 },
    ];
    const given = [of({ odd })];
    const { nodes, missing } = await joinBlobs(given, async () => new Uint8Array(3));
    equal(nodes, given);
    expect(missing).toEqual([]);
  });

  test("whose bytes are gone are told, and the rest is saved", async () => {
    const store = memoryStore();
    const nodes = [of({ a: url(picture(9_000, 11)) }), of({ b: "words" })];
    await store.commit("a", "main", 0, await outgoing(store, change(nodes)));
    const stored = (await store.load("a", "main"))!;
    const error = await incoming({ ...store, blob: async () => undefined }, stored).catch((error) => error);
    expect(error).toMatchObject({ code: "corrupt-store", message: expect.stringMatching(/has lost the bytes of a picture/) });
    expect(error.saved.nodes[1]).toEqual(nodes[1]);
    equal((await incoming(store, stored)).nodes, nodes);
  });
});

test("where there is nothing to hash with (a page not served over https), bytes stay in place", async () => {
  vi.stubGlobal("crypto", {});
  const nodes = [of({ bytes: picture(50, 12), url: url(picture(9_000, 13)) })];
  const store = memoryStore();
  const given = await outgoing(store, change(nodes));
  expect(given.blobs).toEqual([]);
  await store.commit("a", "main", 0, given);
  equal((await incoming(store, (await store.load("a", "main"))!)).nodes, nodes);
});
