// The session that comes with the project: an agent looks for a fault in a small web shop. All of it was written for this purpose.
// `writeSessions(folder)` writes it as the page and `npm start` read it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Desk } from "./desk.mjs";
import { chapterOne } from "./story-one.mjs";
import { chapterTwo } from "./story-two.mjs";
import { Talk } from "./talk.mjs";

const SYSTEM = `You are a careful programmer at work in the repository of Kettle & Leaf, a small web shop for tea. You have its files and a shell.
Look before you change anything. Say what you found in plain words, with the place (file and line). Run the tests after each change.
Amounts are net cents. Nobody may touch the migrations or the production database; a read replica answers to psql.`;

export function story() {
  const picture = (name) => readFileSync(new URL(`shop/views/${name}.png`, import.meta.url));
  const talk = new Talk(new Desk());
  chapterOne(talk, picture);
  chapterTwo(talk, picture);
  return { "shop.json": talk.anthropic("claude-fable-5", SYSTEM), "shop-chat.json": talk.chat("gpt-4o", SYSTEM) };
}

/** Returns the path of the first. */
export function writeSessions(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, body] of Object.entries(story())) writeFileSync(join(folder, name), JSON.stringify(body));
  return join(folder, "shop.json");
}
