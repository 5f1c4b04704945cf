/** A provider that says what it is told to, and keeps what it was asked. */

export interface Got {
  args: any[];
  url: string;
  headers: Headers;
  text: string;
  body: any;
}

type Reply = Response | ((got: Got) => Response | Promise<Response>);

/** Answers in turn; the last one answers for ever. */
export function upstream(...replies: Reply[]): { fetch: typeof fetch; got: Got[] } {
  const got: Got[] = [];
  const answer = async (...args: any[]): Promise<Response> => {
    const [input, init] = args;
    const request = new Request(input instanceof Request ? input.clone() : input, init);
    const text = await request.text();
    const one: Got = { args, url: request.url, headers: request.headers, text, body: attempt(text) };
    const reply = replies[Math.min(got.length, replies.length - 1)] as Reply;
    got.push(one);
    return typeof reply === "function" ? reply(one) : reply.clone();
  };
  return { fetch: answer as typeof fetch, got };
}

function attempt(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

export const chatUrl = "https://provider.example/v1/chat/completions";
export const messagesUrl = "https://provider.example/v1/messages";

/** What a provider answers when all is well. */
export const chatReply = (content = "Yes.", usage: object = { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 }): object => ({
  id: "c1", object: "chat.completion", model: "gpt-4o",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage,
});
export const anthropicReply = (text = "Yes.", usage: object = { input_tokens: 100, output_tokens: 2 }): object => ({
  id: "m1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "text", text }], stop_reason: "end_turn", stop_sequence: null, usage,
});

/** How providers refuse. */
export const chatRefusal = (message: string, code: string | null = "context_length_exceeded", status = 400): Response =>
  json({ error: { message, type: "invalid_request_error", param: "messages", code } }, status);
export const anthropicRefusal = (message: string, status = 400, type = "invalid_request_error"): Response => json({ type: "error", error: { type, message } }, status);
export const chatTooLong = (limit: number, actual: number): Response =>
  chatRefusal(`This model's maximum context length is ${limit} tokens. However, your messages resulted in ${actual} tokens. Please reduce the length of the messages.`);
export const anthropicTooLong = (limit: number, actual: number): Response => anthropicRefusal(`prompt is too long: ${actual} tokens > ${limit} maximum`);

export const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** A stream of server-sent events, each in a chunk of its own unless it is cut. */
export function stream(events: string[], headers: Record<string, string> = {}): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      for (const event of events) controller.enqueue(encoder.encode(event));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", ...headers } });
}
export const data = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
export const named = (event: { type: string; [key: string]: unknown }): string => `event: ${event.type}\n${data(event)}`;

/** A picture of 800 by 600 pixels and so many bytes. */
export function picture(bytes = 6000): string {
  const head = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAAAAAC/Hd2s", "base64");
  return Buffer.concat([head, Buffer.alloc(bytes, 7)]).toString("base64");
}
