import { check, compact, UnsupportedFormatError } from "palimpsest";
import { job } from "./job.mjs";

document.querySelector("pre").textContent = await job({ check, compact, UnsupportedFormatError });
