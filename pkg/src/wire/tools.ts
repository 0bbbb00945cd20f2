// Results of tool calls.

import type { Json } from "./types.js";

/** The result of a tool call. */
export interface ToolResult {
  /** The text for the model: a short answer, or instructions to correct the call. */
  text: string;
  /** The answer as JSON for programs; omitted if the call failed. */
  data?: Json;
  /** Whether the call failed and the model has to correct it. */
  isError: boolean;
}
