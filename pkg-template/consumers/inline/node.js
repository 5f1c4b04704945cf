import { check, compact, UnsupportedFormatError } from "palimpsest/inline";
import { job } from "./job.mjs";

process.stdout.write(await job({ check, compact, UnsupportedFormatError }));
