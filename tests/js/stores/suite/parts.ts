/** The newest part of a path. */
import type { Stored } from "../../../../pkg/stores/store.js";
import type { Case } from "../suite.js";
import { equal, rejects } from "../support/assert.js";
import { chain, change } from "../support/talk.js";

export const partCases: Case[] = [
  {
    name: "the newest part of a path, also across branches, page after page",
    needs: "parts",
    async run(place) {
      const store = await place.open();
      const trunk = chain(null, ...Array.from({ length: 300 }, (_, index) => `trunk ${index}`));
      await store.commit("a", "main", 0, change(trunk));
      const aside = chain(trunk[100]!.id, ...Array.from({ length: 200 }, (_, index) => `aside ${index}`));
      await store.commit("a", "main", 1, change(aside));
      const branch = chain(trunk[250]!.id, ...Array.from({ length: 7 }, (_, index) => `branch ${index}`));
      await store.commit("a", "main", 2, change(branch, { meta: { title: "kept" } }));
      const path = [...trunk.slice(0, 251), ...branch].map(({ id }) => id);

      for (const count of [1, 7, 8, 130, 257, 258, 10_000]) {
        const part = (await store.load("a", "main", { path: count }))!;
        equal(part.nodes.map(({ id }) => id), path.slice(-count), `the newest ${count}`);
        equal([part.tip, part.revision, part.meta], [path.at(-1), 3, { title: "kept" }]);
      }
      const pages: string[] = [];
      for (let to: string | null = path.at(-1)!; to !== null; ) {
        const { nodes }: Stored = (await store.load("a", "main", { path: 50, to }))!;
        pages.unshift(...nodes.map(({ id }) => id));
        to = nodes[0]!.parent;
      }
      equal(pages, path);
      const other = (await store.load("a", "main", { path: 3, to: aside[1]!.id }))!;
      equal(other.nodes.map(({ message }) => message.content), ["trunk 100", "aside 0", "aside 1"]);
    },
  },
  {
    name: "a part of nothing, and parts that are none",
    needs: "parts",
    async run(place) {
      const store = await place.open();
      equal(await store.load("a", "main", { path: 5 }), undefined);
      await store.commit("a", "main", 0, change(chain(null, "one"), { tip: null }));
      equal((await store.load("a", "main", { path: 5 }))?.nodes, []);
      await rejects(store.load("a", "main", { path: 5, to: "nowhere" }), "unknown-node");
      for (const path of [0, -1, 1.5, NaN]) await rejects(store.load("a", "main", { path }), "option");
    },
  },
];
