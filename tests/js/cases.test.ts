/** The small inputs of `tests/cases` through the package: as in `tests/cases.rs`, and whether untouched objects are the caller's own. */
import { describe, expect, test } from "vitest";
import * as api from "../../pkg/entry/node.js";
import { cases } from "./support/calls.js";
import { frozen } from "./support/history.js";
import { readerOf } from "./support/png.js";

/** What came of a case: of a measure, the request as it was. */
interface Answer {
  body: any;
  said: any;
}

const ops: Record<string, (request: any, options: any, format: any) => Promise<Answer>> = {
  repair: async (request, options, format) => {
    const { body, repairs } = await api.repair(request, { ...options, format });
    return { body, said: { repairs } };
  },
  trim: async (request, limit, format) => shrunk(await api.trim(request, limit, { format })),
  async compact(request, { summarize_returns: said, ...options }, format) {
    const summarize = said === undefined ? {} : { summarize: async () => said };
    return shrunk(await api.compact(request, { ...options, ...summarize, format }));
  },
  measure: async (request, options, format) => ({ body: request, said: await api.measure(request, { ...options, format }) }),
  pages: async (request, options, format) => ({ body: request, said: await api.pages(request, { ...options, format }) }),
  overflow: async (error) => ({ body: error, said: await api.overflow(error) }),
};

const shrunk = ({ body, report }: { body: any; report: unknown }): Answer => ({ body, said: report });

type Expectation = (answer: Answer, wanted: any, given: { input: any; format: any; options: any }) => void | Promise<void>;

/** One for each key of `expect` that `tests/cases/README.md` explains and that is in use. */
const expectations: Record<string, Expectation> = {
  valid: async ({ body }, _, { format, options }) =>
    expect(await api.check(body, options.model === undefined ? { format } : { format, model: options.model })).toEqual([]),
  unchanged: ({ body }, _, { input }) => expect(body).toBe(input),
  same({ body }, wanted: number[], { input }) {
    for (const index of wanted) {
      expect(body.messages.at(index), `message ${index}`).toBeDefined();
      expect(body.messages.at(index), `message ${index}`).toBe(input.messages.at(index));
    }
  },
  contains({ body }, wanted: string[]) {
    for (const words of wanted) expect(JSON.stringify(body)).toContain(words);
  },
  lacks({ body }, wanted: string[]) {
    for (const words of wanted) expect(JSON.stringify(body)).not.toContain(words);
  },
  shrinks: ({ said }) => expect(said.after.tokens).toBeLessThan(said.before.tokens),
  repairs: ({ said }, wanted: string[]) => expect(said.repairs.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(wanted)),
  skipped({ said }, wanted: string[]) {
    const skipped = said.rungs.filter(({ ran, reason }: { ran: boolean; reason: string }) => !ran && reason !== "");
    expect(skipped.map(({ rung }: { rung: string }) => rung)).toEqual(expect.arrayContaining(wanted));
  },
  async speakers({ said }, wanted: string[]) {
    const read = await readerOf(said.shape);
    const text: string = said.pages.map(({ png }: { png: Uint8Array }) => read(png)).join("");
    const told = [...text.matchAll(/\ufffd(user|assistant|call|result)(?: \w+)?\ufffd/g)].map(([, who]) => who);
    const names: Record<string, string> = { call: "assistant", result: "tool" };
    expect(told.map((who) => names[who!] ?? who)).toEqual(wanted);
  },
  noImages: ({ body }) => expect(JSON.stringify(body)).not.toContain("base64"),
  maxImages: ({ said }, wanted: number) => expect(said.after.images).toBeLessThanOrEqual(wanted),
  firstRole: ({ body }, wanted: string) => expect(body.messages[0].role).toBe(wanted),
  parts({ said }, wanted: Record<string, { min: number; max: number }>) {
    for (const [part, { min, max }] of Object.entries(wanted)) {
      expect(said.parts[part], part).toBeGreaterThanOrEqual(min);
      expect(said.parts[part], part).toBeLessThanOrEqual(max);
    }
  },
  overflow({ said }, wanted: object | null) {
    if (wanted === null) expect(said).toBeNull();
    else expect(said).toMatchObject(wanted);
  },
  note: () => {},
};

describe.each(cases.map((each) => [each.id, each]))("case %s", (_, { what, op, format, options, input, expect: wanted }) => {
  const run = (): Promise<Answer> => {
    const call = ops[op];
    if (!call) throw new Error(`no such op: ${op}`);
    return call(frozen(input), options, format);
  };

  test(what, async () => {
    if ("error" in wanted) return refused(await run().then(() => "it was not refused", (error) => error), wanted);
    const answer = await run();
    expect(Object.keys(wanted).filter((key) => !(key in expectations))).toEqual([]);
    for (const [key, value] of Object.entries(wanted)) await expectations[key]?.(answer, value, { input, format, options });
  });
});

function refused(error: any, { error: name, mentions = [] }: { error: string; mentions?: string[] }): void {
  expect(error).toBeInstanceOf(api[name as "PalimpsestError"]);
  expect(error.name).toBe(name);
  for (const words of mentions) expect(error.message).toContain(words);
}
