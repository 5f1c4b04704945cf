import type { Conversation } from "../../../pkg/index.js";
import type { Node } from "../../../pkg/stores/store.js";

export function turnOf(who: string, turn: number): object[];
export function takeTurns(talk: Conversation, who: string, turns: number, done: (turn: number) => unknown): Promise<void>;
export function allOf(talk: Conversation): Node[];
export function turnsIn(talk: Conversation, who: string): { turn: number; faults: string[] };
