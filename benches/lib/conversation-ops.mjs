// What is timed of a conversation, in any host: several of a kind in one go, since some hosts stand still to the clock.

const WORDS = `the total of each order is checked against what customers paid before a receipt goes out so where rounding happens twice one
  cent is lost and tests did not see it because they only used whole amounts`.split(/\s+/);

/** A message of about 1 KB of JSON, every one different. */
function said(number) {
  const words = [`message ${number}:`];
  for (let state = number + 1, letters = 0; letters < 930; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const word = WORDS[(state >>> 8) % WORDS.length];
    words.push(word);
    letters += word.length + 1;
  }
  return { role: number % 2 ? "assistant" : "user", content: words.join(" ") };
}

const BATCH = 1000;

/** `raw`: reads the rows of a conversation past the store. */
export function operations({ Conversation, store, raw }) {
  const all = new Map();
  const held = (id) => all.get(id);

  return {
    async fill({ id, count }) {
      const rest = { records: [], checkpoints: [], format: "openai-chat", meta: {}, notes: {} };
      for (let at = 0, revision = 0; at < count; at += BATCH) {
        const nodes = [];
        for (let i = at; i < Math.min(count, at + BATCH); i++) nodes.push({ id: `${id}-${i}`, parent: i ? `${id}-${i - 1}` : null, at: i, message: said(i) });
        revision = await store.commit(id, "main", revision, { ...rest, tip: nodes.at(-1).id, nodes });
      }
    },

    async raw({ id }) {
      await raw(id);
    },

    async open({ id }) {
      all.set(id, await Conversation.open({ store, id }));
    },

    async close({ id }) {
      await held(id).close();
      all.delete(id);
    },

    /** A turn: two messages and a commit. */
    async turns({ id, times }) {
      const conversation = held(id);
      for (let i = 0; i < times; i++) {
        conversation.append(said(2 * i));
        conversation.append(said(2 * i + 1));
        await conversation.commit();
      }
    },

    /** To the middle and back. */
    async branches({ id, times }) {
      const conversation = held(id);
      const end = conversation.tip;
      for (let i = 0; i < times; i += 2) {
        conversation.branch(`${id}-50`);
        conversation.branch(end);
      }
    },

    /** A message more, and what is sent then. */
    async requests({ id, times, window }) {
      const conversation = held(id);
      for (let i = 0; i < times; i++) {
        conversation.append(said(i));
        await conversation.request({ model: { id: "gpt-4o", window } });
      }
    },
  };
}
