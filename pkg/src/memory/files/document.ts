// The kinds of Markdown documents with a documented format.

import type { MemoryDocument } from "../../wire/documents.js";
/** The kind of a document: a documented one, or any other. */
export type DocumentKind = MemoryDocument["kind"];
