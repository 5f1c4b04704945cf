// What people write by hand: the instructions, and as many of the newest messages as fit.
import { isInstruction, withMessages } from "./request.mjs";

export const name = "newest messages that fit";

export async function trim({ request, messages, costs, budget }) {
  let left = budget;
  messages.forEach((message, i) => (left -= isInstruction(message) ? costs[i] : 0));
  let from = messages.length;
  while (from > 0 && (isInstruction(messages[from - 1]) || costs[from - 1] <= left)) {
    from--;
    if (!isInstruction(messages[from])) left -= costs[from];
  }
  return withMessages(request, messages.filter((message, i) => i >= from || isInstruction(message)));
}
