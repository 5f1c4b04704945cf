import { replay } from "../replay.js";

await replay("ai-openai");
