/** Random operations against a plain model: nothing is lost, no path has a circle, everything can be sent, and a store gives all of it back. */
import { expect, test } from "vitest";
import { check, Conversation, OpenTurnError } from "../../../pkg/entry/node.js";
import { importSession } from "../../../pkg/sessions.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { generator } from "../support/random.js";
import { Model } from "./model.js";
import { assistant, calling, chat, result, user } from "./talk.js";

/** Sequences; more of them when asked. */
const SEQUENCES = Number(process.env["PALIMPSEST_SEQUENCES"] ?? 300);
const STEPS = 60;

/** A small window, so that requests compact. */
const MODEL = { id: "mine", window: 900 };

class Run {
  readonly store = memoryStore();
  readonly model = new Model();
  readonly log: string[] = [];
  talk!: Conversation;
  /** What was sent last, and for which tip. */
  sent: [string | null, unknown] | undefined;

  constructor(readonly random: () => number) {}

  below(most: number): number {
    return Math.floor(this.random() * most);
  }

  some<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  any(): string {
    return this.some([...this.model.nodes.keys()]);
  }

  message(): any {
    const open = this.model.open();
    if (open.length > 0 && this.random() < 0.8) return result(this.some(open), "words of a result ".repeat(this.below(90)));
    const kind = this.random();
    if (kind < 0.4) return user(`question ${this.below(1000)} ${"long ".repeat(this.below(80))}`);
    if (kind < 0.7) return assistant(`answer ${this.below(1000)}`);
    return calling(`c${this.below(5)}`, { n: this.below(9) });
  }

  async step(): Promise<void> {
    const { talk, model } = this;
    const empty = model.nodes.size === 0;
    const roll = this.below(100);
    if (empty || roll < 40) {
      const message = this.message();
      const parent = model.tip;
      model.add(talk.append(message), parent, message);
      this.log.push(`append ${message.role}`);
    } else if (roll < 46) {
      const [message, parent] = [this.message(), this.random() < 0.1 ? null : this.any()];
      model.add(talk.append(message, { parent }), parent, message);
      this.log.push("append under");
    } else if (roll < 52) {
      const [at, message] = [this.any(), this.message()];
      model.add(talk.edit(at, message), model.nodes.get(at)!.parent, message);
      this.log.push("edit");
    } else if (roll < 60) {
      const at = this.random() < 0.05 ? null : this.any();
      talk.branch(at);
      model.tip = at;
      this.log.push("branch");
    } else if (roll < 65) {
      const at = this.any();
      talk.select(at);
      model.tip = model.newestBelow(at);
      this.log.push("select");
    } else if (roll < 69) {
      if (model.tip === null) return;
      const label = `label ${this.below(4)}`;
      talk.checkpoint(label);
      model.label(label);
      this.log.push(label);
    } else if (roll < 73) {
      const [label] = this.some([...model.labels, [undefined]] as [string | undefined, string?][]);
      if (label === undefined) return;
      talk.rewind(label);
      model.tip = model.labels.get(label)!;
      this.log.push(`rewind ${label}`);
    } else if (roll < 83) await this.request();
    else if (roll < 91) await this.commit();
    else if (roll < 94) await this.reopen();
    else if (roll < 96) await this.copy();
    else if (roll < 98) {
      const marker = talk.timeline().find(({ kind }) => kind === "compaction") as { record: { id: string } } | undefined;
        if (!marker) return;
      talk.uncompact(marker.record.id);
      this.log.push("uncompact");
    } else {
      // The app's own history: the path with its end rewritten.
      const history = model.path().map(({ message }) => structuredClone(message));
      const kept = history.slice(0, this.below(history.length + 1));
      const message = user(`synced ${this.random()}`);
      let parent = kept.length === 0 ? null : model.path()[kept.length - 1]!.id;
      expect(talk.sync([...kept, message]).added).toBe(1);
      model.add(talk.tip!, parent, message);
      this.log.push("sync");
    }
  }

