// Request bodies of any size, the same each time: an agent at work on code, half of the bytes code with its quotes and line ends, some of
// the words Chinese and Japanese.

const WORDS = `the total of each order is checked against what customers paid before a receipt goes out so where rounding happens twice
  one cent is lost and tests did not see it because they only used whole amounts we should move this into a single place then look at
  refunds again`.split(/\s+/);
const NAMES = ["order", "total", "price", "count", "basket", "receipt", "customer", "discount", "amount", "refund", "entry", "cache"];
const HAN = [
  "先检查每个订单的总额，再看退款是怎么算的。",
  "测试只用了整数金额，所以没有发现这个错误。",
  "四捨五入が二回行われているので、一箇所にまとめます。",
  "この関数は合計を返す前に値引きを適用します。",
];

/** Whole numbers below a limit, always the same ones. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function fill(size, piece) {
  const pieces = [];
  for (let bytes = 0; bytes < size; ) {
    const next = piece();
    pieces.push(next);
    bytes += Buffer.byteLength(JSON.stringify(next)) - 2;
  }
  return pieces.join("");
}

class Writer {
  #number = numbers(4711);
  #pick = (list) => list[this.#number(list.length)];

  prose(size) {
    return fill(size, () => {
      const words = Array.from({ length: 6 + this.#number(12) }, () => this.#pick(WORDS));
      return `${words.join(" ")}. `;
    });
  }

  han(size) {
    return fill(size, () => this.#pick(HAN));
  }

  code(size) {
    const [a, b] = [this.#pick(NAMES), this.#pick(NAMES)];
    return fill(size, () => {
      const n = this.#number(9999);
      switch (this.#number(6)) {
        case 0:
          return `export function ${a}Of${n}(${b}) {\n`;
        case 1:
          return `  if (${b}.${this.#pick(NAMES)} > ${n}) throw new Error("${a} ${n} is \\"too large\\"");\n`;
        case 2:
          return `  const ${this.#pick(NAMES)} = ${a}.map((item) => item["${this.#pick(NAMES)}"] * ${n});\n`;
        case 3:
          return `  // ${this.#pick(WORDS)} ${this.#pick(WORDS)} ${this.#pick(WORDS)}\n`;
        case 4:
          return `  return { ${a}: ${b}${n}, "${this.#pick(NAMES)}": '${this.#pick(WORDS)}' };\n`;
        default:
          return "}\n\n";
      }
    });
  }
}

/**
 * A body of about `size` bytes with messages of about `each` bytes.
 *
 * @param format "openai-chat" or "anthropic"
 */
export function body(format, size, each) {
  const writer = new Writer();
  const write = format === "anthropic" ? anthropic : chat;
  const count = Math.max(8, Math.round(size / each));
  const messages = [];
  for (let step = 0; messages.length < count; step++) messages.push(...write(writer, step, each - 60));
  const around = format === "anthropic" ? { model: "claude-sonnet-4-5", max_tokens: 1000, system: writer.prose(500) } : { model: "gpt-4o" };
  // Once through JSON, so that its strings are flat, as those of a parsed request are.
  return JSON.parse(JSON.stringify({ ...around, messages }));
}

// A turn: a person asks, a tool is called, it answers in code, the model says what it found; every other time in Chinese or Japanese.
const words = (writer, step, size) => (step % 2 ? writer.han(size / 2) + writer.prose(size / 2) : writer.prose(size));

function anthropic(writer, step, size) {
  const id = `toolu_${step}`;
  const input = { path: `src/${step}.js`, note: writer.prose(size * 0.3) };
  return [
    { role: "user", content: [{ type: "text", text: words(writer, step, size) }] },
    { role: "assistant", content: [{ type: "text", text: writer.code(size * 0.6) }, { type: "tool_use", id, name: "read", input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: writer.code(size) }] },
    { role: "assistant", content: [{ type: "text", text: words(writer, step + 1, size * 0.6) + writer.code(size * 0.4) }] },
  ];
}

function chat(writer, step, size) {
  const id = `call_${step}`;
  const input = { path: `src/${step}.js`, note: writer.prose(size * 0.3) };
  const call = { id, type: "function", function: { name: "read", arguments: JSON.stringify(input) } };
  return [
    { role: "user", content: words(writer, step, size) },
    { role: "assistant", content: writer.code(size * 0.6), tool_calls: [call] },
    { role: "tool", tool_call_id: id, content: writer.code(size) },
    { role: "assistant", content: words(writer, step + 1, size * 0.6) + writer.code(size * 0.4) },
  ];
}
