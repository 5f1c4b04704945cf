/** What `--help` prints. */
export const HELP = `palimpsest: makes a request to a language model fit its context window

  palimpsest context FILE   what fills the window
  palimpsest check   FILE   the rules of the format that the history breaks
  palimpsest repair  FILE   mends what can be mended
  palimpsest trim    FILE   keeps the newest messages: --messages N, --exchanges N, --tokens N
  palimpsest compact FILE   shrinks it until it fits, from the cheapest means to the dearest
  palimpsest pages   FILE   draws it as pages for a model with vision: PNG files and the exact strings on them, into --out DIR

FILE is for pages any text; else it is a request body, a bare array of messages (JSON) or a Claude Code session (JSONL, main chain); "-" reads standard input.

  --model M          the model that is asked; default: the file's own
  --window N         tokens of its context window, whatever is known of the model
  --format F         openai-chat or anthropic; default: told from the file
  --reserve N        tokens kept free for the answer
  --out FILE         write the resulting body there, whole or not at all
  --json             print data for programs; without --out it holds the body, too
  --threshold X      compact: fraction of the window at which it acts (0.8)
  --target X         compact: how far down it goes (0.5)
  --rungs A,B        compact: which rungs to run: elide, images, snapshot, window
  --density D        compact, pages: safe or dense letters
  --cell WxH         compact, pages: pixels of a letter's cell, whatever the model
  --max-pages N      compact, pages: the oldest beyond it are left out
  --force            compact: act whatever the fill
  --help, --version

Numbers may end in k or m: 16k is 16,000, 1m is 1,000,000. Colours go to terminals only; NO_COLOR turns them off.
Exit code 1: check found violations, nothing made it fit, or the input was bad.
`;
