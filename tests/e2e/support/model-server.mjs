// A model's endpoint on loopback that speaks the real wire formats: OpenAI's chat completions and Anthropic's messages,
// as streams of events. What it answers, and how it fails, is the test's to say.

import { createServer } from "node:http";

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Allow-Methods": "POST",
};

/**
 * Starts it. `plan` is changed by the test: `words`, `fail` ("key", "cut", "busy"), `hold` (a promise before the end),
 * `pieces` (lines end in CRLF, the stream comes in pieces of so many bytes, and no empty line follows the last event).
 */
export async function modelServer() {
  const plan = { words: ["Hello", " there"], fail: undefined, hold: undefined, pieces: undefined };
  const requests = [];
  const server = createServer(async (request, response) => {
    if (request.method === "OPTIONS") return response.writeHead(204, CORS).end();
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url, headers: request.headers, body: JSON.parse(body) });
    const refuse = (status, message) => {
      response.writeHead(status, { ...CORS, "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: { type: "error", message } }));
    };
    if (plan.fail === "key") return refuse(401, "Incorrect key provided");
    if (plan.fail === "busy") return refuse(429, "Slow down");
    response.writeHead(200, { ...CORS, "Content-Type": "text/event-stream" });
    const events = request.url.endsWith("/messages") ? anthropic(plan.words) : openai(plan.words);
    for (const [at, event] of events.entries()) {
      if (at === events.length - 2) await plan.hold;
      // The stream ends without its end: what was written is there, and the last chunk is not.
      if (plan.fail === "cut" && at === events.length - 2) return response.socket.end();
      for (const piece of plan.pieces ? pieces(event, plan.pieces, at === events.length - 1) : [event]) {
        await new Promise((written) => response.write(piece, written));
      }
    }
    response.end();
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    plan,
    requests,
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}

function pieces(event, length, isLast) {
  const bytes = Buffer.from((isLast ? event.slice(0, -1) : event).replaceAll("\n", "\r\n"));
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) =>
    bytes.subarray(n * length, (n + 1) * length),
  );
}

function openai(words) {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason }],
    })}\n\n`;
  return [
    ": a comment, which is no event\n\n",
    chunk({ role: "assistant", content: "" }),
    ...words.map((content) => chunk({ content })),
    chunk({}, "stop"),
    "data: [DONE]\n\n",
  ];
}

function anthropic(words) {
  const event = (type, fields) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  return [
    event("message_start", { message: { id: "msg_1", role: "assistant", content: [], model: "m" } }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event("ping", {}),
    ...words.map((text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } })),
    event("content_block_stop", { index: 0 }),
    event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
    event("message_stop", {}),
  ];
}
