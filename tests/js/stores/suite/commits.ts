/** Commits: what goes in comes out, once, whole, in order, and only on the revision it was made from. */
import type { Head } from "../../../../pkg/stores/store.js";
import type { Case } from "../suite.js";
import { equal, ok, rejects } from "../support/assert.js";
import { after, chain, change, commitUnited, faultsOf, node } from "../support/talk.js";

const head: Head = {
  tip: null,
  records: [{ id: "r1", rung: "elide", from: "a", to: "b", items: ["ref"], before: 900, after: 20, model: "gpt-5", at: 1_700_000_000_001 }],
  checkpoints: [{ label: "before the storm", at: "a" }],
  format: "anthropic",
  meta: { title: "A talk", pinned: true, nested: { list: [1, null, "x"] } },
  notes: { "/memories/NOTES.md": "# Notes\n" },
  calibration: { factor: 1.125, samples: 3, model: "gpt-5", version: 1 },
};

/** Words that tell encodings apart. */
const WORDS = ["", "plain", "字 é \u{1f600}", "NUL \u0000 tab \t", "lone \ud800 half \udc00", "\u2028 \u2029 \ufeff", "'; DROP TABLE nodes; --", '"]}\n],"check":"'];

export const commitCases: Case[] = [
  {
    name: "where nothing is stored nothing is found, and removing it is no error",
    async run(place) {
      const store = await place.open();
      equal(await store.load("a", "main"), undefined);
      equal(await store.list(), []);
      await store.remove("a");
      await store.remove("a", "main");
      equal(await store.load("a", "main"), undefined);
    },
  },
  {
    name: "what was committed is loaded, by this store and by another on the same place",
    async run(place) {
      const store = await place.open();
      const nodes = chain(null, ...WORDS);
      nodes[2]!.meta = { read: true, by: ["me"] };
      equal(await store.commit("talk", "main", 0, { ...head, tip: nodes.at(-1)!.id, nodes }), 1, "revision");
      const wanted = { ...head, tip: nodes.at(-1)!.id, nodes, revision: 1, version: 1 };
      equal(await store.load("talk", "main"), wanted, "what this store loads");
      equal(await (await place.open()).load("talk", "main"), wanted, "what another loads");
    },
  },
  {
    name: "messages come back with every field, whatever it is called and however it is nested",
    async run(place) {
      const store = await place.open();
      const message = JSON.parse(
        '{"role":"assistant","__proto__":{"x":1},"constructor":"c","":"empty","0":[],"content":[{"type":"text","text":"t","cache_control":{"type":"ephemeral"}}],"numbers":[0,-1.5,1e21,1e-7,9007199254740993],"no":null,"yes":true}',
      );
      let deep: unknown = "bottom";
      for (let depth = 0; depth < 500; depth++) deep = depth % 2 ? [deep] : { deep };
      const nodes = [node(null, "fields", message), node(null, "deep", { deep })];
      await store.commit("a", "main", 0, change(nodes));
      const stored = await store.load("a", "main");
      equal(stored?.nodes, nodes);
      ok(Object.hasOwn(stored!.nodes[0]!.message, "__proto__"), "__proto__ is a field like any other");
    },
  },
  {
    name: "what JSON leaves out is left out, what it writes otherwise comes back so",
    async run(place) {
      const store = await place.open();
      const odd = { gone: undefined, call: () => 1, list: [undefined, NaN, -0], when: new Date(0), where: new URL("https://example.org/x") };
      await store.commit("a", "main", 0, change([node(null, "odd", odd)]));
      const { role: _, content: __, ...rest } = (await store.load("a", "main"))!.nodes[0]!.message;
      equal(rest, { list: [null, null, 0], when: "1970-01-01T00:00:00.000Z", where: "https://example.org/x" });
    },
  },
  {
    name: "nodes only get added, in order, over many commits; of the head the last commit stands",
    async run(place) {
      const store = await place.open();
      const all = chain(null, "one");
      await store.commit("a", "main", 0, change([...all], { ...head, tip: all[0]!.id }));
      for (let turn = 1; turn <= 20; turn++) {
        // Every fifth is a branch from the beginning, every seventh moves the tip only.
        const parent = turn % 5 === 0 ? all[0]!.id : all.at(-1)!.id;
        const nodes = turn % 7 === 0 ? [] : chain(parent, `question ${turn}`, `answer ${turn}`);
        all.push(...nodes);
        const tip = turn % 7 === 0 ? all[0]!.id : all.at(-1)!.id;
        equal(await store.commit("a", "main", turn, change(nodes, { tip, meta: { turn } })), turn + 1, "revision");
      }
      equal(await store.load("a", "main"), { ...change(all), tip: all.at(-1)!.id, meta: { turn: 20 }, revision: 21, version: 1 });
    },
  },
  {
    name: "a commit of nothing but a head",
    async run(place) {
      const store = await place.open();
      equal(await store.commit("a", "main", 0, change([])), 1);
      equal(await store.commit("a", "main", 1, change([], { meta: { title: "named" } })), 2);
      equal(await store.load("a", "main"), { ...change([], { meta: { title: "named" } }), revision: 2, version: 1 });
    },
  },
  {
    name: "a base that is not the stored revision is a conflict, and changes nothing",
    async run(place) {
      const store = await place.open();
      await rejects(store.commit("a", "main", 1, change(chain(null, "x"))), "conflict");
      equal(await store.load("a", "main"), undefined);
      const first = chain(null, "one", "two");
      await store.commit("a", "main", 0, change(first));
      await store.commit("a", "main", 1, change([], { tip: first[1]!.id, meta: { title: "kept" } }));
      const before = await store.load("a", "main");
      for (const base of [0, 1, 3, 1e9]) {
        const error = await rejects(store.commit("a", "main", base, change(chain(first[1]!.id, "lost"), { meta: { title: "lost" } })), "conflict");
        equal([error.name, error instanceof Error], ["ConflictError", true]);
      }
      equal(await store.load("a", "main"), before);
      equal((await store.list()).map(({ messages }) => messages), [2]);
    },
  },
  {
    name: "of many commits on one revision exactly one is made",
    async run(place) {
      const stores = await Promise.all([place.open(), place.open(), place.open()]);
      const root = chain(null, "root");
      await stores[0]!.commit("a", "main", 0, change(root));
      const tries = Array.from({ length: 12 }, (_, index) => chain(root[0]!.id, `from ${index}`));
      const results = await Promise.allSettled(tries.map((nodes, index) => stores[index % 3]!.commit("a", "main", 1, change(nodes))));
      const made = results.flatMap((result, index) => (result.status === "fulfilled" ? [index] : []));
      equal(made.length, 1, "commits that were made");
      ok(results.every((result) => result.status === "fulfilled" || result.reason.code === "conflict"), "the others are conflicts");
      equal((await stores[0]!.load("a", "main"))?.nodes, [...root, ...tries[made[0]!]!]);
    },
  },
  {
    name: "writers who unite and commit again lose nothing of one another",
    async run(place) {
      const writers = await Promise.all([place.open(), place.open(), place.open(), place.open()]);
      const words = new Set<string>();
      await Promise.all(
        writers.map(async (store, writer) => {
          for (let turn = 0; turn < 8; turn++) {
            const nodes = chain(null, `${writer} asks ${turn}`, `${writer} is answered ${turn}`);
            for (const { message } of nodes) words.add(message.content);
            await commitUnited(store, "a", "main", nodes);
          }
        }),
      );
      const stored = (await writers[0]!.load("a", "main"))!;
      equal(new Set(stored.nodes.map(({ message }) => message.content)).size, words.size, "messages");
      equal([stored.revision, faultsOf(stored.nodes)], [32, []]);
    },
  },
  {
    name: "conversations and agents are apart, whatever they are called",
    async run(place) {
      const store = await place.open();
      const long = "x".repeat(1_000);
      const names = ["a", "A", "", " ", ".", "..", "../a", "a/b", "a\\b", "a:b", "con", "NUL.json", "%2e", "\u0000", "é", "e\u0301", "字", "\u{1f600}", "\ud800", "\ud801", "__proto__", "a_b", '["a"]', long, `${long}y`];
      const pairs = names.flatMap((id) => [[id, "main"], [id, "other"], ["fixed", id]] as const);
      for (const [id, agent] of pairs) equal(await store.commit(id, agent, 0, change(chain(null, `${id}|${agent}`))), 1, `first of ${JSON.stringify([id, agent]).slice(0, 50)}`);
      const again = await place.open();
      for (const [id, agent] of pairs) equal((await again.load(id, agent))?.nodes.map(({ message }) => message.content), [`${id}|${agent}`]);
      const listed = (await again.list()).map(({ id, agent }) => JSON.stringify([id, agent]));
      equal(listed.sort(), pairs.map((pair) => JSON.stringify(pair)).sort());
    },
  },
  {
    name: "nobody's later change shows: neither of what went in nor of what came out",
    async run(place) {
      const store = await place.open();
      const given = change(chain(null, "word"), { meta: { tags: ["a"] } });
      const before = JSON.parse(JSON.stringify(given));
      const committing = store.commit("a", "main", 0, given);
      given.nodes[0]!.message.content = "changed";
      given.nodes.push(node(null, "slipped in"));
      (given.meta as any).tags.push("b");
      await committing;
      const wanted = { ...before, revision: 1, version: 1 };
      const loaded = (await store.load("a", "main"))!;
      equal(loaded, wanted);
      loaded.nodes[0]!.message.content = "changed";
      loaded.nodes.length = 0;
      (loaded.meta as any).tags.push("c");
      equal(await store.load("a", "main"), wanted);
      (await store.list())[0]!.meta.title = "changed";
      equal((await store.list())[0]!.meta, before.meta);
    },
  },
  {
    name: "a long conversation, and messages and heads of several megabytes",
    async run(place) {
      const store = await place.open();
      const nodes = chain(null, ...Array.from({ length: 3_000 }, (_, index) => `message ${index}`));
      await store.commit("long", "main", 0, change(nodes));
      equal((await store.load("long", "main"))?.nodes.length, 3_000);
      const large = ["x".repeat(5_000_000), "\u{1f600}".repeat(600_000), `${"字".repeat(333_332)}\u{1f600}${"字".repeat(700_000)}`];
      const big = change(chain(null, ...large), { notes: { "/memories/all": "note ".repeat(500_000) } });
      await store.commit("large", "main", 0, big);
      const stored = (await (await place.open()).load("large", "main"))!;
      ok(stored.nodes.every(({ message }, index) => message.content === large[index]), "the words are the same");
      equal(stored.notes["/memories/all"]?.length, 2_500_000);
      await store.commit("large", "main", 1, after(stored, chain(stored.tip, "small")));
      equal((await store.load("large", "main"))?.nodes.length, 4);
    },
  },
  {
    name: "those who subscribed hear of commits and removals, after they were made, until they end it",
    needs: "subscribe",
    async run(place) {
      const [here, there] = [await place.open(), await place.open()];
      const heard: unknown[] = [];
      const seen: unknown[] = [];
      const end = here.subscribe!((id, agent, revision) => {
        heard.push([id, agent, revision]);
        void here.load(id, agent).then((stored) => seen.push(stored?.revision ?? 0));
      });
      const until = async (count: number): Promise<void> => {
        for (let wait = 0; wait < 300 && seen.length < count; wait++) await new Promise((resolve) => setTimeout(resolve, 10));
      };
      const nodes = chain(null, "one");
      await there.commit("a", "main", 0, change(nodes));
      await until(1);
      await here.commit("a", "main", 1, change(chain(nodes[0]!.id, "two")));
      await until(2);
      await there.remove("a");
      await until(3);
      equal(heard, [["a", "main", 1], ["a", "main", 2], ["a", "main", 0]]);
      equal(seen, [1, 2, 0]);
      end();
      await there.commit("b", "main", 0, change(chain(null, "unheard")));
      await new Promise((resolve) => setTimeout(resolve, 60));
      equal(heard.length, 3);
    },
  },
];
