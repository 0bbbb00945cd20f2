// Imports the lines of an export into a memory, each at its original time if the clock can be set.

import { MemoryError } from "../base/errors.js";
import type { Memory } from "../memory/memory.js";
import type { SkillInput } from "../memory/stores/procedural.js";
import type { ProfileChanges } from "../memory/stores/profile.js";
import type { StepExperience } from "../wire/experience.js";
import type { Skill } from "../wire/procedural.js";
import type { UserProfile } from "../wire/profile.js";
import type { Json, Metadata, Trust } from "../wire/types.js";
import { type Item, versionsOf } from "./form.js";
import { inGroups } from "./in-groups.js";

type Counts = { [kind in Item["kind"]]?: number };
type Of<K extends Item["kind"]> = Extract<Item, { kind: K }>;

const LEVELS: readonly Trust[] = ["low", "normal", "high"];

/** The author and the reason of a promotion in an export from a time when updates raised trust. */
const EARLIER = { by: "import", why: "an update raised it" };

/** Whether lines can be imported in one write: entries without earlier versions, or messages of one session. */
export function goTogether(one: Item, other: Item): boolean {
  const isPlain = (item: Item) =>
    // What is missing is found when the line is imported alone.
    item.kind === "entry" && item.before?.every?.(({ id }) => id !== item.entry?.id);
  return (one.kind === "message" && other.kind === "message") || (isPlain(one) && isPlain(other));
}

/** Imports lines, one by one or several at once. */
export class Taker {
  /** The number of written items by kind. */
  readonly taken: Counts = {};
  /** The number of existing items by kind. */
  readonly kept: Counts = {};
  readonly #memory: Memory<Metadata, string>;
  readonly #at: (time: string | undefined) => void;
  readonly #keepsTimes: boolean;
  /** Whether entries are looked up before they are added: some of the last ones existed, as when an import is run again. */
  #looksUp: boolean | undefined;
  #session: { line: Of<"session">; known: Set<string>; forked: boolean } | undefined;
  #profile: UserProfile | undefined;
  #files: Map<string, number> | undefined;

  /** `at` sets the clock to the time of a line. Default: the clock runs, and imported items are new. */
  constructor(memory: Memory<Metadata, string>, at?: (time: string | undefined) => void) {
    this.#memory = memory;
    this.#at = at ?? (() => {});
    this.#keepsTimes = at !== undefined;
  }

  /** Imports a line. */
  async take(item: Item): Promise<void> {
    const written = await this.#write(item);
    this.#count(item.kind, written ? 1 : 0, written ? 0 : 1);
  }

  /** Whether a line is the first message of a new session, which begins it at its time and with its title. */
  beginsSession({ kind }: Item): boolean {
    return kind === "message" && this.#session?.known.size === 0;
  }

  /** Imports lines that go together in one write. Resolves to `false` if they must be imported one by one. */
  async takeMany(items: readonly Item[]): Promise<boolean> {
    if (items.length < 2) return false;
    try {
      const messages = items.filter((item) => item.kind === "message");
      if (messages.length > 0) return await this.#messages(messages);
      return await this.#entries(items.filter((item) => item.kind === "entry"));
    } catch (error) {
      // Imported one by one, the line at fault is found.
      if (error instanceof MemoryError || error instanceof TypeError) return false;
      throw error;
    }
  }

