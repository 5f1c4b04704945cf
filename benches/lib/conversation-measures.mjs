// Times what `operations` does, wherever that is. Of two sizes in turn the shortest and the median count.

/** Tokens that no conversation here comes near, and a window that compacts. */
const WIDE = 100_000_000;
const NARROW = 128_000;

const ids = { small: "small", middle: "middle", tenth: "tenth", large: "large" };

/** `sizes`: messages of each conversation. `ops`: `operations`, here or elsewhere. */
export async function measures(ops, sizes) {
  for (const [id, count] of Object.entries(sizes)) await ops.fill({ id, count });

  for (let i = 0; i < 4; i++) {
    await ops.raw({ id: ids.middle });
    await ops.open({ id: ids.middle });
    await ops.close({ id: ids.middle });
  }
  const opened = {};
  for (const id of [ids.tenth, ids.large]) {
    opened[id] = await pair(3, () => ops.raw({ id }), () => ops.open({ id }), () => ops.close({ id }));
  }

  for (const id of [ids.small, ids.middle, ids.large]) await ops.open({ id });
  const turns = await both("turns", 24, 5, ids.small, {});
  const branches = await both("branches", 12, 400, ids.small, {});
  const wide = await requests(WIDE);
  const narrow = await requests(NARROW);
  return { sizes, opened, turns, branches, wide, narrow };

  async function requests(window) {
    const first = { small: await time(() => ops.requests({ id: ids.middle, times: 1, window })), large: await time(() => ops.requests({ id: ids.large, times: 1, window })) };
    return { first, ...(await both("requests", 12, 5, ids.middle, { window })) };
  }

  async function both(op, rounds, times, small, given) {
    const taken = { small: [], large: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const [size, id] of [["small", small], ["large", ids.large]]) {
        const took = (await time(() => ops[op]({ id, times, ...given }))) / times;
        if (round > 0) taken[size].push(took); // the first of each warms up
      }
    }
    return { small: figures(taken.small), large: figures(taken.large) };
  }
}

async function pair(rounds, floor, ours, after) {
  const least = { floor: Infinity, ours: Infinity };
  for (let round = 0; round < rounds; round++) {
    least.floor = Math.min(least.floor, await time(floor));
    least.ours = Math.min(least.ours, await time(ours));
    await after();
  }
  return { ...least, ratio: least.ours / least.floor };
}

function figures(list) {
  const sorted = list.sort((a, b) => a - b);
  return { best: sorted[0], median: sorted[Math.floor(sorted.length / 2)], worst: sorted.at(-1) };
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
