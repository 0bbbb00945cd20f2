/**
 * The class of mem0's open-source package, on memories of this library: an app switches by changing the import.
 *
 * @module keepsake/mem0
 */

import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Memory as Keepsake } from "../../memory/memory.js";
import type { MemoryHit } from "../../wire/search.js";
import type { Json, MemoryEntryWithContent, Metadata } from "../../wire/types.js";
import {
  checkNumbers,
  dayOf,
  idOf,
  messagesOf,
  missing,
  misuse,
  noIdsBeside,
  unsupported,
  withoutIdentity,
} from "./checks.js";
import { asked } from "./filters.js";
import { md5 } from "./md5.js";
import type {
  AddMemoryOptions,
  Entity,
  GetAllMemoryOptions,
  HistoryItem,
  MemoryConfig,
  MemoryItem,
  Message,
  SearchMemoryOptions,
  SearchResult,
  UpdateMemoryOptions,
} from "./types.js";
import { type UserMemory, type Users, usersOf } from "./users.js";

export type {
  AddMemoryOptions,
  Condition,
  Entity,
  GetAllMemoryOptions,
  HistoryItem,
  ImageContent,
  ManyUsers,
  MemoryConfig,
  MemoryItem,
  Message,
  OneUser,
  SearchFilters,
  SearchMemoryOptions,
  SearchResult,
  UpdateMemoryOptions,
} from "./types.js";

/** The namespace of all memories. */
const NAMESPACE = "long-term";
/** The `source` of the entries. */
const SOURCE = "mem0";
/** The field of metadata with the last day on which a memory is shown. */
const LAST_DAY = "expiration_date";
const TOP_K = 20;
/** How often a change of metadata is retried after a conflict. */
const ATTEMPTS = 20;

/**
 * Memories of users, agents and runs. They are the long-term entries of the users' memories, and visible to every other part
 * of this library.
 *
 * @example
 * const memory = new Memory({ open: (user) => openMemory({ user }) });
 * await memory.add("I am allergic to nuts.", { userId: "u-42" });
 * const { results } = await memory.search("food", { filters: { user_id: "u-42" } });
 */
export class Memory {
  readonly #users: Users;
  readonly #config: MemoryConfig;
  #changing: Promise<void> = Promise.resolve();

  constructor(config: MemoryConfig) {
    this.#users = usersOf(config);
    this.#config = config;
  }

  /** The same as `new Memory`. */
  static fromConfig(config: MemoryConfig): Memory {
    return new Memory(config);
  }

  /** Records messages for a user, an agent or a run. Returns new and corrected memories. */
  async add(messages: string | Message[], config: AddMemoryOptions): Promise<SearchResult> {
    unsupported(config, "timestamp");
    known(config, "userId agentId runId metadata filters infer expirationDate");
    const said = messagesOf(messages);
    const { userId, agentId, runId, filters = {}, infer = true, expirationDate } = config ?? {};
    const user = idOf(userId, "userId") ?? idOf(filters.user_id, "user_id");
    const agent = idOf(agentId, "agentId") ?? idOf(filters.agent_id, "agent_id");
    const session = idOf(runId, "runId") ?? idOf(filters.run_id, "run_id");
    const metadata: Metadata = withoutIdentity(config?.metadata);
    if (expirationDate !== undefined && expirationDate !== null) {
      metadata[LAST_DAY] = dayOf(expirationDate);
    }
    if (user === undefined && agent === undefined && session === undefined) {
      throw misuse("userId", "One of the filters: userId, agentId or runId is required!");
    }
    const { memory, shown } = await this.#users.of(user, "userId");
    const results: MemoryItem[] = [];
    const added = (id: string, text: string, event = "ADD") =>
      results.push({ id: shown(id), memory: text, metadata: { event } });
    if (!infer) {
      for (const { role, content, name } of said) {
        const text = content as string;
        if (role === "system" || text.trim() === "") continue;
        const speaker = name ?? role;
        const draft = { namespace: NAMESPACE, source: SOURCE, agent, session, speaker, metadata } as const;
        added((await memory.add(text, draft)).id, text);
      }
      return { results };
    }
    const { recordFilter } = this.#config;
    const kept = await memory.longTerm({ agent, session, recordFilter }).record(said);
    for (const { id, outcome } of kept) {
      // mem0 does not report facts that it already knew.
      if (outcome === "same") continue;
      // Recording has no metadata: it is added at once, in a second version that counts as part of the `add`.
      if (Object.keys(metadata).length > 0) await memory.update(id, { metadata, source: SOURCE });
      const entry = await memory.get(id);
      if (entry) added(id, entry.content, outcome === "corrected" ? "UPDATE" : "ADD");
    }
    return { results };
  }

