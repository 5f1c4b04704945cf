/** The words a person types: "/compact focus", "/shake", "/context", "/tree", "/help". */
import { gauge, largest, legend } from "../text/gauge.js";
import { count, type Paper } from "../text/paper.js";
import type { CompactOptions, Report } from "../types.js";
import { ask, weigh } from "./ask.js";
import type { State } from "./state.js";

export interface Answered {
  /** Without the stroke; empty for what was no command. */
  command: string;
  text: string;
  data: unknown;
}

const PAPER: Paper = { width: 80, colour: false };

interface Command {
  usage: string;
  what: string;
  run(state: State, rest: string): Promise<{ text: string; data: unknown }>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  compact: {
    usage: "/compact [focus]",
    what: "shrinks what is sent, now; the focus says what a summary should care about",
    run: (state, focus) => shrink(state, { force: true, ...(focus !== "" && { focus }) }),
  },
  shake: {
    usage: "/shake",
    what: "gives up old tool results and pictures, which costs nothing, now",
    run: (state) => shrink(state, { force: true, rungs: ["elide", "images"] }),
  },
  context: {
    usage: "/context",
    what: "shows what fills the window",
    async run(state) {
      const measure = await weigh(state);
      return { text: [gauge(measure, PAPER), legend(measure, PAPER), largest(measure, PAPER)].filter((part) => part !== "").join("\n"), data: measure };
    },
  },
  tree: {
    usage: "/tree",
    what: "shows the branches, with labels and the tip",
    run: async (state) => ({ text: state.call<string>("outline"), data: state.call("tree") }),
  },
  help: {
    usage: "/help",
    what: "lists the commands",
    run: async () => ({ text: list(), data: Object.values(COMMANDS).map(({ usage, what }) => ({ usage, what })) }),
  },
};

/** Never rejects for a command that nobody knows; with what a known one meets, an unknown model for example, it does. */
export async function command(state: State, line: string): Promise<Answered> {
  const [, name = "", rest = ""] = /^\s*\/(\S*)\s*([^]*?)\s*$/.exec(String(line)) ?? [];
  const known = Object.hasOwn(COMMANDS, name.toLowerCase()) ? COMMANDS[name.toLowerCase()] : undefined;
  if (known) return { command: name.toLowerCase(), ...(await known.run(state, rest)) };
  const what = name === "" ? "A command begins with a stroke." : `There is no command /${name.length > 40 ? `${name.slice(0, 39)}…` : name}.`;
  return { command: name, text: `${what} There are:\n${list()}`, data: null };
}

function list(): string {
  const all = Object.values(COMMANDS);
  const width = Math.max(...all.map(({ usage }) => usage.length));
  return all.map(({ usage, what }) => `  ${usage.padEnd(width)}  ${what}`).join("\n");
}

async function shrink(state: State, options: CompactOptions): Promise<{ text: string; data: Report }> {
  const { report } = await ask(state, options);
  return { text: told(report), data: report };
}

function told({ before, after, rungs }: Report): string {
  const saved = before.tokens - after.tokens;
  // What earlier ones saved is not of this one's doing.
  const first = saved > 0 && rungs.some(({ ran }) => ran) ? `${count(before.tokens)} → ${count(after.tokens)} tokens` : `Nothing to give up: ${count(after.tokens)} tokens.`;
  return [first, ...rungs.map(({ rung, ran, reason }) => `  ${rung.padEnd(9)} ${ran ? "" : "not run: "}${reason}`)].join("\n");
}
