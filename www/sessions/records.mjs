// What the shop's programs print: its log, tables of its database, the supplier's feed, test runs. The same each time.

/** Numbers from 0 up to `below`, from a seed (xorshift, 32 bits). */
function dice(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const GARDENS = ["Sencha Makinohara", "Gyokuro Asahi", "Jasmine Pearls", "Darjeeling Castleton", "Assam Mangalam", "Rooibos Cederberg", "Lapsang Souchong",
  "Bancha Roasted", "Dragon Well", "White Peony", "Earl Grey Blue", "Ceylon Dimbula", "Yunnan Gold", "Genmaicha", "Oolong Ali Shan", "Mint of Meknes",
  "Lemon Verbena", "Kenya Milima", "Pu Erh 2019", "Keemun Hao Ya"];
const SIZES = [["50", "50 g", 0.55], ["100", "100 g", 1], ["250", "250 g", 2.3], ["T20", "20 bags", 0.8]];

/** Net cents of the three products in question, before the feed of that night. */
const KNOWN = { "SEN-100": 850, "DAR-100": 1250, "ROO-100": 395, "GYO-100": 2450, "JAS-100": 1580 };

export const products = GARDENS.flatMap((name, i) =>
  SIZES.map(([size, label, factor], j) => {
    const sku = `${name.slice(0, 3).toUpperCase()}-${size}`;
    const price = KNOWN[sku] ?? Math.round(((395 + 137 * ((i * 7) % 19)) * factor) / 5) * 5;
    return { sku, name: `${name}, ${label}`, price, stock: 4 + ((i * 37 + j * 11) % 90) };
  }),
);

/** Prices that the feed of 14 April raised. */
const RAISED = { "JAS-100": 1690, "JAS-50": 930, "JAS-250": 3890, "GEN-100": 1120, "KEE-250": 4410 };

/** The supplier's feed as it lay on the server that night. */
export function feed() {
  const money = (sku, cents, i) => ((RAISED[sku] ?? cents) / 100).toFixed(2).replace(".", i % 3 === 1 ? "." : ",");
  const rows = products.map(({ sku, name, price, stock }, i) => `${sku};${name};${money(sku, price, i)};${stock + (i % 4)};${4000 + i};DE-ÖKO-006`);
  return ["SKU;Name;Price;Stock;Article;Organic", ...rows].join("\n");
}

export function productTable() {
  const row = ({ sku, name, price, stock }, i) => ` ${sku.padEnd(8)} | ${name.padEnd(32)} | ${String(price).padStart(6)} | food      | ${String(stock).padStart(5)} | 2026-04-1${i % 4} 03:10:0${i % 5}`;
  return [" sku      | name                             |  price | tax_class | stock | updated_at", `${"-".repeat(10)}+${"-".repeat(34)}+--------+-----------+-------+${"-".repeat(20)}`,
    ...products.map(row), `(${products.length} rows)`].join("\n");
}

/** Orders of some days with what the cart showed and what was charged. `odd`: number → [shown, charged, voucher]. */
export function orderTable(first, count, odd) {
  const roll = dice(first);
  const rows = Array.from({ length: count }, (_, i) => {
    const number = first + i;
    const usual = 1490 + roll(7000);
    const [shown, charged, voucher = ""] = odd[number] ?? [usual, usual];
    const day = 12 + Math.floor((3 * i) / count);
    const time = `2026-04-${day} ${String((i * 5) % 24).padStart(2, "0")}:${String(roll(60)).padStart(2, "0")}:${String(roll(60)).padStart(2, "0")}`;
    return ` ${number} | ${time} | paid  | ${String(shown).padStart(6)} | ${String(charged).padStart(7)} | ${String(charged - shown).padStart(5)} | ${String(1 + roll(6)).padStart(5)} | ${voucher}`;
  });
  return [" number | paid_at             | state | shown  | charged |  diff | lines | voucher", "--------+---------------------+-------+--------+---------+-------+-------+---------", ...rows, `(${count} rows)`].join("\n");
}

/** The web server's log: strangers come and go around the requests in `story`, which are [time, session, line]. */
export function accessLog(hour, minutes, each, story) {
  const roll = dice(hour * 7919 + minutes);
  const lines = story.map(([time, session, rest]) => [time, `${time} ${session} ${rest}`]);
  for (let i = 0; i < minutes * each; i++) {
    const time = `${String(hour).padStart(2, "0")}:${String(Math.floor(i / each)).padStart(2, "0")}:${String(roll(60)).padStart(2, "0")}.${String(roll(1000)).padStart(3, "0")}`;
    const { sku, name } = products[roll(products.length)];
    const slug = name.split(",")[0].toLowerCase().replaceAll(" ", "-");
    const what = [`GET /tea/${slug}`, `GET /green?page=${roll(4)}`, `POST /cart/lines sku=${sku} quantity=${1 + roll(3)}`, "GET /cart", `GET /img/${sku.toLowerCase()}.webp`, `GET /search?q=${slug.split("-")[0]}`][roll(6)];
    const status = what.startsWith("POST") ? 303 : what === "GET /cart" ? 200 : [200, 200, 304][roll(3)];
    lines.push([time, `${time} s=${(0x1000 + roll(0xefff)).toString(16)} ${what} ${status} ${3 + roll(180)}ms`]);
  }
  return lines.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line).join("\n");
}

