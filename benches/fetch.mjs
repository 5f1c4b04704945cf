// What the wrapper costs: `withCompaction(fetch)` beside plain `fetch`, over loopback.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { body } from "./lib/bodies.mjs";
import { median, time } from "./lib/clock.mjs";
import { withCompaction } from "./lib/package.mjs";
import { kb, mb, ms, table, times } from "./lib/table.mjs";

export const title = "The wrapper around fetch, beside plain fetch, over loopback";

/** Bytes of a body, and how often each is sent. */
const SIZES = [
  [1_000_000, 400],
  [20_000, 400],
];
/** How much longer a request may take that the wrapper leaves alone. */
const LIMIT = 1.05;
const NOTE = `Plain and wrapped take turns; of each the median. A request that is left alone is one to another path, or one for which the options say \`false\`.
One below the threshold is read, priced and checked before it goes out as it came: what that takes is beside what a model takes to answer.
First byte: from the call to the first event of a stream.`;

export async function run() {
  const server = fork(fileURLToPath(new URL("lib/fetch-server.mjs", import.meta.url)), { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  try {
    const port = await new Promise((resolve) => server.stdout.once("data", (chunk) => resolve(Number(String(chunk)))));
    const rows = [];
    for (const [size, rounds] of SIZES) rows.push(...(await cases(`http://127.0.0.1:${port}`, size, rounds)));
    return { figures: rows, text: [show(rows), NOTE] };
  } finally {
    server.kill();
  }
}

async function cases(url, size, rounds) {
  const request = body("openai-chat", size, 4000);
  const text = JSON.stringify(request);
  // The window holds it, whatever it is.
  const wrapped = withCompaction(fetch, { model: { id: "gpt-4o", window: 2 ** 30 } });
  const never = withCompaction(fetch, () => false);
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: text };
  const streamed = { ...init, headers: { ...init.headers, "x-stream": "1" } };
  const [chat, other] = [`${url}/v1/chat/completions`, `${url}/v1/embeddings`];
  const whole = (fetch, path) => async () => void (await (await fetch(path, init)).text());
  const kinds = [
    ["left alone: another path", whole(fetch, other), whole(wrapped, other), LIMIT],
    ["left alone: by the options", whole(fetch, chat), whole(never, chat)],
    ["below the threshold", whole(fetch, chat), whole(wrapped, chat)],
  ];
  const rows = [];
  for (const [what, plain, ours, limit] of kinds) rows.push({ what, bytes: text.length, limit, ...(await inTurn(rounds, () => time(plain), () => time(ours))) });
  const streams = [
    ["first byte, left alone", () => firstByte(fetch, other, streamed), () => firstByte(wrapped, other, streamed)],
    ["first byte, below the threshold", () => firstByte(fetch, chat, streamed), () => firstByte(wrapped, chat, streamed)],
  ];
  for (const [what, plain, ours] of streams) rows.push({ what, bytes: text.length, ...(await inTurn(rounds / 4, plain, ours)) });
  return rows;
}

/** Medians of both in milliseconds, and their ratio; the first tenth warms up. */
async function inTurn(rounds, plain, ours) {
  const taken = { plain: [], ours: [] };
  for (let round = 0; round < rounds * 1.1; round++) {
    // Who goes second finds the caches warm: they change places.
    const order = round % 2 ? [["plain", plain], ["ours", ours]] : [["ours", ours], ["plain", plain]];
    for (const [who, call] of order) {
      const millis = await call();
      if (round >= rounds / 10) taken[who].push(millis);
    }
  }
  const [floor, own] = [median(taken.plain), median(taken.ours)];
  return { plain: floor, ours: own, ratio: own / floor };
}

async function firstByte(fetch, path, init) {
  const start = performance.now();
  const reader = (await fetch(path, init)).body.getReader();
  await reader.read();
  const millis = performance.now() - start;
  while (!(await reader.read()).done);
  return millis;
}

function show(rows) {
  const row = ({ what, bytes, plain, ours, ratio, limit }) => [
    `${bytes >= 1e6 ? mb(bytes) : kb(bytes)}, ${what}`, ms(plain), ms(ours), ms(ours - plain), times(ratio), limit && times(limit),
  ];
  return table(["", "plain", "wrapped", "more", "ratio", "at most"], rows.map(row));
}
