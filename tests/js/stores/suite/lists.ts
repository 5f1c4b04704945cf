/** Lists and removals. */
import type { Case } from "../suite.js";
import { equal, ok, rejects } from "../support/assert.js";
import { after, chain, change } from "../support/talk.js";

export const listCases: Case[] = [
  {
    name: "a list is newest first, and says what there is to each",
    async run(place) {
      const store = await place.open();
      const start = Date.now();
      const a = chain(null, "one", "two");
      await store.commit("a", "main", 0, change(a, { meta: { title: "A" } }));
      await store.commit("b", "main", 0, change(chain(null, "three"), { meta: { title: "B", tags: ["x"] } }));
      await store.commit("a", "helper", 0, change([]));
      await store.commit("a", "main", 1, change(chain(a[0]!.id, "four"), { tip: a[1]!.id, meta: { title: "A again" } }));
      const listed = await store.list();
      equal(listed.map(({ id, agent, messages, meta }) => [id, agent, messages, meta]), [
        ["a", "main", 3, { title: "A again" }],
        ["a", "helper", 0, {}],
        ["b", "main", 1, { title: "B", tags: ["x"] }],
      ]);
      equal(listed.map(({ tip }) => tip), [a[1]!.id, null, (await store.load("b", "main"))!.tip]);
      ok(listed.every(({ updatedAt }) => updatedAt >= start && updatedAt < Date.now() + 1_000), "moments are now");
      for (const entry of listed) equal(Object.keys(entry).sort(), ["agent", "id", "messages", "meta", "tip", "updatedAt"]);
    },
  },
  {
    name: "page after page, by `limit` and `before`, shows each conversation once",
    async run(place) {
      const store = await place.open();
      const ids = Array.from({ length: 23 }, (_, index) => `talk ${index}`);
      for (const id of ids) await store.commit(id, "main", 0, change(chain(null, id)));
      const seen: string[] = [];
      for (let before: number | undefined; ; ) {
        const page = await store.list({ limit: 5, ...(before !== undefined && { before }) });
        if (page.length === 0) break;
        equal(page.length, Math.min(5, 23 - seen.length), "page");
        seen.push(...page.map(({ id }) => id));
        before = page.at(-1)!.updatedAt;
      }
      equal(seen, ids.reverse());
      equal((await store.list({ limit: 0 })).length, 0);
      equal((await store.list({ limit: 1_000 })).length, 23);
      equal((await store.list({ before: 0 })).length, 0);
      equal((await store.list({ before: Number.MAX_SAFE_INTEGER })).length, 23);
    },
  },
  {
    name: "limits that are none are refused",
    needs: "checks",
    async run(place) {
      const store = await place.open();
      await rejects(store.list({ limit: -1 }), "option");
      await rejects(store.list({ limit: NaN }), "option");
      await rejects(store.list({ before: NaN }), "option");
    },
  },
  {
    name: "one agent's conversation is removed, or all agents'",
    async run(place) {
      const store = await place.open();
      for (const [id, agent] of [["a", "main"], ["a", "helper"], ["a", ""], ["b", "main"], ["aa", "main"]] as const) {
        await store.commit(id, agent, 0, change(chain(null, `${id}|${agent}`)));
      }
      const left = async (): Promise<string[]> => (await store.list()).map(({ id, agent }) => `${id}|${agent}`).sort();
      await store.remove("a", "helper");
      equal([await left(), await store.load("a", "helper")], [["aa|main", "a|", "a|main", "b|main"].sort(), undefined]);
      await store.remove("a", "nobody");
      equal((await left()).length, 4);
      await store.remove("a");
      equal(await left(), ["aa|main", "b|main"]);
      equal(await (await place.open()).load("a", "main"), undefined);
      equal((await store.load("b", "main"))?.nodes.length, 1);
    },
  },
  {
    name: "a name that was removed is used again, and no revision means two states",
    needs: "removals",
    async run(place) {
      const store = await place.open();
      const first = chain(null, "one");
      await store.commit("a", "main", 0, change(first));
      const old = (await store.load("a", "main"))!;
      await store.remove("a");
      await rejects(store.commit("a", "main", old.revision, after(old, chain(old.tip, "lost"))), "conflict");
      const second = chain(null, "again");
      const revision = await (await place.open()).commit("a", "main", 0, change(second));
      equal(revision > old.revision, true, "the revision is a new one");
      await rejects(store.commit("a", "main", old.revision, after(old, chain(old.tip, "lost"))), "conflict");
      equal((await store.load("a", "main"))?.nodes, second);
    },
  },
];
