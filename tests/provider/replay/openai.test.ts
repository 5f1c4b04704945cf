import { replay } from "../replay.js";

await replay("openai");
