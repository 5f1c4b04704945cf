import * as api from "palimpsest";
import * as core from "./node_modules/palimpsest/core.js";
import { answers, damaged } from "./calls.js";

export default {
  async fetch(request) {
    const { calls, call } = await request.json();
    return Response.json(calls ? await answers(api, calls) : await damaged(api, core, call));
  },
};
