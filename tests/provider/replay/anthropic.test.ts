import { replay } from "../replay.js";

await replay("anthropic");
