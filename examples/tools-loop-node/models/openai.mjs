// OpenAI's chat completions. The client reads OPENAI_API_KEY, and OPENAI_BASE_URL for any other server that speaks the same API.

import OpenAI from "openai";

const client = new OpenAI();

export const format = "openai";

export async function model(messages, tools) {
  const { choices } = await client.chat.completions.create({
    model: process.env.OPENAI_MODEL ?? "gpt-5-mini",
    messages,
    tools,
  });
  return choices[0].message;
}
