// Embeddings as apps give them, and the embedder that makes them.

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

/** Numbers as JSON takes them. Anything else stays what it is, and is refused where all input is checked. */
export function plain(embedding: Embedding): number[];
export function plain(embedding: Embedding | undefined): number[] | undefined;
export function plain(embedding: Embedding | undefined): number[] | undefined {
  return embedding instanceof Float32Array ? Array.from(embedding) : embedding;
}

/** The core's items without an embedding. `embed` takes the same items, with an embedding in place of the text. */
export interface Unembedded {
  items: { [field: string]: unknown; text: string }[];
  total: number;
}
