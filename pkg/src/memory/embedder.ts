// Calls to the app's embedder.

import { MemoryError } from "../base/errors.js";
import { type Embedder, type Embedding, plain } from "../wire/embedding.js";

/** Embeds one string. If the embedder fails, calls `onError` and returns `undefined`. */
export async function embedOne(
  embedder: Embedder,
  text: string,
  onError: (error: unknown) => void,
): Promise<number[] | undefined> {
  try {
    const [embedding] = await embedded(embedder, [text]);
    return embedding;
  } catch (error) {
    onError(error);
    return undefined;
  }
}

/** Embeds strings. Rejects with `invalid-input` unless the embedder returns one embedding per string. */
export async function embedded(embedder: Embedder, texts: string[]): Promise<number[][]> {
  const embeddings: unknown = await embedder(texts);
  const isOneEach = Array.isArray(embeddings) && embeddings.length === texts.length;
  if (!isOneEach || embeddings.includes(null) || embeddings.includes(undefined)) {
    const problem = `\`embedder\` must return ${texts.length} embeddings, one per string`;
    throw new MemoryError("invalid-input", problem, { field: "embedder" });
  }
  return embeddings.map((embedding: Embedding) => plain(embedding));
}

/** The part of a content to embed: without the speaker's name. Must match the core. */
export function said(content: string, speaker: string | undefined): string {
  return speaker && content.startsWith(`${speaker}:`)
    ? content.slice(speaker.length + 1).trimStart()
    : content;
}
