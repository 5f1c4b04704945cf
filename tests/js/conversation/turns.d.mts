import type { Conversation, Violation } from "../../../pkg/index.js";
import type { Node, NodeId } from "../../../pkg/stores/store.js";

export interface Found {
  turn: number;
  faults: string[];
}

export function turnOf(who: string, turn: number): object[];
export function takeTurns(talk: Conversation, who: string, turns: number, done: (turn: number) => unknown, from?: NodeId | null): Promise<void>;
export function allOf(talk: Conversation): Node[];
export function turnsIn(talk: Conversation, who: string): Found;
export function foundIn(talk: Conversation, who: string, check: (body: any, options: { format: any }) => Promise<Violation[]>): Promise<Found>;
export function hearing(talk: Conversation, who: string, from?: NodeId | null): { messages: number; times: number };
export function heardAll(heard: { messages: number; times: number }, turns: number): Promise<void>;
