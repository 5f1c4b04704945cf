/** Bytes apart from messages. */
import { base64 } from "../../../../pkg/stores/base64.js";
import { incoming, outgoing, splitBlobs } from "../../../../pkg/stores/blobs.js";
import type { Node, Store } from "../../../../pkg/stores/store.js";
import type { Case } from "../suite.js";
import { equal, ok, rejects } from "../support/assert.js";
import { after, chain, change, node } from "../support/talk.js";

export function picture(size: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed * 2_654_435_761 || 1;
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

export const url = (bytes: Uint8Array): string => `data:image/png;base64,${base64(bytes)}`;

const shown = (bytes: Uint8Array, parent: string | null = null): Node =>
  node(parent, "look", { content: [{ type: "text", text: "look" }, { type: "image_url", image_url: { url: url(bytes), detail: "high" } }] });

async function commit(store: Store, id: string, base: number, nodes: Node[]): Promise<string[]> {
  const given = await outgoing(store, change(nodes));
  await store.commit(id, "main", base, given);
  return given.blobs!.map(({ hash }) => hash);
}

export const blobCases: Case[] = [
  {
    name: "pictures and bytes come back as they were, through a store that keeps them apart or one that does not",
    async run(place) {
      const store = await place.open();
      const small = picture(100, 1);
      const odd = { "palimpsest:blob": "inline", as: "Uint8Array", base64: "AAAA" };
      const kinds = { bytes: small, buffer: small.slice().buffer, floats: new Float32Array([1.5, -2]), empty: new Uint8Array() };
      const nodes = [shown(picture(300_000, 2)), shown(picture(3_000_000, 3)), node(null, "bytes", kinds), node(null, "lookalike", { odd, list: [odd, { odd }] }), node(null, "plain")];
      nodes[4]!.meta = { attached: picture(20_000, 4), name: "a.png" };
      await store.commit("a", "main", 0, await outgoing(store, change(nodes)));
      const again = await place.open();
      equal((await incoming(again, (await again.load("a", "main"))!)).nodes, nodes);
    },
  },
  {
    name: "the same bytes are kept once, and given by their hash",
    needs: "blobs",
    async run(place) {
      const store = await place.open();
      const bytes = picture(2_500_000, 5);
      const nodes = [shown(bytes), shown(bytes), node(null, "raw", { data: bytes })];
      const { nodes: apart, blobs } = await splitBlobs(nodes);
      equal(blobs.length, 1, "blobs");
      ok(JSON.stringify(apart).length < 2_000, "what is left is small");
      await store.commit("a", "main", 0, change(apart, { blobs }));
      // Given again, it is not kept twice and is no error.
      await store.commit("a", "main", 1, change((await splitBlobs([shown(bytes)])).nodes, { blobs }));
      await store.commit("b", "main", 0, change((await splitBlobs([shown(bytes)])).nodes));
      const kept = await (await place.open()).blob!(blobs[0]!.hash);
      ok(kept instanceof Uint8Array, "bytes are a Uint8Array");
      equal(kept, bytes);
      for (const hash of ["", "../a", "0".repeat(64), "0".repeat(63), "__proto__"]) equal(await store.blob!(hash), undefined);
    },
  },
  {
    name: "what is given out, or was given in, is nobody else's",
    needs: "blobs",
    async run(place) {
      const store = await place.open();
      const { nodes, blobs } = await splitBlobs([shown(picture(9_000, 6))]);
      const { hash, bytes } = blobs[0]!;
      const wanted = bytes.slice();
      const committing = store.commit("a", "main", 0, change(nodes, { blobs }));
      bytes.fill(0);
      await committing;
      const kept = (await store.blob!(hash))!;
      equal(kept, wanted);
      kept.fill(1);
      equal(await store.blob!(hash), wanted);
    },
  },
  {
    name: "bytes go with the last conversation that uses them",
    needs: "blobs",
    async run(place) {
      const store = await place.open();
      const [one, two, three] = [picture(9_000, 7), picture(9_000, 8), picture(9_000, 9)];
      const [a, b] = [await commit(store, "a", 0, [shown(one), shown(two)]), await commit(store, "b", 0, [shown(two), shown(three)])];
      await store.commit("b", "helper", 0, change((await splitBlobs([shown(three)])).nodes));
      equal([a.length, b.length, a[1]], [2, 2, b[0]]);
      const kept = async (): Promise<boolean[]> => Promise.all([a[0], a[1], b[1]].map(async (hash) => (await store.blob!(hash!)) !== undefined));
      equal(await kept(), [true, true, true]);
      await store.remove("a");
      equal(await kept(), [false, true, true]);
      await store.remove("b", "main");
      equal(await kept(), [false, false, true]);
      await store.remove("b");
      equal(await kept(), [false, false, false]);
      // And can be given anew.
      await commit(store, "c", 0, [shown(one)]);
      equal(await kept(), [true, false, false]);
    },
  },
  {
    name: "a reference to bytes that nobody gave is refused; one to bytes that are stored is not",
    needs: "blobs",
    async run(place) {
      const store = await place.open();
      const { nodes, blobs } = await splitBlobs([shown(picture(9_000, 10))]);
      await rejects(store.commit("a", "main", 0, change(nodes)), "option");
      equal(await store.load("a", "main"), undefined);
      await store.commit("a", "main", 0, change(nodes, { blobs }));
      const stored = (await store.load("a", "main"))!;
      const again = (await splitBlobs([shown(picture(9_000, 10), stored.tip)])).nodes;
      await store.commit("a", "main", 1, after(stored, again));
      equal((await incoming(store, (await store.load("a", "main"))!)).nodes.length, 2);
    },
  },
  {
    name: "a commit that fails leaves no bytes behind that would be taken for someone's",
    needs: "blobs",
    async run(place) {
      const store = await place.open();
      await store.commit("a", "main", 0, change(chain(null, "one")));
      const { nodes, blobs } = await splitBlobs([shown(picture(9_000, 11))]);
      await rejects(store.commit("a", "main", 7, change(nodes, { blobs })), "conflict");
      await store.commit("b", "main", 0, change(chain(null, "other")));
      await store.remove("b");
      equal(await store.blob!(blobs[0]!.hash), undefined);
    },
  },
];
