// What a file of word meanings must do in every runtime: told as data, so that the code can run inside a page or a worker.

/** Talk in which a question for a class shares no word with its member. */
const SAID = [
  "Good morning! Did you sleep well?",
  "Last weekend I played tennis with my brother.",
  "I bought a violin and practise every evening.",
  "We should order a pizza when she comes.",
  "I have to leave for the office now.",
];

const QUESTIONS = ["Which sports are there?", "Which musical instruments are there?", "What food was there?"];

/** The best hit of each question without the file and with it, and how wrong files are refused. */
export async function tryMeaning(openMemory, file) {
  const open = (options) => openMemory({ user: "ann", storage: "memory", ...options });
  const best = async (options) => {
    const memory = await open(options);
    for (const [at, content] of SAID.entries())
      await memory.add(content, { session: `s-${at}`, speaker: "Ben" });
    const hits = await Promise.all(QUESTIONS.map((query) => memory.search(query, { limit: 1 })));
    await memory.close();
    return hits.map(([hit]) => hit?.summary ?? null);
  };
  const refused = async (meaning) => {
    const error = await open({ meaning }).then(
      (memory) => memory.close(),
      (error) => error,
    );
    return error && [error.name, error.code, error.field];
  };
  const newer = Uint8Array.from(file);
  newer[3] += 1;
  const random = crypto.getRandomValues(new Uint8Array(60_000));
  const torn = Uint8Array.from(file);
  torn.set(random.subarray(0, 4096), 12);
  const embedder = async (texts) => texts.map((text) => [/loud|noise/.test(text) ? 1 : 0, 1]);
  return {
    without: await best({}),
    with: await best({ meaning: file }),
    withEmbedder: await best({ meaning: file, embedder }),
    refused: await Promise.all(
      [newer, file.subarray(0, 100_000), torn, random, new Uint8Array(0)].map(refused),
    ),
  };
}

const FOUND = [SAID[1], SAID[2], SAID[3]];

/** What `tryMeaning` must answer. */
export const WANTED = {
  without: [null, null, null],
  with: FOUND,
  withEmbedder: FOUND,
  refused: Array(5).fill(["MemoryError", "invalid-input", "meaning"]),
};
