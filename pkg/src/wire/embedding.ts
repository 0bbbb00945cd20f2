// Embeddings and the function that computes them.

/** The embedding vector of a text. All vectors have the same length, which is not 0. */
export type Embedding = Float32Array | number[];

/** Computes the embeddings of texts, in their order. All embeddings of a memory must come from the same model. */
export type Embedder = (texts: string[]) => Promise<Embedding[]>;

/** Options of `embedAll`. */
export interface EmbedAllOptions {
  /** The number of texts per call of the embedder. Default: 32. */
  batchSize?: number | undefined;
  /** Called after each batch. Default: none. */
  onProgress?: ((progress: EmbedProgress) => void) | undefined;
  /**
   * Stops after the current batch; the call rejects with the signal's reason. Computed embeddings are kept. Default:
   * none.
   */
  signal?: AbortSignal | undefined;
}

/** Progress of `embedAll`. */
export interface EmbedProgress {
  /** The number of entries that got an embedding. */
  done: number;
  /** The number of entries that had no embedding at the start, or were added since. */
  total: number;
}

/** Converts a vector to a plain array for JSON. Any other value is passed on unchanged, and the core rejects it. */
export function plain(embedding: Embedding): number[];
export function plain(embedding: Embedding | undefined): number[] | undefined;
export function plain(embedding: Embedding | undefined): number[] | undefined {
  return embedding instanceof Float32Array ? Array.from(embedding) : embedding;
}

/** The core's items without an embedding. `embed` takes the same items with an embedding in place of the text. */
export interface Unembedded {
  items: { [field: string]: unknown; text: string }[];
  total: number;
}
