import { check, compact, UnsupportedFormatError } from "palimpsest";
import { job } from "./job.mjs";

process.stdout.write(await job({ check, compact, UnsupportedFormatError }));
