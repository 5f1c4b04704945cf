/** `turns.mjs directory id who turns`: goes on with a conversation on a branch of its own, and prints each turn that was committed. */
import { writeSync } from "node:fs";
import { Conversation } from "../../../../pkg/entry/node.js";
import { fileStore } from "../../../../pkg/stores/files.js";
import { takeTurns } from "../turns.mjs";

const [directory, id, who, turns] = process.argv.slice(2);
const talk = await Conversation.open({ store: fileStore(directory), id, format: "openai-chat", model: { id: "mine", window: 4_000 } });
// At once: what a killed process had not printed yet would be lost.
await takeTurns(talk, who, Number(turns), (turn) => writeSync(1, `${turn}\n`));
