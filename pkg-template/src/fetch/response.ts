/** Errors as a provider would word them. */
import { type ErrorCode, PalimpsestError } from "../errors.js";
import type { Format } from "../types.js";
import { wireOf } from "./wires/index.js";
import { TOO_LONG } from "./wires/wire.js";

/** Faults of the request, for which the one who asks can do something. Others are the server's. */
const ASKED: readonly ErrorCode[] = ["option", "unsupported-format", "invalid-history", "unknown-model", "cannot-fit", "unrenderable", "open-turn", "unknown-node", "unknown-checkpoint"];

/**
 * An error of this package as a response in the provider's shape, for proxies: a 400 where the request is at fault, else a 500. The header
 * `x-should-retry: false` tells the SDKs of OpenAI and Anthropic that asking again is of no use. A request that cannot be made to fit is
 * refused as those providers refuse it, so that whoever looks for an overflow finds it. Of an error of anyone else no word is told.
 */
export function toResponse(error: unknown, format: Format): Response {
  if (!(error instanceof PalimpsestError)) return answer("The request could not be prepared.", "internal", 500, format);
  const status = ASKED.includes(error.code) ? 400 : 500;
  return error.code === "cannot-fit" ? tooLong(error.message, format) : answer(error.message, error.code, status, format);
}

/** The 400 for what is too large, whatever is said of it. */
export function tooLong(words: string, format: Format): Response {
  return answer(words, TOO_LONG, 400, format);
}

function answer(message: string, code: string, status: number, format: Format): Response {
  const body = wireOf(format)?.refusal(message, code, status) ?? other(message, code, status, format);
  const headers = { "content-type": "application/json", "x-should-retry": "false" };
  return new Response(JSON.stringify(body), { status, headers });
}

/** Formats that are named, but not recognised by the wrapper. */
function other(message: string, code: string, status: number, format: Format): object {
  if (format === "gemini") return { error: { code: status, message, status: status < 500 ? "INVALID_ARGUMENT" : "INTERNAL" } };
  return { error: { message, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code } };
}
