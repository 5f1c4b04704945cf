// Conversations in a Durable Object; bundled for workerd. Its clock stands still while it works, so whoever asks takes the time.
import { Conversation } from "../../pkg/entry/workerd.js";
import { durableObjectStore } from "../../pkg/stores/durable-object.js";
import { operations } from "./conversation-ops.mjs";

export class Conversations {
  constructor({ storage }) {
    const raw = async (id) => {
      const query = "SELECT n.text FROM palimpsest_nodes n JOIN palimpsest_heads h ON h.number = n.conversation WHERE h.id = ? ORDER BY n.seq, n.part";
      for (const { text } of storage.sql.exec(query, JSON.stringify(id)).toArray()) JSON.parse(text);
    };
    this.ops = operations({ Conversation, store: durableObjectStore(storage), raw });
  }

  async fetch(request) {
    const { op, asked } = await request.json();
    try {
      await this.ops[op](asked);
      return new Response();
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  }
}

export default {
  async fetch(request, { OBJECTS }) {
    return OBJECTS.get(OBJECTS.idFromName("bench")).fetch(request.url, { method: "POST", body: await request.text() });
  },
};
