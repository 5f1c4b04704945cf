/** Changes that make no sense: refused, with nothing written. */
import type { Change, Node } from "../../../../pkg/stores/store.js";
import type { Case } from "../suite.js";
import { equal, rejects } from "../support/assert.js";
import { chain, change, node } from "../support/talk.js";

const deep = (depth: number): unknown => {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = [value];
  return value;
};

const circular: Record<string, unknown> = {};
circular.self = circular;

export const hostileCases: Case[] = [
  {
    name: "a change that is not of the shape of the contract is refused, and nothing is written",
    needs: "checks",
    async run(place) {
      const store = await place.open();
      const good = chain(null, "kept", "kept too");
      await store.commit("a", "main", 0, change(good));
      const before = await store.load("a", "main");
      const next = (): Node => node(good[0]!.id, "next");
      const wrong: [string, unknown][] = [
        ["null", null],
        ["a text", "change"],
        ["no nodes", { ...change([]), nodes: undefined }],
        ["nodes that are none", { ...change([]), nodes: [null, 1, "x"] }],
        ["no id", change([{ ...next(), id: "" }])],
        ["an id that is a number", change([{ ...next(), id: 7 as never }])],
        ["a parent that is a number", change([{ ...next(), parent: 7 as never }])],
        ["no time", change([{ ...next(), at: "now" as never }])],
        ["a message that is a text", change([{ ...next(), message: "hello" }])],
        ["a message that is a list", change([{ ...next(), message: [] }])],
        ["a bigint", change([node(null, "x", { big: 1n })])],
        ["bytes that were not set apart", change([node(null, "x", { bytes: new Uint8Array(3) })])],
        ["no end of nesting", change([node(null, "x", { deep: deep(5_000) })])],
        ["a circle", change([node(null, "x", circular)])],
        ["a tip that is a number", change([next()], { tip: 1 as never })],
        ["no format", change([next()], { format: undefined as never })],
        ["no meta", change([next()], { meta: null as never })],
        ["notes that are no texts", change([next()], { notes: { a: 1 as never } })],
        ["records that are no list", change([next()], { records: {} as never })],
        ["a record without an id", change([next()], { records: [{} as never] })],
        ["checkpoints without labels", change([next()], { checkpoints: [{ at: "x" } as never] })],
        ["bytes without a hash", change([next()], { blobs: [{ hash: "abc", bytes: new Uint8Array(1) }] })],
        ["a hash without bytes", change([next()], { blobs: [{ hash: "0".repeat(64), bytes: "text" as never }] })],
        ["one id twice in it", change([next(), { ...next(), id: "twice" }, { ...next(), id: "twice" }])],
        ["a node that is stored already, behind one that is not", change([next(), good[1]!])],
      ];
      for (const [what, given] of wrong) {
        await rejects(store.commit("a", "main", 1, given as Change), "option").catch((error) => {
          throw new Error(`${what}: ${error.message}`);
        });
      }
      for (const base of [-1, 0.5, NaN, "1", undefined]) await rejects(store.commit("a", "main", base as number, change([next()])), "option");
      await rejects(store.commit(7 as never, "main", 0, change([])), "option");
      await rejects(store.load("a", undefined as never), "option");
      equal(await store.load("a", "main"), before);
      equal(await store.commit("a", "main", 1, change([next()])), 2, "and goes on");
    },
  },
  {
    name: "a node must follow one that is there, and the tip stand at one",
    needs: "checks",
    async run(place) {
      const store = await place.open();
      const [a, b] = chain(null, "one", "two") as [Node, Node];
      await rejects(store.commit("a", "main", 0, change([b])), "unknown-node");
      await rejects(store.commit("a", "main", 0, change([b, a])), "unknown-node");
      await rejects(store.commit("a", "main", 0, change([{ ...a, parent: b.id }, b])), "unknown-node");
      await rejects(store.commit("a", "main", 0, change([{ ...a, parent: a.id }])), "unknown-node");
      await rejects(store.commit("a", "main", 0, change([a], { tip: "nowhere" })), "unknown-node");
      equal([await store.load("a", "main"), await store.list()], [undefined, []]);
      // Another agent's node is nowhere.
      await store.commit("a", "helper", 0, change([a]));
      await rejects(store.commit("a", "main", 0, change([b])), "unknown-node");
      await store.commit("a", "helper", 1, change([b]));
      equal((await store.load("a", "helper"))?.nodes, [a, b]);
    },
  },
];
