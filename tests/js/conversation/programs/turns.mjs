/** `turns.mjs directory id who turns [other]`: goes on with a conversation on a branch of its own after its first message, if there is one, and prints each
 *  turn that was committed. With `other`, another writer, it stays until it has heard of all that one writes, and prints what it heard. */
import { writeSync } from "node:fs";
import { Conversation } from "../../../../pkg/entry/node.js";
import { fileStore } from "../../../../pkg/stores/files.js";
import { hearing, heardAll, takeTurns } from "../turns.mjs";

const [directory, id, who, turns, other] = process.argv.slice(2);
const talk = await Conversation.open({ store: fileStore(directory), id, format: "openai-chat", model: { id: "mine", window: 4_000 } });
const from = other === undefined ? null : talk.children(null)[0];
const heard = other === undefined ? undefined : hearing(talk, other, from);
// At once: what a killed process had not printed yet would be lost.
await takeTurns(talk, who, Number(turns), (turn) => writeSync(1, `${turn}\n`), from);
if (heard) {
  await heardAll(heard, Number(turns));
  writeSync(1, `${JSON.stringify({ ...heard, tip: talk.tip, path: talk.messages().length })}\n`);
  await talk.close();
}
