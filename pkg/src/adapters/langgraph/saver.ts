// LangGraph's checkpoints in a collection of the memory.

import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Collection } from "../../memory/collection.js";
import type { Memory } from "../../memory/memory.js";
import { backwards, partsOf, textOf, under } from "./keys.js";
import { same } from "./same.js";
import { type Dumped, dumped, loaded } from "./values.js";

/** Options of `KeepsakeSaver`. */
export interface SaverOptions {
  /** The collection. Savers with the same name share their threads. Default: `"langgraph.checkpoints"`. */
  name?: string | undefined;
  /** The serializer of values. Default: LangGraph's own. */
  serde?: SerializerProtocol | undefined;
}

/** The value of a channel, stored with the checkpoint that changed it. */
type Channel = [name: string, version: number | string, checkpoint: string];

/** A checkpoint without the values of its channels. */
type Saved = { id: string; parent?: string; checkpoint: Dumped; metadata: Dumped; channels: Channel[] };
type Written = { task: string; channel: string; value: Dumped };
type Kept = Saved | Written | Dumped;

/** The location of a checkpoint. */
interface Place {
  thread: string;
  namespace: string;
}

/** The kinds of keys. The thread comes next in each, so that three prefixes delete a thread. */
const CHECKPOINTS = "checkpoint";
const VALUES = "value";
const WRITES = "write";

/** The maximum number of retries after conflicts. In every race one writer succeeds, so more means another problem. */
const TRIES = 100;

/** Indices of writes that sort: the special ones are negative. */
const FIRST_NUMBER = 1000;

/**
 * Stores the checkpoints of graphs: after a reload a graph continues where it was, in any tab. The value of a channel is
 * stored once, with the checkpoint that changed it.
 *
 * @example
 * const graph = builder.compile({ checkpointer: new KeepsakeSaver(memory) });
 * await graph.invoke(input, { configurable: { thread_id: "t-1" }, durability: "sync" });
 */
export class KeepsakeSaver extends BaseCheckpointSaver {
  readonly #kept: Collection<Kept>;

  constructor(memory: Memory, options: SaverOptions = {}) {
    known(options, "name serde");
    const { name = "langgraph.checkpoints", serde } = options;
    super(serde);
    this.#kept = memory.collection<Kept>(name);
  }

