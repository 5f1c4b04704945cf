/** A Durable Object that runs the shared suite, and whatever the tests of its store ask for. */
import { durableObjectStore } from "../../../../pkg/stores/durable-object.js";
import { storeSuite } from "../suite.js";
import { damage, type Damage } from "./damage.js";
import { work, type Work } from "./work.js";

interface State {
  storage: Parameters<typeof durableObjectStore>[0];
}

interface Env {
  OBJECTS: { idFromName(name: string): unknown; get(id: unknown): { fetch(url: string, init?: object): Promise<Response> } };
}

export class Conversations {
  constructor(readonly state: State) {}

  async fetch(request: Request): Promise<Response> {
    const asked = (await request.json()) as { suite?: number; damage?: Damage; work?: Work };
    const { storage } = this.state;
    try {
      if (asked.suite !== undefined) await storeSuite(() => ({ open: () => durableObjectStore(storage) }))[asked.suite]!.run();
      if (asked.damage) return Response.json(await damage(storage, asked.damage));
      if (asked.work) return Response.json(await work(storage, asked.work));
      return Response.json("");
    } catch (error) {
      return Response.json(`${String(error)}\n${(error as Error).stack}`);
    }
  }
}

export default {
  async fetch(request: Request, { OBJECTS }: Env): Promise<Response> {
    const name = new URL(request.url).pathname;
    return OBJECTS.get(OBJECTS.idFromName(name)).fetch(request.url, { method: "POST", body: await request.text() });
  },
};
