// Servers on loopback that speak the APIs of OpenAI and Anthropic. They answer with one step of a script after the other, and refuse
// a request that the API would refuse: without its key, or with results that follow no call.

import assert from "node:assert/strict";
import { createServer } from "node:http";

/**
 * OpenAI's chat completions.
 *
 * @param {({ text: string } | { call: string, args: object })[]} steps
 */
export function openaiServer(steps) {
  return serve(steps, "/chat/completions", (request, body, step, at) => {
    assert.match(request.headers.authorization ?? "", /^Bearer ./);
    assert.equal(typeof body.model, "string");
    const called = body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    for (const { role, tool_call_id } of body.messages) {
      if (role === "tool") assert.ok(called.includes(tool_call_id), "a result follows its call");
    }
    const tool_calls = step.call && [
      {
        id: `call_${at}`,
        type: "function",
        function: { name: step.call, arguments: JSON.stringify(step.args) },
      },
    ];
    return {
      id: `chatcmpl-${at}`,
      object: "chat.completion",
      created: 0,
      model: body.model,
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: step.text ?? null,
            refusal: null,
            ...(tool_calls && { tool_calls }),
          },
          logprobs: null,
          finish_reason: tool_calls ? "tool_calls" : "stop",
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
  });
}

/**
 * Anthropic's messages.
 *
 * @param {({ text: string } | { call: string, args: object })[]} steps
 */
export function anthropicServer(steps) {
  return serve(steps, "/v1/messages", (request, body, step, at) => {
    const key = request.headers["x-api-key"] ?? request.headers.authorization;
    assert.ok(key && request.headers["anthropic-version"], "a key and the version of the API");
    assert.equal(typeof body.max_tokens, "number");
    const inMessages = (type) =>
      body.messages.flatMap(({ content }) =>
        Array.isArray(content) ? content.filter((block) => block.type === type) : [],
      );
    const called = inMessages("tool_use").map(({ id }) => id);
    for (const { tool_use_id } of inMessages("tool_result")) {
      assert.ok(called.includes(tool_use_id), "a result follows its call");
    }
    const block = step.call
      ? { type: "tool_use", id: `toolu_${at}`, name: step.call, input: step.args }
      : { type: "text", text: step.text };
    return {
      id: `msg_${at}`,
      type: "message",
      role: "assistant",
      model: body.model,
      content: [block],
      stop_reason: step.call ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  });
}

async function serve(steps, path, answer) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const send = (status, body) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      assert.equal(`${request.method} ${request.url}`, `POST ${path}`);
      const body = JSON.parse(text);
      const at = requests.push(body) - 1;
      assert.ok(at < steps.length, "the script has no more steps");
      send(200, answer(request, body, steps[at], at));
    } catch (error) {
      send(400, { type: "error", error: { type: "invalid_request_error", message: String(error) } });
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
