#!/usr/bin/env node
/** The command line: `npx palimpsest context|check|repair|trim|compact|pages FILE`. */
import { main } from "./cli/main.js";

process.exitCode = await main(process.argv.slice(2));