  /** The memory with this id; `null` if there is none. */
  async get(memoryId: string): Promise<MemoryItem | null> {
    const [of, id] = (await this.#holding(memoryId)) ?? [];
    const entry = await of?.memory.get(id as string);
    return of && entry && mine(entry) ? item(of, entry) : null;
  }

  /** Memories that answer a query, then those with its words, best first. Ids are in `filters`. */
  async search(query: string, config: SearchMemoryOptions): Promise<SearchResult> {
    unsupported(config, "referenceDate");
    noIdsBeside(config ?? {}, "search");
    known(config, "topK filters showExpired threshold explain rerank");
    const { threshold = 0, explain = false } = config ?? {};
    const { topK, wanted, of, read } = await this.#asked(config);
    const { agent, run: session } = wanted;
    const words = { namespace: NAMESPACE, agent, session, minScore: threshold, explain } as const;
    const answers = { agent, session, explain, onlyAnswers: true };
    // Whether a memory matches is known only after reading it: if some do not, more are read.
    for (let limit = wanted.more ? 4 * topK : topK + 9; ; limit *= 4) {
      // Answers come first: they may have no word of the question, as "allergic to nuts" has none of "What can I eat?".
      const [recalled, hits] = await Promise.all([
        of.memory.queryMemory(query, { ...answers, limit }),
        of.memory.search(query, { ...words, limit }),
      ]);
      const told = recalled.filter(({ kind, score }) => kind === "entry" && score >= threshold);
      const ranked = new Map<string, Pick<MemoryHit, "score" | "receipt">>();
      // If the first answer has words of the query, the one with the most of them comes before it.
      const [best] = hits;
      if (best && hits.some(({ id }) => id === told[0]?.ref)) ranked.set(best.id, best);
      for (const hit of told) ranked.set(hit.ref, hit);
      for (const hit of hits) ranked.set(hit.id, hit);
      const all = [...ranked].map(async ([id, { score, receipt }]) => {
        const found = await read(id);
        return found && { ...found, score, ...(receipt && { score_details: receipt }) };
      });
      const results = (await Promise.all(all)).filter((found) => found !== undefined).slice(0, topK);
      const isAll = recalled.length < limit && hits.length < limit;
      if (results.length === topK || isAll) return { results };
    }
  }

  /** Changes a memory: its text, metadata or expiration date. Past versions stay in its history. */
  async update(memoryId: string, config: string | UpdateMemoryOptions): Promise<{ message: string }> {
    if (typeof config !== "string") known(config, "text data metadata expirationDate");
    const { text, data, metadata, expirationDate } =
      typeof config === "string" ? { text: config } : (config ?? {});
    const content = text ?? data;
    if ((content ?? metadata ?? undefined) === undefined && expirationDate === undefined) {
      throw misuse("config", "At least one of text, metadata, or expirationDate must be provided.");
    }
    const changes: Metadata = withoutIdentity(metadata);
    if (expirationDate !== undefined) {
      changes[LAST_DAY] = expirationDate === null ? null : dayOf(expirationDate);
    }
    const [{ memory }, id] = (await this.#holding(memoryId)) ?? gone(memoryId);
    // One at a time: only writes of others can come between the read and the write.
    const change = this.#changing.then(() => changed(memory, id, content, changes));
    this.#changing = change.catch(() => {});
    await change.catch((error) => {
      throw error instanceof MemoryError && error.code === "not-found" ? missing(memoryId) : error;
    });
    return { message: "Memory updated successfully!" };
  }

  /** Deletes a memory permanently, with its history. */
  async delete(memoryId: string): Promise<{ message: string }> {
    const [{ memory }, id] = (await this.#holding(memoryId)) ?? gone(memoryId);
    const entry = await memory.get(id);
    if (!entry || !mine(entry) || !(await memory.delete(id))) throw missing(memoryId);
    return { message: "Memory deleted successfully!" };
  }

  /** Deletes all memories of a user, an agent or a run. */
  async deleteAll(config: Entity): Promise<{ message: string }> {
    known(config, "userId agentId runId");
    const user = idOf(config?.userId, "userId");
    const agent = idOf(config?.agentId, "agentId");
    const run = idOf(config?.runId, "runId");
    if (user === undefined && agent === undefined && run === undefined) {
      throw misuse(
        "userId",
        "At least one filter is required to delete all memories. If you want to delete all memories, use the `reset()` method.",
      );
    }
    const { memory } = await this.#users.of(user, "userId");
    if (agent === undefined && run === undefined) {
      await memory.clear(NAMESPACE);
    } else {
      for await (const entry of memory.entries({ namespace: NAMESPACE })) {
        if (agent !== undefined && entry.agent !== agent) continue;
        if (run === undefined || entry.session === run) await memory.delete(entry.id);
      }
    }
    return { message: "Memories deleted successfully!" };
  }

  /** The changes of a memory, latest first; empty if it does not exist any more. */
  async history(memoryId: string): Promise<HistoryItem[]> {
    const held = await this.#holding(memoryId);
    if (!held) return [];
    const [{ memory }, id] = held;
    const [before, now] = await Promise.all([memory.history(id), memory.get(id)]);
    if (!now || !mine(now)) return [];
    const versions = [...before, now];
    // The second version that adds metadata is part of the `add`.
    const recorded = versions[0]?.source !== SOURCE && versions[1]?.source === SOURCE;
    const rows = versions.slice(recorded ? 1 : 0).map((entry, at, all): HistoryItem => {
      const previous = all[at - 1];
      return {
        id: `${memoryId}#${entry.version}`,
        memory_id: memoryId,
        previous_value: previous?.content ?? null,
        new_value: entry.content,
        action: previous ? "UPDATE" : "ADD",
        created_at: entry.createdAt,
        updated_at: previous ? entry.updatedAt : null,
        is_deleted: 0,
      };
    });
    return rows.reverse();
  }

  /** All memories that match the filters, newest first. Ids are in `filters`. */
  async getAll(config: GetAllMemoryOptions): Promise<SearchResult> {
    noIdsBeside(config ?? {}, "getAll");
    known(config, "topK filters showExpired");
    const { topK, wanted, of, read } = await this.#asked(config);
    const results: MemoryItem[] = [];
    if (topK === 0) return { results };
    for await (const { id, agent, session } of of.memory.entries({ namespace: NAMESPACE })) {
      if ((wanted.agent ?? agent) !== agent || (wanted.run ?? session) !== session) continue;
      const found = await read(id);
      if (found && results.push(found) === topK) break;
    }
    return { results };
  }

  /** Deletes all memories of all users. */
  async reset(): Promise<void> {
    for await (const { memory } of this.#users.all()) await memory.clear(NAMESPACE);
  }

  /** Closes the memories that `open` has opened; a `memory` from the configuration stays open. */
  async close(): Promise<void> {
    await this.#users.close();
  }

  async #holding(memoryId: string): Promise<[UserMemory, string] | undefined> {
    if (typeof memoryId !== "string" || memoryId === "") {
      throw refused("memoryId", "must be the id of a memory");
    }
    return this.#users.holding(memoryId);
  }

  /** What a search or a list is for, and a function that reads the memory with an id, if it matches. */
  async #asked(config: SearchMemoryOptions | undefined) {
    const { topK = TOP_K, threshold, filters, showExpired } = config ?? {};
    checkNumbers(threshold, topK);
    const wanted = asked(filters);
    const of = await this.#users.of(wanted.user, "filters.user_id");
    const read = async (id: string): Promise<MemoryItem | undefined> => {
      const entry = await of.memory.get(id);
      if (!entry || !mine(entry) || (!showExpired && isOver(entry.metadata[LAST_DAY]))) return undefined;
      const found = item(of, entry);
      const { user_id, agent_id, run_id } = found;
      return wanted.fits({ ...entry.metadata, user_id, agent_id, run_id }) ? found : undefined;
    };
    return { topK, wanted, of, read };
  }
}

function gone(memoryId: string): never {
  throw missing(memoryId);
}

const mine = ({ namespace }: { namespace: string }): boolean => namespace === NAMESPACE;

/** An entry in mem0's format. */
function item({ user, shown }: UserMemory, entry: MemoryEntryWithContent): MemoryItem {
  const { content, createdAt, updatedAt, metadata, version, speaker, agent, session } = entry;
  return {
    id: shown(entry.id),
    memory: content,
    hash: md5(content),
    createdAt,
    ...(version > 1 && { updatedAt }),
    metadata,
    ...(user !== undefined && { user_id: user }),
    ...(agent !== undefined && { agent_id: agent }),
    ...(session !== undefined && { run_id: session }),
    ...((speaker === "user" || speaker === "assistant") && { attributedTo: speaker }),
  };
}

/** Whether the expiration date has passed; an invalid date never passes. */
function isOver(day: Json | undefined): boolean {
  if (typeof day !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return false;
  return day < new Date().toISOString().slice(0, 10);
}

/**
 * Changes an entry and merges its metadata. Versions that others have written between the read and the write are in the
 * history: their changes are merged too, so that tabs that change different fields all succeed.
 */
async function changed(
  memory: Keepsake,
  id: string,
  content: string | undefined,
  changes: Metadata,
): Promise<void> {
  const base = await memory.get(id);
  if (!base || !mine(base)) throw new MemoryError("not-found", "no memory with this id");
  if (Object.keys(changes).length === 0) {
    await memory.update(id, { content });
    return;
  }
  const read = base.metadata;
  let [last, others] = [base.version, {} as Metadata];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const metadata = { ...read, ...others, ...changes };
    const written = await memory.update(id, attempt === 0 ? { content, metadata } : { metadata });
    if (written.version === last + 1) return;
    last = written.version;
    for (const { version, metadata } of await memory.history(id)) {
      if (version <= base.version) continue;
      const theirs = Object.entries(metadata).filter(([key, value]) => !same(value, own(read, key)));
      others = { ...others, ...Object.fromEntries(theirs) };
    }
    if (same(metadata, { ...read, ...others, ...changes })) return;
  }
  throw new MemoryError("conflict", "others kept writing first; try again");
}

const own = (metadata: Metadata, key: string) => (Object.hasOwn(metadata, key) ? metadata[key] : undefined);
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
