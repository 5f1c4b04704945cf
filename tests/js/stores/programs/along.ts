/** `along.mjs directory id who count`: one of several writers; prints how often it had to unite. */
import { fileStore } from "../../../../pkg/stores/files.js";
import { writeAlong } from "../support/turns.js";

const [directory = "", id = "", who = "", count = ""] = process.argv.slice(2);
console.log(await writeAlong(fileStore(directory), id, who, Number(count)));
