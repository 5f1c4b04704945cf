/** Names of files: any id and agent gives one that every file system takes, and no two the same. */
import { createHash } from "node:crypto";

/** What a person recognises, then what is unique: 40 + 2 × 33 letters and `.json`, of 255 that a name may have. */
export function nameOf(id: string, agent: string): string {
  return `${prefixOf(id)}${hashOf(agent)}.json`;
}

/** What the files of all agents of a conversation begin with. */
export function prefixOf(id: string): string {
  return `${recognisable(id)}_${hashOf(id)}_`;
}

export function isConversation(name: string): boolean {
  return /^[a-z0-9-]{0,40}_[0-9a-f]{32}_[0-9a-f]{32}\.json$/.test(name);
}

/** Lower case only: on some file systems `A` and `a` are one name. The rest of the id is told apart by the hash. */
const recognisable = (id: string): string => id.slice(0, 40).toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** Of its JSON, which tells apart what UTF-8 would not (halves of pairs). */
const hashOf = (name: string): string => createHash("sha256").update(JSON.stringify(name)).digest("hex").slice(0, 32);
