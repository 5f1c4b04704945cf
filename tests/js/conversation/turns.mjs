/** Turns of an agent that can be told from what is stored: what the tests of crashes write, in Node and in pages. */

const question = (who, turn) => `${who} asks ${turn} ${"?".repeat((turn * 37) % 300)}`;
const output = (who, turn) => `${who} finds ${turn} ${"words ".repeat((turn * 91) % 200)}`;

/** A turn: what is asked, looked up, found and answered. */
export function turnOf(who, turn) {
  const id = `${who}-${turn}`;
  return [
    { role: "user", content: question(who, turn) },
    { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name: "look", arguments: "{}" } }] },
    { role: "tool", tool_call_id: id, content: output(who, turn) },
    { role: "assistant", content: `${who} hears ${turn}` },
  ];
}

/** Goes on where this writer's turns end, up to `turns`: the question is committed before it is sent, the rest after the answer. `from`: what the first follows. */
export async function takeTurns(talk, who, turns, done, from = null) {
  let turn = 0;
  let last = null;
  for (const { id, message } of allOf(talk)) {
    const mine = turnOf(who, turn).findIndex((each) => each.content === message.content && JSON.stringify(each) === JSON.stringify(message));
    if (mine < 0) continue;
    last = { id, at: mine };
    if (mine === 3) turn++;
  }
  talk.branch(last?.id ?? from);
  for (; turn < turns; turn++) {
    const [asked, ...rest] = turnOf(who, turn);
    if (last?.at !== 0) talk.append(asked);
    last = null;
    await talk.commit();
    await talk.request({ onUnfit: "return" });
    for (const message of rest) talk.append(message);
    await talk.commit();
    await done(turn + 1);
  }
}

/** All nodes, on all branches, in order. */
export function allOf(talk) {
  return talk.tree().map(({ id }) => talk.get(id));
}

/** How many turns of a writer are whole, and what is wrong with what is there. */
export function turnsIn(talk, who) {
  const mine = allOf(talk).filter(({ message }) => JSON.stringify(message).includes(`${who}`));
  const faults = [];
  mine.forEach(({ message }, index) => {
    const wanted = turnOf(who, Math.floor(index / 4))[index % 4];
    if (JSON.stringify(message) !== JSON.stringify(wanted)) faults.push(`message ${index} of ${who} reads otherwise: ${JSON.stringify(message).slice(0, 100)}`);
  });
  mine.slice(1).forEach(({ parent }, index) => parent === mine[index].id || faults.push(`message ${index + 1} of ${who} follows another`));
  // A question may stand alone, since it is committed before it is sent.
  if (mine.length % 4 > 1) faults.push(`${who} has ${mine.length} messages: a turn is torn`);
  return { turn: Math.floor(mine.length / 4), faults };
}

/** The same, and whether a lone writer's conversation stands where it was written last, and can be sent as it is. */
export async function foundIn(talk, who, check) {
  const { turn, faults } = turnsIn(talk, who);
  const last = allOf(talk).at(-1);
  if (talk.tip !== (last?.id ?? null)) faults.push("the tip is elsewhere");
  if (talk.openCalls().length > 0) faults.push("a call is open");
  if (!last) return { turn, faults };
  const { body, report } = await talk.request({ onUnfit: "return" });
  for (const { rule } of await check(body, { format: talk.format })) faults.push(`what is sent breaks ${rule}`);
  if (!report.fits) faults.push("what is sent does not fit");
  if (body.messages.at(-1) !== last.message) faults.push("what is sent does not end with the newest message");
  return { turn, faults };
}

/** Counts, whenever the conversation tells of a change, how many of a writer's messages are there after `from`, and how often they had become more. */
export function hearing(talk, who, from = null) {
  const heard = { messages: 0, times: 0 };
  let last = from;
  talk.subscribe(() => {
    const before = heard.messages;
    const next = () => talk.children(last).find((id) => JSON.stringify(talk.get(id).message).includes(who));
    for (let id = next(); id !== undefined; id = next()) {
      last = id;
      heard.messages++;
    }
    if (heard.messages > before) heard.times++;
  });
  return heard;
}

/** Waits, writing nothing, until all of the other's turns were heard of. */
export async function heardAll(heard, turns) {
  for (let tries = 0; heard.messages < 4 * turns; tries++) {
    if (tries > 1_500) throw new Error(`heard of ${heard.messages} messages of ${4 * turns}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
