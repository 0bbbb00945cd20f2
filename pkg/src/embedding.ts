// Embeddings: the app's embedder, asked when something is added or searched for.

import { MemoryError } from "./errors.js";

/** Where a text lies among others: as many numbers for each text, of any length but 0. */
export type Embedding = Float32Array | number[];

/** Turns texts into embeddings, in their order. All of a memory's have to come from the same model. */
export type Embedder = (texts: string[]) => Promise<Embedding[]>;

/** How `embedAll` goes about it. */
export interface EmbedAllOptions {
  /** How many texts the embedder gets at once. Default: 32. */
  batchSize?: number | undefined;
  /** Called after each batch. Default: nothing. */
  onProgress?: ((progress: EmbedProgress) => void) | undefined;
  /** Stops after the batch under way, and rejects with its reason. What was embedded stays. Default: none. */
  signal?: AbortSignal | undefined;
}

/** How far `embedAll` has come. */
export interface EmbedProgress {
  /** How many entries have got an embedding. */
  done: number;
  /** How many had none at the beginning, or came in since. */
  total: number;
}

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
  return embeddings.map((embedding: Embedding) => plain(embedding) as number[]);
}

/** Numbers as JSON takes them. Anything else stays what it is, and is refused where all input is checked. */
export function plain(embedding: Embedding | undefined): unknown {
  return embedding instanceof Float32Array ? Array.from(embedding) : embedding;
}

/** What of a content is embedded: not the name of who says it. The same as in the core. */
export function said(content: string, speaker: string | undefined): string {
  return speaker && content.startsWith(`${speaker}:`)
    ? content.slice(speaker.length + 1).trimStart()
    : content;
}
