// Language packs: the words by which the core judges texts. A pack is loaded before the first call with a text in its
// language. Without it the core judges by simpler rules, so a failure to load never fails a call.

import type { Judge, JudgeOf } from "./judges.js";

/** The engine that carries out verbs. */
type Call = (verb: string, args: object) => Promise<unknown>;

/** One chunk per pack. `tests/js/packs.test.mjs` compares the table with the folder. */
const PACKS: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  ar: () => import("../../../packs/ar.txt"),
  de: () => import("../../../packs/de.txt"),
  en: () => import("../../../packs/en.txt"),
  es: () => import("../../../packs/es.txt"),
  fr: () => import("../../../packs/fr.txt"),
  hi: () => import("../../../packs/hi.txt"),
  id: () => import("../../../packs/id.txt"),
  ja: () => import("../../../packs/ja.txt"),
  ko: () => import("../../../packs/ko.txt"),
  pt: () => import("../../../packs/pt.txt"),
  ru: () => import("../../../packs/ru.txt"),
  th: () => import("../../../packs/th.txt"),
  vi: () => import("../../../packs/vi.txt"),
  zh: () => import("../../../packs/zh.txt"),
};

/** The arguments with texts to judge. */
const TEXTS: Readonly<Record<Judge, readonly string[]>> = {
  record: ["texts", "messages"],
  recordToMemory: ["content"],
  retrieve: ["query"],
  retrieveFromMemory: ["keywords"],
  queryMemory: ["query"],
  context: ["query"],
  forget: ["query"],
  // These compare stored texts.
  conflicts: [],
  resolve: [],
  add: ["content", "summary"],
  addMany: ["drafts"],
  update: ["content", "summary"],
  memoryAdd: ["content", "summary"],
};

/** How many milliseconds a call waits for a pack on a slow network. The pack is used as soon as it arrives. */
const TIMEOUT = 5_000;

/** How many milliseconds pass before a failed pack is requested again. */
const RETRY = 60_000;

/** A pack that was requested. */
interface Load {
  /** Whether the pack is used. Settles after the timeout at the latest. */
  settled: Promise<boolean>;
  failedAt?: number;
}

/** The packs of one memory. */
export class Packs {
  readonly #call: Call;
  readonly #judgeOf: JudgeOf;
  readonly #loads = new Map<string, Load>();
  readonly #warned = new Set<string>();

  /** `judgeOf` is an argument, because an import would move it into a chunk of its own, which every page loads first. */
  constructor(call: Call, judgeOf: JudgeOf) {
    this.#call = call;
    this.#judgeOf = judgeOf;
  }

  /** Loads the packs that the call of a verb needs. Never rejects: invalid arguments are reported by the call itself. */
  async prepare(verb: string, args: object): Promise<void> {
    try {
      const texts = await this.#texts(verb, args);
      if (texts.length > 0) await this.#load({ texts });
      // A request is judged in the languages of what is stored too, and an erased text cannot be judged again.
      if (verb === "forget") {
        const { query, messages } = Object(args);
        await this.#load({ forget: query, messages });
      }
    } catch {}
  }

  /** Loads the packs that a call needed for stored texts. Returns whether one was loaded. Never rejects. */
  async complete(): Promise<boolean> {
    try {
      return await this.#load({});
    } catch {
      return false;
    }
  }

  async #load(judged: { texts?: string[]; forget?: unknown; messages?: unknown }): Promise<boolean> {
    const missing = await this.#call("missingPacks", judged);
    if (!Array.isArray(missing)) return false;
    const loaded = await Promise.all(missing.map((code) => this.#loaded(String(code))));
    return loaded.includes(true);
  }

  /** The texts that a call judges. */
  async #texts(verb: string, args: object): Promise<string[]> {
    const given: Record<string, unknown> = { ...args };
    const { verb: searching, name, args: inner, query, session } = given;
    if (verb === "candidates") return this.#texts(String(searching), objectOf(inner));
    // The core redacts what a model adds.
    if (verb === "callTool")
      return this.#texts(verbOf(String(name)), { ...objectOf(inner), secrets: "redact" });
    // Without a query, a prompt is about the user's last message.
    if (verb === "context" && query === undefined) return textsIn(await this.#call("lastAsked", { session }));
    if (verb === "conflicts" || verb === "resolve") {
      return textsIn(await this.#call("list", { namespace: "long-term", limit: 1000 }));
    }
    const judge = this.#judgeOf(verb, given);
    return judge ? textsIn(TEXTS[judge].map((field) => given[field])) : [];
  }

  #loaded(code: string): Promise<boolean> {
    const known = this.#loads.get(code);
    if (known && Date.now() < (known.failedAt ?? Number.POSITIVE_INFINITY) + RETRY) return known.settled;
    const load: Load = { settled: Promise.resolve(false) };
    this.#loads.set(code, load);
    load.settled = within(TIMEOUT, this.#request(code, load));
    return load.settled;
  }

  async #request(code: string, load: Load): Promise<boolean> {
    try {
      const pack = await PACKS[code]?.();
      // Refused only after a crash or a close.
      const used =
        pack &&
        (await this.#call("usePack", { pack: pack.default }).then(
          () => true,
          () => false,
        ));
      // A new instance of the core, as in a restarted worker, reports the pack as missing again.
      this.#loads.delete(code);
      return used ?? false;
    } catch (error) {
      load.failedAt = Date.now();
      if (!this.#warned.has(code)) console.warn(`keepsake: language pack "${code}":`, error);
      this.#warned.add(code);
      return false;
    }
  }
}

/** The texts in a value: a string, a message, a text block, an entry, or an array of them. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  if ("text" in value) return textsIn(value.text);
  if ("summary" in value) return textsIn(value.summary);
  return "role" in value && "content" in value ? textsIn(value.content) : [];
}

/** The verb of a tool: `recordToMemory` for `record_to_memory`. */
function verbOf(tool: string): string {
  return tool.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** An object, or the JSON of one: some models pass the arguments of a tool as a string. */
function objectOf(args: unknown): object {
  return Object(typeof args === "string" ? JSON.parse(args) : args);
}

/** The answer of `work`, or `false` after a timeout. */
function within(millis: number, work: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), millis);
    void work.then((answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}
