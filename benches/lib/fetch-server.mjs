// A provider on a loopback port, in a process of its own: reads a request to its end, then answers at once, whole or as a stream whose
// second event comes later. Prints its port.
import { createServer } from "node:http";

const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const usage = { prompt_tokens: 1000, completion_tokens: 2, total_tokens: 1002 };
const whole = JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }], usage });
const first = event({ choices: [{ index: 0, delta: { content: "Yes." } }] });
const last = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage }) + event("[DONE]");

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.headers["x-stream"]) {
      response.setHeader("content-type", "text/event-stream").write(first);
      setTimeout(() => response.end(last), 5);
    } else response.setHeader("content-type", "application/json").end(whole);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.on("disconnect", () => process.exit());
