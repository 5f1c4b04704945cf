/** Figures in words. */

/** 1234567 as 1,234,567. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** "1 message", "2 messages". */
export function amount(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** 64000 as 64k, 1048576 as 1M. */
export function short(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toFixed(1))}M`;
  return value >= 1000 ? `${Math.round(value / 1000)}k` : count(value);
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

export function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A count such as 16000, 16,000, 16k or 1.5m; undefined for anything else. */
export function tokensOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^\s*(\d[\d_,]*(?:\.\d+)?)\s*([km]?)\s*$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const factor = { "": 1, k: 1e3, m: 1e6 }[unit.toLowerCase()] ?? 1;
  const value = Math.round(Number(digits.replace(/[_,]/g, "")) * factor);
  return value > 0 ? value : undefined;
}