  async #entries(items: readonly Of<"entry">[]): Promise<boolean> {
    // A draft without an id would be added with a random one.
    if (items.some(({ entry }) => typeof entry.id !== "string")) return false;
    this.#at(undefined);
    const addExcept = async (there: ReadonlySet<string>) => {
      const fresh = items.filter(({ entry }) => !there.has(entry.id));
      if (fresh.length > 0) await this.#addMany(fresh);
      this.#count("entry", fresh.length, items.length - fresh.length);
      return true;
    };
    // Ids that exist are refused, so a fresh import needs no reads. An app's function for summaries is called before the
    // refusal, so it is not tried where entries are likely to exist.
    this.#looksUp ??= (await this.#memory.count()) > 0;
    if (!this.#looksUp) {
      // Not refused: an entry with the same id and key would be updated.
      const withKey = await this.#existing(items.filter(({ entry }) => entry.key !== undefined));
      if (await unless("already-exists", addExcept(withKey))) return true;
    }
    const there = await this.#existing(items);
    this.#looksUp = there.size > 0;
    return addExcept(there);
  }

  /** The ids of these entries that exist. */
  async #existing(items: readonly Of<"entry">[]): Promise<Set<string>> {
    const there = new Set<string>();
    const read = ({ entry }: Of<"entry">) => this.#memory.get(entry.id);
    for await (const entry of inGroups(items, read)) if (entry) there.add(entry.id);
    return there;
  }

  async #addMany(items: readonly Of<"entry">[]): Promise<void> {
    await this.#memory.addMany(
      items.map(({ entry }) => {
        const { id, content, namespace, tags, importance, source, metadata, trust } = entry;
        const { key, session, agent, speaker, at, validFrom, validUntil, replaces } = entry;
        const start = this.#keepsTimes ? entry.createdAt : undefined;
        const ttl = Date.parse(entry.expiresAt) - Date.parse(start ?? entry.updatedAt);
        const own = {
          id,
          content,
          namespace,
          summary: ownSummary(entry),
          tags,
          importance,
          source,
          metadata,
        };
        return {
          ...own,
          ...{ trust, ttl, key, session, agent, speaker, at, validFrom, validUntil, replaces },
          createdAt: start,
        };
      }),
    );
  }

  async #messages(items: readonly Of<"message">[]): Promise<boolean> {
    const now = this.#session;
    if (!now) return false;
    const fresh = items.filter(({ message }) => !now.known.has(message.id)).map(({ message }) => message);
    if (fresh.length > 0) {
      this.#at(fresh.at(-1)?.at);
      const { id, agent } = now.line.session;
      await this.#memory.session(id, { agent, compression: false }).append(fresh);
    }
    for (const message of fresh) now.known.add(message.id);
    // Messages that the fork has copied count as new too.
    const kept = now.forked ? 0 : items.length - fresh.length;
    this.#count("message", items.length - kept, kept);
    return true;
  }

  #count(kind: Item["kind"], taken: number, kept: number): void {
    if (taken > 0) this.taken[kind] = (this.taken[kind] ?? 0) + taken;
    if (kept > 0) this.kept[kind] = (this.kept[kind] ?? 0) + kept;
  }

  #write(item: Item): Promise<boolean> {
    switch (item.kind) {
      case "entry":
        return this.#entry(item);
      case "session":
        return this.#begin(item);
      case "message":
        return this.#message(item);
      case "profile":
        return this.#field(item);
      case "skill":
        return this.#skill(item);
      case "step":
        return this.#step(item);
      case "uses":
        return this.#uses(item);
      case "file":
        return this.#file(item);
      case "graph":
        return this.#graph(item);
      case "value":
        return this.#value(item);
    }
  }

  async #entry({ entry, before }: Of<"entry">): Promise<boolean> {
    const [first = entry, ...changes] = [...versionsOf(entry, before), entry];
    const { id } = entry;
    if (await this.#memory.get(id)) return false;
    const draft = (version: typeof entry) => {
      const { namespace, tags, importance, source, metadata, trust, updatedAt, expiresAt } = version;
      this.#at(updatedAt);
      const ttl = Date.parse(expiresAt) - Date.parse(updatedAt);
      const { key, session, agent, speaker, at, validFrom, validUntil, replaces } = version;
      const summary = ownSummary(version);
      const change = {
        namespace,
        summary,
        tags,
        importance,
        source,
        metadata,
        trust,
        ttl,
        validFrom,
        validUntil,
      };
      return { change, whole: { ...change, key, session, agent, speaker, at, replaces } };
    };
    const added = this.#memory.add(first.content, { ...draft(first).whole, id });
    if (!(await unless("already-exists", added))) return false;
    let { trust } = first;
    for (const version of changes) {
      const { change, whole } = draft(version);
      const { key, content, promoted } = version;
      const raised = LEVELS.indexOf(version.trust) > LEVELS.indexOf(trust);
      ({ trust } = version);
      if (raised) {
        const { by, why } = promoted ?? EARLIER;
        await this.#memory.promote(id, { trust, by, why });
        // A promotion changes nothing else.
        if (promoted) continue;
      }
      // An entry with a key may have been replaced as a whole.
      if (key !== undefined) await this.#memory.add(content, whole);
      else await this.#memory.update(id, { ...change, content });
    }
    return true;
  }

  async #begin(item: Of<"session">): Promise<boolean> {
    const { id, title, agent, createdAt, forkedFrom } = item.session;
    const session = this.#memory.session(id, { agent, compression: false });
    const known = new Set<string>();
    const there = await session.info();
    if (there) for await (const message of session.all()) known.add(message.id);
    this.#session = { line: item, known, forked: false };
    this.#at(createdAt);
    if (!there && forkedFrom) {
      const from = this.#memory.session(forkedFrom.session, { agent, compression: false });
      if (await from.message(forkedFrom.message)) {
        const fork = await from.fork({ at: forkedFrom.message, to: id });
        for await (const message of fork.all()) known.add(message.id);
        this.#session.forked = true;
        if (title !== undefined) await fork.setTitle(title);
      }
    }
    if (item.components && !(await session.loadComponents())) {
      this.#at(item.components.timestamp);
      await session.saveComponents(item.components.components);
    }
    return !there;
  }

  async #message({ message }: Of<"message">): Promise<boolean> {
    const now = this.#session;
    if (!now) throw new MemoryError("invalid-input", "a message precedes its session");
    const { id, agent, title } = now.line.session;
    // Messages that the fork has copied count as new too.
    if (now.known.has(message.id)) return now.forked;
    this.#at(now.known.size === 0 ? now.line.session.createdAt : message.at);
    const session = this.#memory.session(id, { agent, compression: false });
    await session.append(message);
    if (now.known.size === 0 && title !== undefined) await session.setTitle(title);
    now.known.add(message.id);
    return true;
  }

  async #field({ path, value, source, at }: Of<"profile">): Promise<boolean> {
    const profile = this.#profile ?? ((await this.#memory.profile.get()) as UserProfile);
    this.#profile = profile;
    let there: Json | undefined = profile;
    for (const name of path) {
      there = Object.hasOwn(Object(there), name) ? (there as UserProfile)[name] : undefined;
    }
    if (there !== undefined) return false;
    this.#at(at);
    const changes = path.reduceRight<Json>((inner, name) => Object.fromEntries([[name, inner]]), value);
    await this.#memory.profile.update(changes as ProfileChanges, { source });
    return true;
  }

  async #skill({ versions }: Of<"skill">): Promise<boolean> {
    const [first] = versions;
    if (!first || (await this.#memory.procedural.get(first.id))) return false;
    for (const { id, kind, taskType, use_when, tool_sops, preferences, updatedAt } of versions as Skill[]) {
      this.#at(updatedAt);
      const skill: SkillInput = { id, kind, taskType, use_when, tool_sops, preferences };
      await this.#memory.procedural.addSkill(skill);
    }
    return true;
  }

  async #step({ step: { n: _, at, ...step } }: Of<"step">): Promise<boolean> {
    const there = await this.#steps();
    const name = this.#stepName({ ...step, at });
    const left = there.get(name) ?? 0;
    if (left > 0) {
      there.set(name, left - 1);
      return false;
    }
    this.#at(at);
    const known = step.skillId && (await this.#memory.procedural.get(step.skillId));
    await this.#memory.experience.logStep(known ? step : { ...step, skillId: undefined });
    return true;
  }

  /** Identifies a step: its time counts only where it is stored. */
  #stepName({ at, toolName, taskType, traceId, input }: Omit<StepExperience, "n">): string {
    return JSON.stringify([this.#keepsTimes ? at : "", toolName, taskType, traceId, input]);
  }

  #there: Promise<Map<string, number>> | undefined;

  /** The steps that existed before, by name, with their counts. */
  #steps(): Promise<Map<string, number>> {
    this.#there ??= (async () => {
      const all = 1_000_000_000;
      const failed = await this.#memory.experience.getFailures(null, all);
      const traces = await this.#memory.experience.getSuccessfulTraces(null, all);
      const steps = [...failed, ...traces.flatMap(({ steps }) => steps)];
      // A step that failed in a successful run is in both.
      const counts = new Map<string, number>();
      for (const step of new Map(steps.map((step) => [step.n, step])).values()) {
        const name = this.#stepName(step);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return counts;
    })();
    return this.#there;
  }

  async #uses({ skill, uses, successes }: Of<"uses">): Promise<boolean> {
    let now = await this.#memory.procedural.get(skill);
    if (!now || now.uses >= uses) return false;
    // Failures first, so that the last outcome is a success, if there was one.
    while (now.uses < uses) {
      const failuresLeft = uses - successes - (now.uses - now.successes);
      now = await this.#memory.procedural.recordUse(skill, failuresLeft <= 0);
    }
    return true;
  }

  async #file({ path, text, version, at }: Of<"file">): Promise<boolean> {
    this.#files ??= new Map(
      (await this.#memory.files.list()).map((file) => [file.path, Number.POSITIVE_INFINITY]),
    );
    const last = this.#files.get(path) ?? 0;
    if (version <= last) return false;
    this.#at(at);
    await this.#memory.files.write(path, text);
    this.#files.set(path, version);
    return true;
  }

  async #graph({ graph }: Of<"graph">): Promise<boolean> {
    this.#at(undefined);
    const { entities, relations, observations } = await this.#memory.semantic.graph.add(graph);
    return entities + relations + observations > 0;
  }

  async #value({ collection, key, value }: Of<"value">): Promise<boolean> {
    this.#at(undefined);
    if (value === undefined) throw new MemoryError("invalid-input", "a value is missing");
    return this.#memory.collection(collection).write([{ key, value }], { expect: [[key, undefined]] });
  }
}

/** The summary of an entry, unless it is the beginning of its content. */
function ownSummary({ summary, content }: { summary?: string; content: string }): string | undefined {
  const made = summary === undefined || content.trim().startsWith(summary.replace(/\.{1,3}$/, ""));
  return made ? undefined : summary;
}

/** The result; `undefined` if the call was rejected with this code. */
async function unless<T>(code: MemoryError["code"], answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MemoryError && error.code === code) return undefined;
    throw error;
  }
}
