// The forms in which providers and SDKs take conversations.

import type { Json } from "./types.js";

/** Fields of a provider's own. */
export interface Fields {
  /** Any JSON, and nothing if there is no such field. */
  [field: string]: Json | undefined;
}

/** A conversation in each form, as the provider's documentation shows it. */
export interface Formats {
  /** `messages` of OpenAI's chat completions, and of the many that speak it. */
  openai: ({ role: "system" | "user" | "assistant" | "tool"; content: string | Json[] | null } & Fields)[];
  /** `input` of OpenAI's responses. */
  "openai-responses": ({ type: string } & Fields)[];
  /** `system` and `messages` of Anthropic's messages. */
  anthropic: { system?: string | Json[]; messages: { role: "user" | "assistant"; content: Json[] }[] };
  /** `systemInstruction` and `contents` of Gemini. */
  gemini: { systemInstruction?: { parts: Json[] }; contents: { role: "user" | "model"; parts: Json[] }[] };
  /** `ModelMessage[]` of the AI SDK. */
  "ai-sdk": { role: "system" | "user" | "assistant" | "tool"; content: string | Json[] }[];
  /** `UIMessage[]` of the AI SDK. */
  "ai-sdk-ui": ({ id: string; role: "system" | "user" | "assistant"; parts: Json[] } & Fields)[];
}

/** The name of a form. */
export type Format = keyof Formats;
