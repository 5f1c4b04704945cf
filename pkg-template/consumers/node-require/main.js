const { check, compact, UnsupportedFormatError } = require("palimpsest");
const { job } = require("./job.mjs");

job({ check, compact, UnsupportedFormatError }).then((text) => process.stdout.write(text));
