/** What goes wrong on demand. */
import type { Refusal } from "./refusal.js";
import type { Room } from "./words.js";

export type Fault =
  /** 429. `words`: those of a provider whose throttling speaks of tokens. */
  | { kind: "throttle"; words?: "plain" | "tokens" | "bedrock" }
  /** 529 at Anthropic, 503 elsewhere. */
  | { kind: "overloaded" }
  /** The request is taken, and the first event of the stream is an overflow. Answers that do not stream are refused as usual. */
  | { kind: "streamed-overflow" }
  /** The same with an error that is none. */
  | { kind: "streamed-error" }
  /** The first byte comes so many milliseconds late. */
  | { kind: "slow"; ms: number }
  /** The connection ends after so many events, or half-way through an answer that does not stream. */
  | { kind: "cut"; events: number }
  /** 200, no words, the window full. */
  | { kind: "no-room" };

const LIMIT = { "retry-after": "0" };

/** The refusal of a fault that is one. */
export function faultRefusal(format: "openai-chat" | "anthropic", fault: Fault | undefined, { input }: Pick<Room, "input">): Refusal | undefined {
  if (fault?.kind === "overloaded") {
    const status = format === "anthropic" ? 529 : 503;
    const type = format === "anthropic" ? "overloaded_error" : "server_error";
    return { kind: "fault", rule: "overloaded", status, type, message: "Overloaded" };
  }
  if (fault?.kind !== "throttle") return undefined;
  const refusal = { kind: "fault", rule: "throttle", status: 429, headers: LIMIT, type: "rate_limit_error", code: "rate_limit_exceeded" } as const;
  switch (fault.words) {
    case "tokens":
      // It names tokens, a limit and the request's size, and is no overflow.
      return {
        ...refusal,
        type: format === "anthropic" ? refusal.type : "tokens",
        message:
          format === "anthropic"
            ? "This request would exceed your organization's rate limit of 30,000 input tokens per minute."
            : `Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested ${input}. The input or output tokens must be reduced in order to run successfully.`,
      };
    case "bedrock":
      return { ...refusal, type: "ThrottlingException", message: "ThrottlingException: Too many tokens, please wait before trying again." };
    default:
      return { ...refusal, message: "Rate limit reached for requests" };
  }
}
