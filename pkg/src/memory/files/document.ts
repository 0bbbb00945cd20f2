// What a file of Markdown says in the documented shapes, with the lines where it says so.

import type { MemoryDocument } from "../../wire/documents.js";
/** The documented files, and any other. */
export type DocumentKind = MemoryDocument["kind"];
