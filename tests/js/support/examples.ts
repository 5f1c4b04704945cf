/** The examples in a README: every code block marked `js` or `html`, and where it belongs. */

export interface Example {
  kind: "page" | "worker" | "node" | "client";
  language: string;
  code: string;
}

export function examplesIn(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```(js|html)\n([\s\S]+?)^```$/gm)];
  return blocks.map(([, language = "", code = ""]) => ({ kind: kindOf(language, code), language, code }));
}

/** A Worker has handlers to offer, what wraps `fetch` goes into a client, a program for Node names Node's modules; the rest is for a page. */
function kindOf(language: string, code: string): Example["kind"] {
  if (language === "html") return "page";
  if (/^export default/m.test(code)) return "worker";
  if (/from "palimpsest\/fetch"/.test(code)) return "client";
  return /from "node:/.test(code) ? "node" : "page";
}

const imports = {
  palimpsest: "./node_modules/palimpsest/entry/web.js",
  "palimpsest/indexeddb": "./node_modules/palimpsest/stores/indexeddb.js",
};
const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;

/** The page of an example; one that is a script only gets a page around it, one without an import map gets that. */
export function pageOf({ language, code }: Example): string {
  const own = language === "html" ? code : `<script type="module">\n${code}</script>`;
  return own.includes('"importmap"') ? own : own.replace(/<script type="module"/, `${map}\n$&`);
}
