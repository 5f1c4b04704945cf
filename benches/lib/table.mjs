// Tables for a terminal.

/** Rows under a head; the first column is text and stands left, the others right. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => String(cell ?? "–")));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells.map((row) => row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join("  ").trimEnd()).join("\n");
}

export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
export const times = (ratio) => `${ratio.toFixed(ratio < 10 ? 2 : 0)}×`;
export const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
export const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
export const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
export const rate = (bytes, millis) => `${(bytes / 1000 / millis).toFixed(bytes / 1000 / millis < 10 ? 1 : 0)} MB/s`;
export const thousands = (n) => n.toLocaleString("en-US");
