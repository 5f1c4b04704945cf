/** The line that says whether the page will have the session again at the next visit. */
import { byId } from "./dom.js";

const line = byId("keeping");
const words = line.querySelector("span")!;
const button = byId("forget");
let newest = 0;

/** Waits for it to be kept. What the store says is a line, and the page goes on without. */
export async function keeping(work: Promise<unknown>): Promise<void> {
  const mine = ++newest;
  say("Keeping it for your next visit.", false);
  try {
    await work;
    if (mine === newest) say("Kept in this browser for your next visit.", true);
  } catch (error) {
    if (mine === newest) notKept(error);
  }
}

/** What cannot be read, or was kept before, can be forgotten still; where nothing can be opened there is nothing to forget. */
export function notKept(error: unknown): void {
  const { message, code } = error as Error & { code?: string };
  say(`Not kept for your next visit. ${message}`, code !== "load-failed");
}

export function forgotten(): void {
  newest++;
  line.hidden = true;
}

function say(text: string, forgettable: boolean): void {
  words.textContent = text;
  button.hidden = !forgettable;
  line.hidden = false;
}
