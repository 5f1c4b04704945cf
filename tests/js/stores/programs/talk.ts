/** `talk.mjs directory id`: goes on with a conversation, and prints each turn that was made. */
import { writeSync } from "node:fs";
import { fileStore } from "../../../../pkg/stores/files.js";
import { talkOn, TURNS } from "../support/turns.js";

const [directory = "", id = ""] = process.argv.slice(2);
// At once: what a killed process had not printed yet would be lost.
await talkOn(fileStore(directory), id, TURNS, (turn) => void writeSync(1, `${turn}\n`));
