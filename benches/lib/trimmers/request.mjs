// What trimmers, and those who judge them, need to know of a request in either format.
import { isDeepStrictEqual } from "node:util";

export const isInstruction = ({ role }) => role === "system" || role === "developer";

export const blocksOf = ({ content }) => (Array.isArray(content) ? content : []);

export const isResult = (message) => message.role === "tool" || blocksOf(message).some((block) => block.type === "tool_result");

/** The request with other messages. */
export const withMessages = (request, messages) => (Array.isArray(request) ? messages : { ...request, messages });

/** Whether a list of messages begins with another. */
export const startsWith = (list, start) => start.every((message, i) => message === list[i] || isDeepStrictEqual(message, list[i]));
