/** Cloudflare's own runtime, started by miniflare, around one bundled Worker. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { Miniflare, type Request, Response } from "miniflare";

/** Bundles a Worker as Wrangler does: conditions for Workers, `.wasm` and `.bin` kept beside the script as modules of their own. Names of the files written. */
export async function bundle(folder: string, script: string): Promise<string[]> {
  const outdir = join(folder, "dist");
  await build({
    absWorkingDir: folder,
    entryPoints: [script],
    outdir,
    entryNames: "worker",
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    loader: { ".wasm": "copy", ".bin": "copy" },
    logLevel: "error",
  });
  return readdirSync(outdir);
}

/** Runs what `bundle` wrote. Whatever the Worker fetches is answered by `upstream`; it reaches no network. */
export function workerd(folder: string, upstream: (request: Request) => Promise<string | Response>, bindings: Record<string, string> = {}): Miniflare {
  return new Miniflare({
    modules: true,
    modulesRoot: join(folder, "dist"),
    scriptPath: join(folder, "dist/worker.js"),
    modulesRules: [
      { type: "CompiledWasm", include: ["**/*.wasm"] },
      { type: "Data", include: ["**/*.bin"] },
    ],
    compatibilityDate: "2025-01-01",
    bindings,
    outboundService: async (request: Request) => {
      const answer = await upstream(request);
      return typeof answer === "string" ? new Response(answer) : answer;
    },
  });
}
