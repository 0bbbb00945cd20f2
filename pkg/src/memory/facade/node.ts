// Hooks around a step of any framework: read before it, log its outcome after it.

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

/** The result of `beforeNode`. */
export interface BeforeNode<S extends MemoryScope = MemoryScope> {
  /** The items read, in the order of the query's scopes. */
  items: MemoryResultItem<S>[];
  /** The payloads by scope, without the scopes the policy denies. */
  memories: { [K in S]?: MemoryPayloads[K] };
  /** The start of the step, for `afterNode`: milliseconds of a monotonic clock. */
  startedAt: number;
}

/** The outcome of a step. Inputs, outputs and errors can be any values; values without JSON are converted to strings. */
export type NodeOutcome = Omit<StepData, "input" | "output" | "error"> & {
  /** The input. Default: none. */
  input?: unknown;
  /** The output. Default: none. */
  output?: unknown;
  /** The error: any thrown value. Default: none. */
  error?: unknown;
};

/** An executed step. */
export type NodeEvent = {
  /** The scope, always `"experience"`. Default: `"experience"`. */
  scope?: "experience" | undefined;
  /** The outcome. */
  data: Either<NodeOutcome>;
  /** Further data, such as `trace_id`. Default: none. */
  meta?: { [key: string]: Json | undefined } | undefined;
  /** The `startedAt` from `beforeNode`, to compute `latencyMs`. Default: `latencyMs` of the data. */
  startedAt?: number | undefined;
};

/** A step for `withMemory`. */
export interface NodeStep<T = unknown> {
  /** The name of the tool or node. */
  toolName: string;
  /** The task type. Default: the query's. */
  taskType?: string | undefined;
  /** The input. Default: none. */
  input?: unknown;
  /** Selects the part of the result to log. Default: all of it. */
  output?: ((result: T) => unknown) | undefined;
  /** The id of the trace that the step belongs to. Default: a trace of its own. */
  traceId?: string | undefined;
  /** The skill that the step follows. Default: none. */
  skillId?: string | undefined;
  /** The cost. Default: unknown. */
  cost?: number | ((result: T) => number) | undefined;
}

/** Options of `withMemory`. */
export interface WithMemory<Q, T = unknown> {
  /** The query to read before the step. */
  query: Q;
  /** The step. */
  event: NodeStep<T>;
  /** Called when logging the step fails; its result is still returned. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The function of a step, which gets the memories read before it. */
export type RunNode<S extends MemoryScope, T> = (
  memories: BeforeNode<S>["memories"],
  items: MemoryResultItem<S>[],
) => T | Promise<T>;

/** Reads the memories for a step and records its start time. */
export async function beforeNode<S extends MemoryScope>(
  memory: Pick<IMemory<"own">, "read">,
  query: Either<Own<MemoryQuery<S>>>,
): Promise<BeforeNode<S>>;
/** Reads the memories for a step from a facade; the query names the user. */
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

/** Logs the outcome of a step, with its duration. */
export async function afterNode(
  memory: Pick<IMemory<"own">, "write">,
  event: Either<Own<MemoryCaller>> & NodeEvent,
): Promise<MemoryWritten>;
/** Logs the outcome of a step to a facade; the event names the user. */
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
 * Runs a step with memory: reads before it, runs it, logs its outcome and duration, and returns its result or rejects
 * with its error. If logging fails, calls `onError`.
 */
export async function withMemory<S extends MemoryScope, T>(
  memory: Pick<IMemory<"own">, "read" | "write">,
  around: WithMemory<Either<Own<MemoryQuery<S>>>, T>,
  run: RunNode<S, T>,
): Promise<T>;
/** Runs a step with the memory of a facade; the query names the user. */
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
