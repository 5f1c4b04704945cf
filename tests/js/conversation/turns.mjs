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

/** Goes on where this writer's turns end, up to `turns`: the question is committed before it is sent, the rest after the answer. */
export async function takeTurns(talk, who, turns, done) {
  let turn = 0;
  let last = null;
  for (const { id, message } of allOf(talk)) {
    const mine = turnOf(who, turn).findIndex((each) => each.content === message.content && JSON.stringify(each) === JSON.stringify(message));
    if (mine < 0) continue;
    last = { id, at: mine };
    if (mine === 3) turn++;
  }
  talk.branch(last?.id ?? null);
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