  /** The named checkpoint, or the newest of the thread, with the pending writes of the next step. */
  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id } = config.configurable ?? {};
    if (thread_id === undefined) return undefined;
    const place = placeOf(config);
    const id = getCheckpointId(config);
    if (id) {
      const saved = await this.#kept.get(checkpointKey(place, textOf(id, "configurable.checkpoint_id")));
      return saved && this.#tuple(place, saved as Saved);
    }
    const prefix = under(CHECKPOINTS, place.thread, place.namespace);
    const [newest] = await this.#kept.list({ prefix, limit: 1 });
    return newest && this.#tuple(place, newest.value as Saved);
  }

  /** Checkpoints, newest first: of a thread and a namespace, or of all if one is missing. */
  override async *list(
    config: RunnableConfig,
    options: { limit?: number; before?: RunnableConfig; filter?: Record<string, unknown> } = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { limit = Number.POSITIVE_INFINITY, before, filter = {} } = options;
    const last = before && getCheckpointId(before);
    const only = getCheckpointId(config);
    let left = limit;
    for await (const [place, saved] of this.#saved(config, last)) {
      if (left <= 0) return;
      if ((only && saved.id !== only) || (last && saved.id >= last)) continue;
      if (Object.keys(filter).length > 0) {
        const metadata = await loaded<Record<string, unknown>>(this.serde, saved.metadata);
        if (!Object.entries(filter).every(([name, value]) => same(metadata[name], value))) continue;
      }
      const tuple = await this.#tuple(place, saved);
      if (!tuple) continue;
      left -= 1;
      yield tuple;
    }
  }

  /** Stores a checkpoint atomically, with its new values only. */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const place = placeOf(config);
    const id = textOf(checkpoint?.id, "checkpoint.id");
    const { channel_values: values, ...rest } = copyCheckpoint(checkpoint);
    const parent = getCheckpointId(config) || undefined;
    // The parent of a copy is not its original. Without versions all values are written.
    const isChanged = ([name]: [string, unknown]) =>
      metadata?.source === "fork" || Object.hasOwn(newVersions ?? rest.channel_versions, name);
    const changed = Object.entries(values).filter(isChanged);
    // Serialised first: the graph continues, and may change its values.
    const [before, itself, about, ...dumps] = await Promise.all([
      parent === undefined ? undefined : this.#kept.get(checkpointKey(place, parent)),
      dumped(this.serde, rest),
      dumped(this.serde, metadata),
      ...changed.map(([, value]) => dumped(this.serde, value)),
    ]);
    const known = new Map((before as Saved | undefined)?.channels.map((channel) => [channel[0], channel]));
    const own = new Map(changed.map(([name], at) => [name, dumps[at] as Dumped]));
    const channels: Channel[] = [];
    for (const [name, value] of Object.entries(values)) {
      const version = (Object.hasOwn(rest.channel_versions, name) && rest.channel_versions[name]) || 0;
      const inherited = known.get(name);
      if (inherited?.[1] === version && !own.has(name)) {
        channels.push(inherited);
      } else if (parent !== undefined || own.has(name)) {
        channels.push([name, version, id]);
        if (!own.has(name)) own.set(name, await dumped(this.serde, value));
      }
    }
    const changes = Array.from(own, ([name, value]) => ({ key: valueKey(place, id, name), value }));
    const saved: Saved = { id, checkpoint: itself, metadata: about, channels };
    if (parent !== undefined) saved.parent = parent;
    await this.#kept.write([...changes, { key: checkpointKey(place, id), value: saved }]);
    return configOf(place, id);
  }

  /** Stores the writes of a task, for the next step. Only errors, interrupts and other special writes replace older ones. */
  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const place = placeOf(config);
    const id = textOf(getCheckpointId(config), "configurable.checkpoint_id");
    const prefix = under(WRITES, place.thread, place.namespace, id, textOf(taskId, "taskId"));
    if (!Array.isArray(writes) || !writes.every(Array.isArray)) {
      throw refused("writes", "must be an array of pairs");
    }
    const dumps = await Promise.all(writes.map(([, value]) => dumped(this.serde, value)));
    const wanted = new Map<string, { value: Written; isFixed: boolean }>();
    for (const [at, [channel]] of writes.entries()) {
      const number = Object.hasOwn(WRITES_IDX_MAP, channel) ? (WRITES_IDX_MAP[channel] ?? at) : at;
      const value = { task: taskId, channel, value: dumps[at] as Dumped };
      wanted.set(`${prefix}${`${FIRST_NUMBER + number}`.padStart(9, "0")}`, { value, isFixed: number >= 0 });
    }
    const fixed = [...wanted].flatMap(([key, { isFixed }]) => (isFixed ? [key] : []));
    for (let tried = 0; tried < TRIES; tried += 1) {
      const there = fixed.length === 0 ? [] : await this.#kept.getMany(fixed);
      const taken = new Set(fixed.filter((_, at) => there[at] !== undefined));
      const changes = [...wanted].flatMap(([key, { value }]) => (taken.has(key) ? [] : [{ key, value }]));
      if (changes.length === 0) return;
      const expect = fixed.flatMap((key) => (taken.has(key) ? [] : [[key, undefined] as const]));
      if (await this.#kept.write(changes, { expect })) return;
    }
    throw new MemoryError("conflict", "others kept writing first; try again");
  }

  /** Deletes a thread permanently: its checkpoints, values and writes, atomically. */
  override async deleteThread(threadId: string): Promise<void> {
    const thread = textOf(threadId, "threadId");
    await this.#kept.write(
      [CHECKPOINTS, VALUES, WRITES].map((kind) => ({ prefix: under(kind, thread), delete: true as const })),
    );
  }

  /** The checkpoints that match a config, newest first. */
  async *#saved({ configurable = {} }: RunnableConfig, last?: string): AsyncGenerator<[Place, Saved]> {
    const { thread_id, checkpoint_ns } = configurable;
    if (thread_id !== undefined && checkpoint_ns !== undefined) {
      const place = placeOf({ configurable });
      const prefix = under(CHECKPOINTS, place.thread, place.namespace);
      const from = last ? { prefix, after: checkpointKey(place, last) } : { prefix };
      for await (const [, saved] of this.#kept.entries(from)) yield [place, saved as Saved];
      return;
    }
    const thread = thread_id === undefined ? undefined : textOf(thread_id, "configurable.thread_id");
    const prefix = thread === undefined ? under(CHECKPOINTS) : under(CHECKPOINTS, thread);
    const found: [Place, Saved][] = [];
    for await (const [key, saved] of this.#kept.entries({ prefix })) {
      const [, thread = "", namespace = ""] = partsOf(key);
      if (checkpoint_ns === undefined || namespace === checkpoint_ns)
        found.push([{ thread, namespace }, saved as Saved]);
    }
    yield* found.sort(([, one], [, other]) => (one.id < other.id ? 1 : one.id > other.id ? -1 : 0));
  }

  /** The checkpoint with its values and writes; `undefined` if it was deleted in the meantime. */
  async #tuple(place: Place, saved: Saved): Promise<CheckpointTuple | undefined> {
    const { id, parent } = saved;
    const kept = await this.#kept.getMany(
      saved.channels.map(([name, , from]) => valueKey(place, from, name)),
    );
    if (kept.includes(undefined)) {
      if (!(await this.#kept.get(checkpointKey(place, id)))) return undefined;
      throw new MemoryError("corrupt", "a value of the checkpoint is missing");
    }
    const channel_values: Record<string, unknown> = Object.fromEntries(
      await Promise.all(
        saved.channels.map(async ([name], at) => [name, await loaded(this.serde, kept[at] as Dumped)]),
      ),
    );
    const rest = await loaded<Omit<Checkpoint, "channel_values">>(this.serde, saved.checkpoint);
    const checkpoint: Checkpoint = { ...rest, channel_values };
    if (checkpoint.v < 4 && parent !== undefined) await this.#migrate(checkpoint, place, parent);
    const tuple: CheckpointTuple = {
      config: configOf(place, id),
      checkpoint,
      metadata: await loaded<CheckpointMetadata>(this.serde, saved.metadata),
      pendingWrites: await this.#writes(place, id),
    };
    return parent === undefined ? tuple : { ...tuple, parentConfig: configOf(place, parent) };
  }

  async #writes(place: Place, id: string): Promise<CheckpointPendingWrite[]> {
    const found: CheckpointPendingWrite[] = [];
    const prefix = under(WRITES, place.thread, place.namespace, id);
    for await (const [, kept] of this.#kept.entries({ prefix })) {
      const { task, channel, value } = kept as Written;
      found.push([task, channel, await loaded(this.serde, value)]);
    }
    return found;
  }

  /** Before version 4 of checkpoints, pending sends were stored only as writes of the parent. */
  async #migrate(checkpoint: Checkpoint, place: Place, parent: string): Promise<void> {
    const sends = (await this.#writes(place, parent)).filter(([, channel]) => channel === TASKS);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = sends.map(([, , value]) => value);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }
}

function placeOf({ configurable = {} }: RunnableConfig): Place {
  const { thread_id, checkpoint_ns = "" } = configurable;
  return {
    thread: textOf(thread_id, "configurable.thread_id"),
    namespace: textOf(checkpoint_ns, "configurable.checkpoint_ns", true),
  };
}

function configOf({ thread, namespace }: Place, id: string): RunnableConfig {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

function checkpointKey({ thread, namespace }: Place, id: string): string {
  return under(CHECKPOINTS, thread, namespace, backwards(id));
}

function valueKey({ thread, namespace }: Place, id: string, channel: string): string {
  return under(VALUES, thread, namespace, id, channel);
}
