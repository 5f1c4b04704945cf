// Text machines write, made up with a fixed seed: ids, hashes, base64, numbers, logs, tables, diffs, escapes.
let state = 0x2545f491;
const next = () => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
};
const int = (n) => Math.floor(next() * n);
const pick = (list) => list[int(list.length)];
const many = (n, make) => Array.from({ length: n }, make);
const chars = (alphabet, n) => many(n, () => alphabet[int(alphabet.length)]).join("");
const HEX = "0123456789abcdef";
const B64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const ALNUM = B64.slice(0, 62);
const WORDS = "user order item status error result value name file path message request response list index type token count total price city date flight model test build cache table node".split(" ");
const hex = (n) => chars(HEX, n);
const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick(["8", "9", "a", "b"])}${hex(3)}-${hex(12)}`;
const stamp = () => `20${10 + int(17)}-${String(1 + int(12)).padStart(2, "0")}-${String(1 + int(28)).padStart(2, "0")}T${String(int(24)).padStart(2, "0")}:${String(int(60)).padStart(2, "0")}:${String(int(60)).padStart(2, "0")}.${String(int(1000)).padStart(3, "0")}Z`;
const record = (depth) => Object.fromEntries(many(2 + int(5), () => [
  `${pick(WORDS)}_${pick(WORDS)}`,
  depth && next() < 0.3 ? record(depth - 1) : pick([() => int(100000), () => uuid(), () => stamp(), () => many(1 + int(6), () => pick(WORDS)).join(" "), () => next() < 0.5, () => null, () => Math.round(next() * 1e4) / 100, () => many(int(5), () => int(1000))])(),
]));

const MAKERS = {
  uuid: () => many(60, uuid).join(pick(["\n", ", ", '","'])),
  hash: () => many(40, () => hex(pick([7, 12, 32, 40, 64]))).join(pick(["\n", " ", ": ok\n"])),
  base64: () => chars(B64, 400 + int(3000)) + pick(["", "=", "=="]),
  ids: () => many(60, () => pick(["toolu_01", "call_", "msg_", "req_", "sk-"]) + chars(ALNUM, 16 + int(10))).join(pick(["\n", " ", '", "'])),
  numbers: () => many(80, () => pick([() => String(int(10)), () => String(int(1e4)), () => String(int(1e9)), () => (next() * 1000).toFixed(2), () => `-${next()}`, () => `${int(255)}.${int(255)}.${int(255)}.${int(255)}`])()).join(pick([" ", ", ", "\n", "\t"])),
  log: () => many(40, () => `${stamp()} ${pick(["INFO", "WARN", "ERROR", "DEBUG"])} [${pick(WORDS)}-${int(20)}] ${pick(WORDS)} ${pick(WORDS)} ${pick(["took", "failed after", "=", "id="])} ${int(5000)}${pick(["ms", "", "s"])}`).join("\n"),
  table: () => many(25, () => `| ${many(4, () => pick([pick(WORDS), String(int(1000)), (next() * 100).toFixed(1)]).padEnd(12)).join(" | ")} |`).join("\n") + `\n|${many(4, () => "-".repeat(14)).join("|")}|`,
  ansi: () => many(30, () => `\u001b[${pick([0, 1, 31, 32, 33, 36, 90])}m${pick(["✓", "✗", "PASS", "FAIL", ">"])}\u001b[0m ${pick(WORDS)}/${pick(WORDS)}.test.ts \u001b[2m(${int(900)} ms)\u001b[22m`).join("\n"),
  json: () => JSON.stringify(many(6, () => record(2)), null, pick([0, 0, 1, 2, 4])),
  escaped: () => JSON.stringify({ arguments: JSON.stringify({ path: `/src/${pick(WORDS)}/${pick(WORDS)}.ts`, content: many(12, () => `${" ".repeat(2 * int(4))}const ${pick(WORDS)} = "${pick(WORDS)}";`).join("\n"), ...record(1) }) }),
  diff: () => many(30, () => `${pick([" ", "+", "-", "+", "-"])}${" ".repeat(2 * int(6))}${pick(["const", "return", "let", "if (", "import"])} ${pick(WORDS)}${pick([".", "_", " "])}${pick(WORDS)}(${pick(WORDS)});`).join("\n"),
  numbered: () => many(40, (_, i) => `${String(i + 1 + int(2)).padStart(6)}${pick(["→", "\t"])}${" ".repeat(4 * int(4))}${pick(WORDS)}.${pick(WORDS)}(${pick(WORDS)})`).join("\n"),
  trace: () => `TypeError: Cannot read properties of undefined (reading '${pick(WORDS)}')\n` + many(20, () => `    at ${pick(["Object", "async", "Module", "process"])}.${pick(WORDS)}${pick(["Handler", "Loader", "Impl"])} (file:///app/node_modules/${pick(WORDS)}/dist/${pick(WORDS)}.js:${int(900)}:${int(90)})`).join("\n"),
  listing: () => many(30, () => `${pick(["-rw-r--r--", "drwxr-xr-x"])}  ${1 + int(9)} ${pick(["root", "user", "node"])} ${pick(["staff", "root"])} ${String(int(100000)).padStart(8)} ${pick(["Jan", "Feb", "Sep", "Oct"])} ${String(1 + int(28)).padStart(2)} ${String(int(24)).padStart(2, "0")}:${String(int(60)).padStart(2, "0")} ${pick(WORDS)}.${pick(["ts", "md", "json", "lock"])}`).join("\n"),
  url: () => many(30, () => `https://${pick(["www.", "api.", ""])}${pick(WORDS)}-${pick(WORDS)}.${pick(["com", "org", "io"])}/${pick(WORDS)}/${int(9999)}?${pick(WORDS)}=${chars(ALNUM, 8)}&${pick(WORDS)}=${int(99)}`).join(pick(["\n", " ", ") [link]("])),
  boxes: () => ["┌" + "─".repeat(30) + "┐", ...many(10, () => `│ ${pick(WORDS).padEnd(28)} │`), "└" + "─".repeat(30) + "┘", ...many(10, () => `${pick(["├── ", "└── ", "│   ├── "])}${pick(WORDS)}.${pick(["ts", "rs"])}`)].join("\n"),
  rules: () => many(20, () => pick(["-", "=", "*", "#", "_", "~", "."]).repeat(3 + int(80))).join("\n"),
  spaces: () => many(40, () => " ".repeat(int(60)) + pick(["", "\t".repeat(int(6)), "\n".repeat(int(4))]) + pick(WORDS)).join(pick(["\n", "\n\n", "\r\n", " \n"])),
};

/** Twelve texts of every sort. */
export function* synthetic() {
  for (const [sort, make] of Object.entries(MAKERS)) {
    for (let i = 0; i < 12; i++) yield { kind: "synthetic", sort, name: `${sort}#${i}`, text: make() };
  }
}
