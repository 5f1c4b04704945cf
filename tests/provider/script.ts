/** Conversations before they are had: what the person and the tools say, and what the model will answer. */
import { png } from "./blank.js";
import { prose, random, say, type Answer, type Call } from "./answers.js";

export type Part = { type: "text"; text: string } | { type: "picture"; data: string; media: string };
export interface Result {
  id: string;
  name: string;
  parts: Part[];
  error?: boolean;
}
/** `raw`: the message as it was recorded, for a client of that format. */
export type Item = { raw?: { "openai-chat"?: object; anthropic?: object } } & (
  | { role: "system"; text: string }
  | { role: "user"; parts: Part[] }
  | { role: "results"; results: Result[] }
  | { role: "assistant"; answer: Answer }
);

/** What is added, and the answer that is then asked for. */
export interface Step {
  add: Item[];
  answer: Answer;
}

export interface Script {
  name: string;
  system?: string;
  tools: { name: string; description: string; schema: object }[];
  steps: Step[];
  /** Anthropic: thinking is on, and answers that call tools begin with a thought. */
  thinking?: boolean;
}

export interface Plan {
  /** A person's message and all up to the next. */
  exchanges: number;
  seed: number;
  thinking?: boolean;
  /** Exchanges, counted from 0, whose message alone is larger than `giantWords` words. */
  giants?: number[];
  giantWords?: number;
}

const TOOLS = ["read_file", "search", "run", "browse"].map((name, index) => ({
  name,
  description: `Use ${name} for what its name says; number ${index}.`,
  schema: { type: "object", properties: { path: { type: "string", description: "Where" }, query: { type: "string" }, lines: { type: "integer" } }, required: ["path"] },
}));

/** A conversation with tools and pictures. No unit of it is above some 3,000 tokens, giants apart. */
export function generate({ exchanges, seed, thinking = false, giants = [], giantWords = 20_000 }: Plan): Script {
  const next = random(seed);
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const text = (least: number, most: number): Part => ({ type: "text", text: prose(next, whole(least, most)) });
  const picture = (mark: string): Part => {
    const [width, height] = [[320, 240], [640, 480], [800, 600], [1024, 768]][whole(0, 3)]!;
    return { type: "picture", data: png(width!, height!, mark), media: "image/png" };
  };
  const steps: Step[] = [];
  for (let exchange = 0; exchange < exchanges; exchange++) {
    const parts = giants.includes(exchange) ? [text(giantWords, giantWords)] : whole(1, 10) === 1 ? [text(300, 700)] : [text(10, 60)];
    // What is asked must not be the same twice.
    parts.unshift({ type: "text", text: `Question ${exchange}.` });
    if (exchange % 7 === 3) parts.push(picture(`person ${exchange}`));
    let add: Item[] = [{ role: "user", parts }];
    for (let round = whole(0, 2); round > 0; round--) {
      const calls = Array.from({ length: whole(1, 3) }, (_, index): Call => {
        const tool = TOOLS[whole(0, TOOLS.length - 1)]!.name;
        return { id: `toolu_${exchange}_${round}_${index}`, name: tool, input: { path: `src/${prose(next, 2).replace(/\W+/g, "/")}${whole(0, 99)}.ts`, lines: whole(1, 400) } };
      });
      const thought = thinking ? { thinking: prose(next, whole(10, 60)) } : {};
      steps.push({ add, answer: { ...thought, ...(whole(0, 2) > 0 && { text: prose(next, whole(4, 30)) }), calls } });
      const large = whole(1, 8) === 1;
      const results = calls.map((call, index): Result => {
        const words = large && index === 0 ? text(600, 1200) : text(20, 350);
        const seen = exchange % 11 === 5 && index === 0 ? [picture(`tool ${exchange} ${round}`)] : [];
        return { id: call.id!, name: call.name, parts: [words, ...seen], ...(whole(1, 15) === 1 && { error: true }) };
      });
      add = [{ role: "results", results }];
    }
    steps.push({ add, answer: { text: prose(next, whole(15, 120)) } });
  }
  return { name: `${exchanges} exchanges, seed ${seed}`, system: `You help with a program. ${prose(next, 80)}`, tools: TOOLS, steps, thinking };
}

/** The same script with answers of so many tokens at most: a call that is cut off would leave its result without one. */
export function withinOutput(script: Script, tokens: number): Script {
  const steps = script.steps.map((step) => ({ ...step, answer: shorter(step.answer, tokens) }));
  return { ...script, steps };
}

function shorter(answer: Answer, tokens: number): Answer {
  let found = answer;
  for (let letters = tokens * 4; say(found, tokens, "").finish === "length"; letters = Math.floor(letters / 2)) {
    const clip = (value: unknown): unknown => {
      if (typeof value === "string") return [...value].slice(0, letters).join("");
      if (Array.isArray(value)) return value.slice(0, letters).map(clip);
      if (value === null || typeof value !== "object") return value;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clip(inner)]));
    };
    found = { ...answer, ...(answer.text !== undefined && { text: clip(answer.text) as string }) };
    if (answer.thinking !== undefined) found.thinking = clip(answer.thinking) as string;
    if (answer.calls) found.calls = answer.calls.map((call) => ({ ...call, input: clip(call.input) }));
  }
  return found;
}
