// Answers of tools.

import type { Json } from "./types.js";

/** What a call came to. */
export interface ToolResult {
  /** For the model: what it asked for in few words, or what it has to do otherwise. */
  text: string;
  /** The same for programs; not there if it failed. */
  data?: Json;
  /** Whether the model has to call again, otherwise. */
  isError: boolean;
}