  async request(): Promise<void> {
    if (this.model.path().length === 0) return;
    const messages = this.model.path().map(({ message }) => message);
    if (messages.every(({ role }) => role === "tool")) {
      // Results without a call are nothing that could be sent.
      await expect(this.talk.request()).rejects.toMatchObject({ code: "invalid-history" });
      return;
    }
    const { body, report } = await this.talk.request({ onUnfit: "return" });
    this.sent = [this.model.tip, body];
    expect(await check(body, { format: "openai-chat" }), JSON.stringify(body)).toEqual([]);
    for (const { from, to } of report.records) expect([this.model.nodes.has(String(from)), this.model.nodes.has(String(to))]).toEqual([true, true]);
    this.log.push(report.records.length > 0 ? "request compacted" : "request");
  }

  /** Whether it was written. */
  async commit(): Promise<boolean> {
    const open = this.model.open();
    const error = await this.talk.commit().then(() => undefined, (thrown: unknown) => thrown);
    if (error !== undefined) {
      expect(error).toBeInstanceOf(OpenTurnError);
      expect(open.length).toBeGreaterThan(0);
      this.log.push("commit refused");
      return false;
    }
    this.log.push("commit");
    return true;
  }

  async reopen(): Promise<void> {
    await this.request();
    if (!(await this.commit())) return;
    const stored = await this.store.load("talk", "main");
    const kept = new Set(stored?.nodes.map(({ id }) => id));
    // Torn turns on other branches were held back; nothing else was.
    for (const { id } of [...this.model.nodes.values()].reverse()) if (!kept.has(id)) this.model.forget(id);
    // What was held back and committed later is newer from now on.
    for (const { id } of stored?.nodes ?? []) this.model.renew(id);
    if (!stored) this.model.tip = null;
    this.talk = await chat({ store: this.store, model: MODEL });
    this.log.push("reopen");
    const [tip, body] = this.sent ?? [];
    if (body === undefined || tip !== this.model.tip) return;
    // What was laid says all that was decided.
    expect((await this.talk.request({ onUnfit: "return" })).body).toEqual(body);
  }

  async copy(): Promise<void> {
    const { conversations: [exported], report } = await importSession(this.talk.export("json"));
    expect(report.skipped).toEqual([]);
    const copy = await Conversation.from(exported!, { store: memoryStore(), model: MODEL });
    expect(copy.export("json")).toBe(this.talk.export("json"));
    this.log.push("copy");
  }

  agrees(): void {
    const { talk, model } = this;
    expect(talk.tip).toBe(model.tip);
    const path = model.path();
    expect(talk.messages().map(({ id, parent, message }) => ({ id, parent, message }))).toEqual(path);
    expect(talk.messages()).toBe(talk.messages());
    expect(talk.timeline().flatMap((entry) => (entry.kind === "message" ? [entry.node.id] : []))).toEqual(path.map(({ id }) => id));
    expect(new Set(talk.tree().map(({ id }) => id))).toEqual(new Set(model.nodes.keys()));
    expect(talk.checkpoints().map(({ label, at }) => [label, at])).toEqual([...model.labels]);
    expect(talk.openCalls().map(({ id }) => id)).toEqual(model.open());
    for (const at of [null, model.tip]) expect(talk.children(at)).toEqual(model.children(at));
  }
}

test(`${SEQUENCES} sequences of ${STEPS} operations`, async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const run = new Run(generator(seed * 7919));
    run.talk = await chat({ store: run.store, model: MODEL });
    try {
      for (let step = 0; step < STEPS; step++) {
        await run.step();
        run.agrees();
      }
      await run.reopen();
      run.agrees();
    } catch (error) {
      throw new Error(`seed ${seed}, after ${run.log.join(", ")}: ${(error as Error).message}`, { cause: error });
    }
    for (const step of run.log) seen.set(step, (seen.get(step) ?? 0) + 1);
  }
  // It did come to everything that is claimed of it.
  for (const step of ["reopen", "commit", "commit refused", "copy", "uncompact", "sync", "request compacted"]) expect(seen.get(step), step).toBeGreaterThan(5);
}, 60_000 + SEQUENCES * 1_000);
