// The app's embedder, asked when something is added or searched for.

import { MemoryError } from "../base/errors.js";
import { type Embedder, type Embedding, plain } from "../wire/embedding.js";

/** Asks the embedder; a failure is told to `onError`, and the text stays without an embedding. */
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

/** Asks the embedder, and makes sure that there is an embedding for each text. */
export async function embedded(embedder: Embedder, texts: string[]): Promise<number[][]> {
  const embeddings: unknown = await embedder(texts);
  const isOneEach = Array.isArray(embeddings) && embeddings.length === texts.length;
  if (!isOneEach || embeddings.includes(null) || embeddings.includes(undefined)) {
    const problem = `\`embedder\` must answer ${texts.length} embeddings, one a text`;
    throw new MemoryError("invalid-input", problem, { field: "embedder" });
  }
  return embeddings.map((embedding: Embedding) => plain(embedding));
}

/** What of a content is embedded: not the name of who says it. The same as in the core. */
export function said(content: string, speaker: string | undefined): string {
  return speaker && content.startsWith(`${speaker}:`)
    ? content.slice(speaker.length + 1).trimStart()
    : content;
}
