/**
 * Has a conversation through a real client, turn by turn, with a strict provider at the other end, and says what became of each turn.
 * What is under test is the `fetch` in between.
 */
import { isDeepStrictEqual } from "node:util";
import { open, formatOf, type ClientName } from "./clients.js";
import { startProvider, type Entry, type Provider, type ProviderOptions } from "./provider.js";
import { withinOutput, type Script } from "./script.js";

export { CLIENTS, formatOf, type ClientName } from "./clients.js";
export { generate, type Script } from "./script.js";
export { sessions } from "./sessions.js";

export interface Setup {
  client: ClientName;
  /** Tokens. */
  window: number;
  /** The `fetch` of the client. Default: the plain one. */
  fetch?: typeof fetch;
  /** Longest answer that is asked for. Default: an eighth of the window, at most 1024. */
  maxTokens?: number;
  stream?: boolean;
  model?: string;
  /** Of the provider; the answers come from the script. */
  provider?: Omit<ProviderOptions, "window" | "answer">;
  /** Turns that are had at most. */
  turns?: number;
  /** Called after each turn. */
  onTurn?: (turn: Turn, provider: Provider) => void;
}

export interface Turn {
  turn: number;
  /** Messages the client held when it asked. */
  asked: number;
  answered: boolean;
  /** What the client got is not what the provider said. */
  lost: boolean;
  /** Why there was no answer. `unfit`: the fetch under test answered itself, with a 400; `client`: the client would not ask. */
  refused?: { kind: Entry["kind"] | "unfit" | "client"; rule: string; status: number; message: string };
  /** Requests beyond the first, those for a summary not counted. */
  retried: number;
  /** Everything that reached the provider. */
  requests: Entry[];
  ms: number;
}

/** A model of each format that sees, by ids the price lists know. */
export const MODELS = { "openai-chat": "gpt-4o", anthropic: "claude-haiku-4-5" };

/** What to tell the package of the model: the window is the provider's. */
export const modelOf = (client: ClientName, window: number): { id: string; window: number } => ({ id: MODELS[formatOf(client)], window });

export async function converse(whole: Script, setup: Setup): Promise<Turn[]> {
  const { client, window, stream = false, maxTokens = Math.min(1024, window >> 3), model = MODELS[formatOf(client)] } = setup;
  const script = withinOutput(whole, maxTokens);
  const provider = await startProvider({ ...setup.provider, window, answer: ({ turn }) => script.steps[turn!]!.answer });
  try {
    const talk = open(client, { script, url: provider.url, fetch: setup.fetch ?? fetch, model, maxTokens, stream });
    const turns: Turn[] = [];
    for (const [number, { add, answer }] of script.steps.slice(0, setup.turns).entries()) {
      add.forEach((item) => talk.add(item));
      const from = provider.log.length;
      const turn: Turn = { turn: number, asked: talk.size(), answered: true, lost: false, retried: 0, requests: [], ms: 0 };
      const start = performance.now();
      let error: unknown;
      const got = await talk.ask(number).catch((caught: unknown) => void (error = caught));
      turn.ms = performance.now() - start;
      turn.requests = provider.log.slice(from);
      const tries = turn.requests.filter(({ summary }) => !summary);
      turn.retried = Math.max(0, tries.length - 1);
      if (got) {
        const said = tries.at(-1)?.said;
        turn.lost = !said || got.text !== said.text || !isDeepStrictEqual(got.calls, said.calls);
      } else {
        turn.answered = false;
        turn.refused = reasonOf(error, tries.at(-1));
        talk.keep(answer);
      }
      // Bodies are large, and those of a whole conversation are its square.
      setup.onTurn?.(turn, provider);
      for (const request of turn.requests) request.body = undefined;
      turns.push(turn);
    }
    return turns;
  } finally {
    await provider.close();
  }
}

function reasonOf(error: any, last: Entry | undefined): NonNullable<Turn["refused"]> {
  const status = error?.status ?? error?.statusCode ?? 0;
  const message = String(error?.message ?? error);
  if (last && last.kind !== "ok") return { kind: last.kind, rule: last.rule, status: last.status, message: last.message };
  // It was answered, but the answer did not arrive.
  if (last) return { kind: "fault", rule: "not-received", status, message };
  return { kind: status === 400 ? "unfit" : "client", rule: error?.name ?? "", status, message };
}

export interface Sum {
  turns: number;
  answered: number;
  lost: number;
  /** Turns without an answer, by reason. */
  refused: Record<string, number>;
  /** Requests the provider turned away, by reason; a retry may have mended them. */
  refusals: Record<string, number>;
  /** Most retries of one turn. */
  retries: number;
  lastRetry: number;
  summaries: number;
  /** Answered turns that did not begin with the whole request of the turn before. */
  breaks: number;
  /** Tokens the provider billed, and those of them that came from its cache. */
  input: number;
  cached: number;
  ms: number;
}

export function sumOf(turns: Turn[]): Sum {
  const count = (keys: (string | undefined)[]): Record<string, number> => {
    const found: Record<string, number> = {};
    for (const key of keys) if (key !== undefined) found[key] = (found[key] ?? 0) + 1;
    return found;
  };
  const requests = turns.flatMap((turn) => turn.requests);
  const answered = requests.filter(({ kind }) => kind === "ok");
  const total = (list: number[]): number => list.reduce((sum, one) => sum + one, 0);
  return {
    turns: turns.length,
    answered: turns.filter((turn) => turn.answered).length,
    lost: turns.filter(({ lost }) => lost).length,
    refused: count(turns.map(({ refused }) => refused?.kind)),
    refusals: count(requests.map(({ kind }) => (kind === "ok" ? undefined : kind))),
    retries: Math.max(0, ...turns.map(({ retried }) => retried)),
    lastRetry: turns.findLast(({ retried }) => retried > 0)?.turn ?? -1,
    summaries: requests.filter(({ summary }) => summary).length,
    breaks: breaksIn(turns),
    input: total(answered.map(({ input }) => input)),
    cached: total(answered.map(({ cached }) => cached)),
    ms: total(turns.map(({ ms }) => ms)),
  };
}

/** Tokens before the answer that are no message's. */
const PRIMING = 3;

function breaksIn(turns: Turn[]): number {
  const last = turns.flatMap(({ requests }) => requests.filter(({ kind, summary }) => kind === "ok" && !summary).slice(-1));
  return last.filter(({ cached }, at) => at > 0 && cached < last[at - 1]!.input - PRIMING).length;
}
