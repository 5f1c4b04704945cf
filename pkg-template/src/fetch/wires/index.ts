/** The formats that are recognised. */
import type { Format } from "../../types.js";
import { anthropic } from "./anthropic.js";
import { openaiChat } from "./openai-chat.js";
import type { Wire } from "./wire.js";

export const WIRES: readonly Wire[] = [openaiChat, anthropic];

export const wireOf = (format: Format): Wire | undefined => WIRES.find((wire) => wire.format === format);
