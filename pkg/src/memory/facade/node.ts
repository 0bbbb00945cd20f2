// Memory around a step of any framework: what is known before it, and how it went after it.

import { optionsIn, refused } from "../../base/errors.js";
import type { MemoryPayloads, MemoryResultItem, MemoryScope, MemoryWritten } from "../../wire/scopes.js";
import { inCamelCase, STEP_NAMES, spelled } from "../../wire/spelling.js";
import type { Json } from "../../wire/types.js";
import type { StepData } from "../stores/experience.js";
import { inWords, jsonOf, wordsOf } from "../stores/thrown.js";
import { ownCallerOf } from "./injected.js";
import {
  byScope,
  type Either,
  type IMemory,
  type MemoryCaller,
  type MemoryQuery,
  type Own,
} from "./scopes.js";

/** What is known before a step. */
export interface BeforeNode<S extends MemoryScope = MemoryScope> {
  /** What was read, in the asked order. */
  items: MemoryResultItem<S>[];
  /** The same by scope; those that the policy keeps back are not there. */
  memories: { [K in S]?: MemoryPayloads[K] };
  /** When the step began, for `afterNode`: milliseconds of a clock that only goes forward. */
  startedAt: number;
}

/** How a step went. Inputs, outputs and errors may be anything: what is no JSON is told in words. */
export type NodeOutcome = Omit<StepData, "input" | "output" | "error"> & {
  /** What went in. Default: nothing. */
  input?: unknown;
  /** What came out. Default: nothing. */
  output?: unknown;
  /** What went wrong: anything that can be thrown. Default: nothing. */
  error?: unknown;
};

/** A step that was taken. */
export type NodeEvent = {
  /** Experience, which is what is written. Default: that. */
  scope?: "experience" | undefined;
  /** How it went. */
  data: Either<NodeOutcome>;
  /** What else is to be said of it: `trace_id` … Default: nothing. */
  meta?: { [key: string]: Json | undefined } | undefined;
  /** `startedAt` of `beforeNode`, from which `latencyMs` follows. Default: what the data say. */
  startedAt?: number | undefined;
};

/** A step that `withMemory` takes. */
export interface NodeStep<T = unknown> {
  /** The tool, or the node. */
  toolName: string;
  /** The kind of task. Default: the query's. */
  taskType?: string | undefined;
  /** What goes in. Default: nothing. */
  input?: unknown;
  /** What is kept of what comes out. Default: all of it. */
  output?: ((result: T) => unknown) | undefined;
  /** Which steps belong together. Default: it stands alone. */
  traceId?: string | undefined;
  /** The skill that is followed. Default: none. */
  skillId?: string | undefined;
  /** What it costs. Default: not known. */
  cost?: number | ((result: T) => number) | undefined;
}

/** What `withMemory` does. */
export interface WithMemory<Q, T = unknown> {
  /** What to read before the step. */
  query: Q;
  /** The step. */
  event: NodeStep<T>;
  /** Called when the step could not be written down. Its result is not lost. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A step, which is given what is known. */
export type RunNode<S extends MemoryScope, T> = (
  memories: BeforeNode<S>["memories"],
  items: MemoryResultItem<S>[],
) => T | Promise<T>;

/** Reads what a step has to know. */
export async function beforeNode<S extends MemoryScope>(
  memory: Pick<IMemory<"own">, "read">,
  query: Either<Own<MemoryQuery<S>>>,
): Promise<BeforeNode<S>>;
/** The same on a facade, where the query names the user. */
export async function beforeNode<S extends MemoryScope>(
  memory: Pick<IMemory, "read">,
  query: Either<MemoryQuery<S>>,
): Promise<BeforeNode<S>>;
export async function beforeNode<S extends MemoryScope>(
  memory: Pick<IMemory<"own">, "read">,
  query: Either<Own<MemoryQuery<S>>>,
): Promise<BeforeNode<S>> {
  if (typeof memory?.read !== "function") throw refused("memory", "must be a memory");
  const items = await memory.read(query);
  return { items, memories: byScope<S>(items), startedAt: performance.now() };
}

/** Writes down how a step went, with the time that it took. */
export async function afterNode(
  memory: Pick<IMemory<"own">, "write">,
  event: Either<Own<MemoryCaller>> & NodeEvent,
): Promise<MemoryWritten>;
/** The same on a facade, where the event names the user. */
export async function afterNode(
  memory: Pick<IMemory, "write">,
  event: Either<MemoryCaller> & NodeEvent,
): Promise<MemoryWritten>;
export async function afterNode(
  memory: Pick<IMemory<"own">, "write">,
  event: Either<Own<MemoryCaller>> & NodeEvent,
): Promise<MemoryWritten> {
  const { startedAt, data, ...rest } = optionsIn(event, "event");
  const { input, output, error, ...told } = inWords(
    inCamelCase<NodeOutcome>(optionsIn(data, "event.data"), STEP_NAMES),
  );
  const took = startedAt === undefined ? {} : { latencyMs: performance.now() - startedAt };
  const words = error == null ? undefined : wordsOf(error);
  const step = { ...took, ...told, input: jsonOf(input), output: jsonOf(output), error: words };
  if (typeof memory?.write !== "function") throw refused("memory", "must be a memory");
  return memory.write({ ...rest, scope: "experience", data: step });
}

/**
 * Takes a step with memory around it: reads before it, runs it, writes down how it went, with the time that it took, and
 * answers its result or rejects with its error. That it could not be written down is told to `onError`.
 */
export async function withMemory<S extends MemoryScope, T>(
  memory: Pick<IMemory<"own">, "read" | "write">,
  around: WithMemory<Either<Own<MemoryQuery<S>>>, T>,
  run: RunNode<S, T>,
): Promise<T>;
/** The same on a facade, where the query names the user. */
export async function withMemory<S extends MemoryScope, T>(
  memory: Pick<IMemory, "read" | "write">,
  around: WithMemory<Either<MemoryQuery<S>>, T>,
  run: RunNode<S, T>,
): Promise<T>;
export async function withMemory<S extends MemoryScope, T>(
  memory: Pick<IMemory<"own">, "read" | "write">,
  around: WithMemory<Either<Own<MemoryQuery<S>>>, T>,
  run: RunNode<S, T>,
): Promise<T> {
  const { query, event, onError } = optionsIn(around, "around");
  const { memories, items, startedAt } = await beforeNode<S>(memory, query);
  const { output, cost, ...step } = optionsIn(event, "event");
  if (typeof run !== "function") throw refused("run", "must be a function");
  const tell = async (outcome: () => Partial<NodeOutcome>) => {
    const latencyMs = performance.now() - startedAt;
    const taskType = step.taskType ?? String(spelled(query, "taskType") ?? "");
    try {
      const data = { ...step, taskType, latencyMs, ...outcome() };
      await afterNode(memory, { ...ownCallerOf(query), data });
    } catch (error) {
      (onError ?? ((error) => console.warn("keepsake: experience:", error)))(error);
    }
  };
  let result: T;
  try {
    result = await run(memories, items);
  } catch (error) {
    await tell(() => ({ error: error ?? String(error), ...(typeof cost === "number" && { cost }) }));
    throw error;
  }
  await tell(() => ({
    output: output ? output(result) : result,
    cost: typeof cost === "function" ? cost(result) : cost,
  }));
  return result;
}
