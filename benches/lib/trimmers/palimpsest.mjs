// This package, with its defaults.
import { palimpsest } from "../package.mjs";

export const name = "palimpsest compact";

export async function trim({ request, options }) {
  return (await palimpsest.compact(request, options)).body;
}
