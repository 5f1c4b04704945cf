/** The tables, and how they came to be so. */
import { CorruptStoreError } from "../../errors.js";

type Ask = (query: string, ...bindings: unknown[]) => unknown[];

/** One step a version of the tables, numbered from 1. Steps are added, never changed. */
const MIGRATIONS: readonly (readonly string[])[] = [
  // 1
  [
    // `floor`: the highest revision that was ever removed.
    "CREATE TABLE palimpsest_facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
    // Names are JSON texts: that has a letter for everything a string of JavaScript can hold, where UTF-8 has none for half a pair.
    `CREATE TABLE palimpsest_heads (
       number INTEGER PRIMARY KEY, id TEXT NOT NULL, agent TEXT NOT NULL,
       version INTEGER NOT NULL, revision INTEGER NOT NULL, updated INTEGER NOT NULL, messages INTEGER NOT NULL, UNIQUE (id, agent))`,
    "CREATE INDEX palimpsest_newest ON palimpsest_heads (updated)",
    // Texts and bytes that are longer than a row may be go on in the next \`part\`.
    "CREATE TABLE palimpsest_head_parts (conversation INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (conversation, part))",
    `CREATE TABLE palimpsest_nodes (
       conversation INTEGER NOT NULL, seq INTEGER NOT NULL, part INTEGER NOT NULL, id TEXT, parent TEXT, text TEXT NOT NULL,
       PRIMARY KEY (conversation, seq, part))`,
    "CREATE UNIQUE INDEX palimpsest_node_ids ON palimpsest_nodes (conversation, id) WHERE part = 0",
    "CREATE TABLE palimpsest_blobs (hash TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (hash, part))",
    "CREATE TABLE palimpsest_uses (hash TEXT NOT NULL, conversation INTEGER NOT NULL, PRIMARY KEY (hash, conversation)) WITHOUT ROWID",
    "CREATE INDEX palimpsest_used_by ON palimpsest_uses (conversation)",
  ],
];

/** Brings the tables up to date, within the transaction of the caller. */
export function migrate(ask: Ask): void {
  const exist = ask("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'palimpsest_facts'").length > 0;
  const [row] = exist ? ask("SELECT value FROM palimpsest_facts WHERE name = 'version'") : [];
  const version = (row as { value: number } | undefined)?.value ?? 0;
  if (version > MIGRATIONS.length) {
    throw new CorruptStoreError(`The tables of this Durable Object were made by a later version of palimpsest (${version}, this one knows ${MIGRATIONS.length}). Use that version.`);
  }
  if (version === MIGRATIONS.length) return;
  for (const step of MIGRATIONS.slice(version)) for (const statement of step) ask(statement);
  ask("INSERT OR REPLACE INTO palimpsest_facts VALUES ('version', ?)", MIGRATIONS.length);
}