const SUITES = {
  stock: ["takes pieces out of the stock", "refuses when there are not enough", "gives them back", "two buyers and one last pot", "a stock is never negative", "counts what is reserved"],
  feed: ["reads commas and points", "refuses a row without a price", "tells how many rows changed", "survives a missing newline at the end", "refuses a feed that lacks a column", "keeps the old price of a refused row"],
  money: ["rounds half a cent away from zero", "prints with a comma", "reads what suppliers write", "refuses a minus", "adds nothing to nothing"],
  session: ["a new visitor gets an empty cart", "a cart lives for thirty days", "saves what is in it", "clears after payment", "two tabs share one cart", "an unknown cookie is a new visitor"],
  search: ["finds a tea by its garden", "ignores case and accents", "finds nothing politely", "orders by stock, then by name", "does not fall over an apostrophe"],
  account: ["a customer signs in by mail", "a link works once", "a link is good for a quarter of an hour", "an address may be changed", "orders are listed, newest first"],
  parcel: ["weighs tea with its tin", "asks the carrier for a label", "tries the carrier three times", "keeps the label with the order", "an address abroad needs a form"],
  returns: ["gives back the right share of a voucher", "a line may come back alone", "after thirty days it is too late", "books the tea out, not back in", "refunds the way it was paid"],
  newsletter: ["wants a second yes", "forgets whoever says no", "writes once a month at most", "counts no openings"],
  payment: ["asks the bank with a reference", "a declined card leaves the cart alone", "a timeout is no payment", "a payment is booked once"],
  pages: ["every page has a title", "a form can be sent without script", "pictures have words beside them", "the cart can be read aloud", "no page is heavier than 300 KB"],
};

/** A run of the whole suite; `own` are the files whose tests the story names: [file, group, test, failure?]. */
export function testRun(own, seed) {
  const roll = dice(seed);
  const others = Object.entries(SUITES).flatMap(([suite, names]) => names.map((name) => [`test/${suite}.test.ts`, suite, name]));
  const all = [...own, ...others];
  const failed = all.filter(([, , , failure]) => failure);
  const lines = all.map(([file, group, name, failure]) => ` ${failure ? "×" : "✓"} ${file} > ${group} > ${name} ${1 + roll(14)}ms`);
  const details = failed.map(([file, group, name, failure]) => `\n FAIL  ${file} > ${group} > ${name}\n${failure}`);
  const files = new Set(all.map(([file]) => file)).size;
  const broken = new Set(failed.map(([file]) => file)).size;
  const sum = (bad, total) => (bad > 0 ? `${bad} failed | ${total - bad} passed (${total})` : `${total} passed (${total})`);
  return ["> kettle-and-leaf@4.11.2 test", "> vitest run --reporter=verbose", "", ...lines, ...details, "",
    ` Test Files  ${sum(broken, files)}`, `      Tests  ${sum(failed.length, all.length)}`, `   Duration  ${3 + roll(3)}.${10 + roll(89)}s`].join("\n");
}
