// First chapter: three customers paid something else than the cart showed. The agent finds out why.

import { accessLog, feed, orderTable, productTable, testRun } from "./records.mjs";

/** A run of all tests as the files stand on the desk. `failures`: test name → what the runner says. */
export function tests({ desk }, seed, failures = {}) {
  const own = ["checkout", "totals", "vouchers", "quotes"].flatMap((name) => {
    const file = `test/${name}.test.ts`;
    const text = desk.files.get(file) ?? "";
    const group = /describe\("(.+?)"/.exec(text)?.[1];
    return [...text.matchAll(/^ {2}test\("(.+?)"/gm)].map(([, title]) => [file, group, title, failures[title]]);
  });
  return testRun(own, seed);
}

export const read = (path) => ["read_file", { path }];
export const search = (pattern) => ["search", { pattern }];
export const run = (command, answer) => ["run", { command }, answer];

/** What the cart showed, what was charged, and the voucher. */
const ODD = { 20388: [3214, 3215], 20402: [9127, 9126], 20417: [8489, 8490], 20426: [6604, 6605], 20433: [4719, 4738, "SPRING10"], 20441: [5230, 5231], 20449: [7718, 7717], 20458: [5072, 5425], 20463: [2871, 2872] };

export function chapterOne(talk, picture) {
  talk.person(`Three customers wrote to us this week: what we took from their card is not what the cart said. Orders 20417, 20433 and 20458. The differences are one cent, 19 cents and 3.53, so I doubt it is one fault. Please find out what happened in each case, then fix it so that the cart, the charge and the mail can never disagree again. Don't touch the migrations.`);
  talk.step("Three orders, three different amounts. I should see the layout first, then the two places where a total is made: the cart page and the checkout.",
    "I'll look at the project first, then at everything that makes a total.", ["list_files", {}], search("cartTotals|chargeOf|shippingOf"));
  talk.step(null, "Two functions make totals: `cartTotals` for the page and `chargeOf` for the bank. That is one too many. Reading both.", read("src/totals.ts"), read("src/checkout.ts"));
  talk.step("cartTotals uses taxByRate (rounded once per rate). chargeOf uses taxOf per line. These can differ by a cent or two. That would explain 20417. Let me check the tax file and the numbers.",
    "They round differently. Before I believe that this explains the cent, the tax rules themselves.", read("src/tax.ts"), read("src/money.ts"), read("docs/pricing.md"));
  talk.step(null, "Now the three orders, with their neighbours. I want to know how common this is.",
    run("psql -c \"select number, paid_at, state, shown, charged, charged - shown as diff, lines, voucher from order_audit where number between 20380 and 20470 order by number\"", new Error("psql: error: connection to server at \"db-replica\" failed: FATAL:  no pg_hba.conf entry for user \"agent\", no encryption")));
  talk.step("The replica wants TLS. The README of the replica usually says sslmode=require.", "The replica refuses connections without TLS. Once more with it.",
    run("PGSSLMODE=require psql -c \"select number, paid_at, state, shown, charged, charged - shown as diff, lines, voucher from order_audit where number between 20340 and 20470 order by number\"", orderTable(20340, 131, ODD)));
  talk.step("131 orders, nine with a difference. Seven are ±1 cent. Two are large. So three kinds: rounding (7), 20433 with voucher, 20458 without voucher but +353. 353 = 3 × 110 + 7% tax = 330 + 23.1. So 3 pieces whose net price is 1.10 higher. A price change!",
    "Nine of 131 orders differ. Seven of them by a single cent, either way: that smells of rounding. 20433 had a voucher; 20458 had none, and 3.53 is 3 × 1.10 plus 7 % tax, so a price went up by 1.10 between cart and payment. Let me take them one by one, beginning with the cent.",
    run("PGSSLMODE=require psql -c \"select position, sku, name, quantity, price, tax_class from order_lines where number = 20417 order by position\"", ` position |   sku   |            name             | quantity | price | tax_class
----------+---------+-----------------------------+----------+-------+-----------
        0 | SEN-100 | Sencha Makinohara, 100 g    |        1 |   850 | food
        1 | DAR-100 | Darjeeling Castleton, 100 g |        1 |  1250 | food
        2 | ROO-100 | Rooibos Cederberg, 100 g    |        1 |   395 | food
        3 | POT-CIB | Cast iron pot, black        |        1 |  4890 | ware
(4 rows)`));
  talk.answer("By rate: food 2495 × 0.07 = 174.65 → 175; ware 929.1 → 929; sum 1104; gross 7385 + 1104 = 8489. By line: 59.5 → 60, 87.5 → 88, 27.65 → 28 = 176; 929; gross 8490. Yes.",
    `Order 20417 is explained:

| | tax on tea | tax on the pot | total |
| --- | --- | --- | --- |
| cart, by rate | 24.95 × 7 % = 1.7465 → 1.75 | 9.29 | **84.89** |
| charge, by line | 0.60 + 0.88 + 0.28 = 1.76 | 9.29 | **84.90** |

The cart (\`src/totals.ts:38\`) adds the net amounts of a rate and rounds once. The checkout (\`src/checkout.ts:62\`) rounds each line. \`docs/pricing.md\` says that by rate is our way, so the checkout is wrong. Going on with 20433.`);

  talk.person("Here is what the customer of 20417 sent us: her screenshot of the cart and our mail. Does the mail use the same function as the charge? It says 84,90 too.", picture("cart-20417"), picture("mail-20417"));
  talk.step("The pictures agree with my figures: 84,89 in the cart, 84,90 in the mail. The mail shows VAT 7% 1,76, so it also rounds by line. Look at receipt.ts.",
    "Both pictures fit the figures: 11,04 of VAT in the cart, 1,76 + 9,29 in the mail. Let me see how the mail comes by that.", read("src/receipt.ts"), search("taxOf|taxByRate"));
  talk.answer(null, "The mail has a third computation of its own (`src/receipt.ts:24`): it groups by rate, but rounds each line before adding. It agrees with the charge only by luck of copying the same mistake. So there are three places that make totals; I will leave one. Now 20433, the voucher.");
  talk.person("Good find. For 20433: she told us on the phone that her first card was declined, if that helps.");
  talk.step("A declined card! In checkout.ts on PaymentDeclined: giveBack, session.save(), redirect. And applyVoucher mutates lines in the session. So the session is saved with discounted prices, and the second attempt discounts again.",
    "That helps a lot. In the checkout a declined payment saves the session. If the voucher has changed the session's own lines by then, the second try takes it off twice. Checking.", read("src/vouchers.ts"), read("src/session.ts"));
  talk.step(null, "`applyVoucher` writes into the lines it is given (`line.price = …`), and the checkout gives it `session.lines` themselves. The log should show two attempts.",
    run("cat /srv/logs/shop-2026-04-13-21.log", accessLog(21, 40, 9, [
      ["21:14:02.118", "s=9f3e", "POST /cart/lines sku=GYO-100 quantity=2 303 21ms"], ["21:14:40.530", "s=9f3e", "POST /cart/voucher code=SPRING10 303 34ms"],
      ["21:14:40.611", "s=9f3e", "GET /cart 200 12ms total=4719"], ["21:16:05.204", "s=9f3e", "POST /checkout 303 2210ms"],
      ["21:16:05.203", "s=9f3e", "WARN payment declined number=20432 amount=4719 why=\"insufficient funds\""], ["21:17:31.877", "s=9f3e", "POST /checkout 303 1904ms"],
      ["21:17:31.876", "s=9f3e", "INFO order paid number=20433 amount=4738 lines=1"]])));
  talk.step("First 4719, declined; second 4738. 2450 → 2205 → 1985 (1984.5 rounds up). 2 × 1985 = 3970, tax 278, 4248; below 4500 so +490 shipping = 4738. Exactly!",
    "There it is: declined at 47.19, paid at 47.38. To be sure of the arithmetic I'll replay it.",
    run("npx tsx -e \"import{applyVoucher}from'./src/vouchers';import{chargeOf}from'./src/checkout';const v={code:'SPRING10',kind:'percent',value:10,only:['food']};const l=[{sku:'GYO-100',name:'Gyokuro',quantity:2,price:2450,taxClass:'food'}];console.log(chargeOf(applyVoucher(l,v)),l);console.log(chargeOf(applyVoucher(l,v)),l)\"",
      "4719 [\n  { sku: 'GYO-100', name: 'Gyokuro', quantity: 2, price: 2205, taxClass: 'food' }\n]\n4738 [\n  { sku: 'GYO-100', name: 'Gyokuro', quantity: 2, price: 1985, taxClass: 'food' }\n]"));
  talk.answer(null, `Order 20433 is explained, to the cent:

1. First try: 24.50 − 10 % = 22.05 each, 44.10 net, 3.09 tax, parcel free: **47.19**, as the cart said. The card is declined, and the lowered prices are saved with the session (\`src/checkout.ts:44\`).
2. Second try: 22.05 − 10 % = 19.85 each, 39.70 net, 2.78 tax. That is below 45.00, so the parcel is no longer free: + 4.90 = **47.38**.

She paid 19 cents more for goods that were 4.71 cheaper. Nobody would have guessed that from the difference alone. Now 20458.`);

  talk.person("Ha. And finance will ask: did anyone get the discount twice and pay LESS? Please count those, too, but finish 20458 first. My guess there is the product cache.");
  talk.step("Person suspects the cache. Look at products.ts: cachedProduct TTL 5 minutes. The cart POST uses cachedProduct and lineOf copies the price into the session. Then it is in the session, up to 30 days. So the cache is only a small part.",
    "Reading the cache and whoever uses it.", read("src/products.ts"), read("src/cart.ts"), search("forget\\(|cachedProduct|freshProduct"));
  talk.step("forget() is called in import.ts, which runs in cron: another process. So the web process's cache isn't cleared. But is it what happened? The line's price is copied when added. Check the log at 03:00 on 14 April.",
    "The cache is suspicious: `forget` runs inside the cron process, so the web process never hears of it. But a line copies its price into the session anyway, where it can be thirty days old. The log of that night will tell which it was.",
    run("cat /srv/logs/shop-2026-04-14-03.log", accessLog(3, 30, 10, [
      ["03:06:12.771", "s=c41d", "POST /cart/lines sku=JAS-100 quantity=3 303 19ms"], ["03:06:12.902", "s=c41d", "GET /cart 200 11ms total=5072"],
      ["03:10:04.120", "cron", "INFO feed imported rows=80 changed=5 refused=0"], ["03:12:47.015", "s=c41d", "GET /cart 200 10ms total=5072"],
      ["03:12:58.340", "s=c41d", "POST /checkout 303 1733ms"], ["03:12:58.339", "s=c41d", "INFO order paid number=20458 amount=5425 lines=1"]])));
  talk.step(null, "In the cart at 03:06, import at 03:10, the cart page looked at once more at 03:12:47 and still at the old price, paid eleven seconds later at the new one. What did the feed change?",
    run("cat /srv/feed/2026-04-14.csv", feed()), read("src/import.ts"));
  talk.step(null, "And the prices as they stand now, to compare with.", run("PGSSLMODE=require psql -c \"select sku, name, price, tax_class, stock, updated_at from products order by name\"", productTable()));
  talk.answer("JAS-100: 16.90 in feed vs 15.80. The replica still shows 1580? The table shows JAS-100 1580... it's the replica of an hour before? I should mention it: the replica's snapshot is from the evening before.",
    `Order 20458 is explained, and it was not the cache, though the cache is a trap of its own:

- Three Jasmine Pearls went into the cart at 15.80 (50.72 with tax). The line copies the price into the session (\`src/totals.ts:30\`), and the cart page shows that copy for up to thirty days.
- At 03:10 the feed raised JAS-100 to 16.90.
- The checkout reads fresh prices (\`src/checkout.ts:21\`) and says nothing about it: 3 × 16.90 + 7 % = **54.25**.

(The product table above is the replica's snapshot from the evening before, which is why it still says 1580.)

\`docs/pricing.md\` even knows: "If a price changed since, the cart must say so before anyone pays. Not built yet." I suggest that we build exactly that. Now the count for finance.`);
  talk.step("Count: orders paid, with voucher, whose previous order number of the same session was declined. order_audit has shown and charged. Those with charged < shown and voucher not null.",
    null, run("PGSSLMODE=require psql -c \"select date_trunc('month', paid_at)::date as month, count(*) as orders, count(*) filter (where abs(charged - shown) = 1) as by_a_cent, count(*) filter (where voucher is not null and charged < shown - 1) as paid_less, sum(shown - charged) filter (where voucher is not null and charged < shown - 1) as cents_lost, count(*) filter (where voucher is null and charged > shown + 1) as price_rose from order_audit where paid_at >= '2025-11-01' group by 1 order by 1\"", `   month    | orders | by_a_cent | paid_less | cents_lost | price_rose
------------+--------+-----------+-----------+------------+------------
 2025-11-01 |   1204 |        71 |         3 |       1412 |          2
 2025-12-01 |   2911 |       166 |        11 |       6028 |          4
 2026-01-01 |    987 |        52 |         2 |        731 |          1
 2026-02-01 |    940 |        55 |         1 |        388 |          3
 2026-03-01 |   1033 |        60 |         4 |       1904 |          2
 2026-04-01 |    512 |        31 |         3 |       1377 |          1
(6 rows)`));
  talk.answer(null, `Since November, of 7,587 orders:

- **435** were off by one cent (rounding, both ways, 9 cents in the customers' favour in sum),
- **24** got their voucher twice and paid less, **118.40** in all; 20433 is the one that paid more, because of the parcel,
- **13** were charged a price that rose while they shopped.

All three faults are old. None is urgent enough for a patch in the night, but I would fix them in this order: vouchers, rounding, changed prices. Shall I?`);
}
