// Anthropic's messages. The client reads ANTHROPIC_API_KEY.

import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic();

export const format = "anthropic";

export async function model(prompt, tools) {
  const { role, content } = await client.messages.create({
    model: process.env.ANTHROPIC_MODEL ?? "claude-sonnet-5",
    max_tokens: 4096,
    ...prompt,
    tools,
  });
  return { role, content };
}
