// The other side of Anthropic's SDK: a `fetch` that answers as the API does, streamed or not, with what a script says.

const message = (content) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "scripted",
  content,
  stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

/** The events of a streamed message. Texts and inputs come in pieces. */
function events({ content, stop_reason, ...rest }) {
  const all = [{ type: "message_start", message: { ...rest, content: [], stop_reason: null } }];
  for (const [index, block] of content.entries()) {
    const isTool = block.type === "tool_use";
    const whole = isTool ? JSON.stringify(block.input) : block.text;
    const empty = isTool ? { ...block, input: {} } : { ...block, text: "" };
    all.push({ type: "content_block_start", index, content_block: empty });
    for (let at = 0; at < whole.length; at += 7) {
      const piece = whole.slice(at, at + 7);
      const delta = isTool
        ? { type: "input_json_delta", partial_json: piece }
        : { type: "text_delta", text: piece };
      all.push({ type: "content_block_delta", index, delta });
    }
    all.push({ type: "content_block_stop", index });
  }
  all.push({
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 1 },
  });
  all.push({ type: "message_stop" });
  return all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The results of the tools that the model called last, as it sees them. */
export function resultsIn({ messages }) {
  const { content } = messages.at(-1);
  return Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [];
}

/**
 * A model that does one step after the other. A step is the input of the tool `name`, or what it says at the end, or a
 * function that makes one of these of the results before it. `requests` holds what the model was sent.
 */
export function scripted(steps, name = "memory") {
  const requests = [];
  const fetch = async (_url, { body }) => {
    const request = JSON.parse(body);
    const step = steps[requests.length];
    requests.push(request);
    const said = typeof step === "function" ? step(resultsIn(request)) : step;
    const call = (input, at) => {
      const { tool = name, ...args } = input;
      return { type: "tool_use", id: `toolu_${requests.length}_${at}`, name: tool, input: args };
    };
    const content =
      typeof said === "string"
        ? [{ type: "text", text: said }]
        : [said].flat().map((input, at) => call(input, at));
    if (!request.stream) return Response.json(message(content));
    const lines = events(message(content)).map((line) => new TextEncoder().encode(line));
    const stream = new ReadableStream({
      pull(controller) {
        const line = lines.shift();
        if (line) controller.enqueue(line);
        else controller.close();
      },
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  return { fetch, requests };
}
