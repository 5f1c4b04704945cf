/** What the model says: scripted, or made up from a seed. */
import { createHash } from "node:crypto";
import { tokensOf } from "./count.js";

export interface Call {
  /** Made up when absent. */
  id?: string;
  name: string;
  input: unknown;
}

export interface Answer {
  text?: string;
  /** Anthropic only. */
  thinking?: string;
  calls?: Call[];
}

/** One that is sent: its calls have ids, and it was cut where no more was asked for. */
export interface Said {
  text: string;
  thinking: string | undefined;
  calls: Required<Call>[];
  finish: "stop" | "calls" | "length";
  tokens: number;
}

/** Numbers from 0 to 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const VOCABULARY =
  "the a build cache index parser request answer server window token page record store branch commit test error file line value table query user model history summary limit stream event retry config module function result header body client which when after before until because reads writes returns keeps drops finds counts moves opens closes slowly twice never always again".split(" ");

/** So many words of plain English, in sentences. */
export function prose(next: () => number, words: number): string {
  const text: string[] = [];
  for (let index = 0; index < words; index++) {
    const word = VOCABULARY[Math.floor(next() * VOCABULARY.length)]!;
    text.push(index % 12 === 0 ? word[0]!.toUpperCase() + word.slice(1) : index % 12 === 11 || index === words - 1 ? `${word}.` : word);
  }
  return text.join(" ");
}

/** The answer of a provider nobody told what to say: a few words that depend on the request alone. */
export function madeUp(body: any, seed: number): Answer {
  const hash = createHash("sha256").update(JSON.stringify(body.messages)).digest();
  const next = random(hash.readUInt32LE(0) ^ seed);
  return { text: prose(next, 10 + Math.floor(next() * 50)) };
}

/** @param room tokens there are for it */
export function say(answer: Answer, room: number, key: string): Said {
  const calls = (answer.calls ?? []).map((call, index) => ({ ...call, id: call.id ?? `call_${key}_${index}` }));
  const text = answer.text ?? "";
  const thought = answer.thinking === undefined ? 0 : tokensOf(answer.thinking);
  const asked = calls.reduce((sum, { name, input }) => sum + 8 + tokensOf(name) + tokensOf(JSON.stringify(input)), 0);
  const whole = tokensOf(text) + thought + asked;
  if (whole <= room) return { text, thinking: answer.thinking, calls, finish: calls.length > 0 ? "calls" : "stop", tokens: whole };
  // A call that is cut off is none.
  const kept = shorten(text, Math.max(0, room - thought));
  return { text: kept, thinking: answer.thinking, calls: [], finish: "length", tokens: Math.min(room, tokensOf(kept) + thought) };
}

function shorten(text: string, tokens: number): string {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tokensOf(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low);
}
