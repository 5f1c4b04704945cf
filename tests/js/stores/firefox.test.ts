/** The shared suite in IndexedDB of a real Firefox, where there is one. */
import { expect, test } from "vitest";
import { workshop } from "../support/consumer.js";
import { serve } from "../support/page.js";
import { storeSuite } from "./suite.js";
import { firefox, profile, startFirefox } from "./support/browsers.js";
import { bundlePage } from "./support/bundle.js";

const shop = workshop();

test.skipIf(!firefox)("indexedDBStore in Firefox", async () => {
  await bundlePage(shop, "suite.ts");
  let tell = (_: Record<string, string>): void => {};
  const told = new Promise<Record<string, string>>((resolve) => (tell = resolve));
  await using site = await serve(shop, (path, body) => (path === "/results" ? (tell(JSON.parse(body)), "") : undefined));
  using kept = profile();
  const browser = startFirefox(kept.folder, `${site.url}#all`);
  try {
    const results = await told;
    expect(Object.entries(results).filter(([, fault]) => fault !== "")).toEqual([]);
    expect(Object.keys(results)).toEqual(storeSuite(() => ({ open: () => Promise.reject() })).map(({ name }) => name));
  } finally {
    await browser.kill();
  }
}, 120_000);
