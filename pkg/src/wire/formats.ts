// Message formats of providers and SDKs.

import type { Listed } from "../base/listed.js";
import type { Json } from "./types.js";

/** Provider-specific fields. */
export interface Fields {
  /** Any JSON value; `undefined` if the field is missing. */
  [field: string]: Json | undefined;
}

/** A conversation in each format, as the provider documents it. */
export interface Formats {
  /** `messages` of OpenAI's Chat Completions API and of compatible APIs. */
  openai: ({ role: "system" | "user" | "assistant" | "tool"; content: string | Json[] | null } & Fields)[];
  /** `input` of OpenAI's Responses API. */
  "openai-responses": ({ type: string } & Fields)[];
  /** `system` and `messages` of Anthropic's Messages API. */
  anthropic: { system?: string | Json[]; messages: { role: "user" | "assistant"; content: Json[] }[] };
  /** `systemInstruction` and `contents` of the Gemini API. */
  gemini: { systemInstruction?: { parts: Json[] }; contents: { role: "user" | "model"; parts: Json[] }[] };
  /** `ModelMessage[]` of the AI SDK. */
  "ai-sdk": { role: "system" | "user" | "assistant" | "tool"; content: string | Json[] }[];
  /** `UIMessage[]` of the AI SDK. */
  "ai-sdk-ui": ({ id: string; role: "system" | "user" | "assistant"; parts: Json[] } & Fields)[];
}

/** The name of a format. */
export type Format = Listed<{ [F in keyof Formats]: F }[keyof Formats]>;
