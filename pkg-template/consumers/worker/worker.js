// Stands before a provider: a request that is too large goes in and goes on so that it fits.
import { compact, PalimpsestError } from "palimpsest";

export default {
  async fetch(request, env) {
    try {
      const { body, options } = await request.json();
      const { body: smaller, report } = await compact(body, options);
      const answer = await fetch(env.UPSTREAM, { method: "POST", body: JSON.stringify(smaller) });
      const { before, after, fits } = report;
      return Response.json({ answer: await answer.text(), before, after, fits });
    } catch (error) {
      if (!(error instanceof PalimpsestError)) throw error;
      const { name, code, message } = error;
      return Response.json({ name, code, message }, { status: 400 });
    }
  },
};
