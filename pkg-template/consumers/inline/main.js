import { check, compact, UnsupportedFormatError } from "palimpsest/inline";
import { job } from "./job.mjs";

document.querySelector("pre").textContent = await job({ check, compact, UnsupportedFormatError });
