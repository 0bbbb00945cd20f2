/// <reference lib="esnext.disposable" preserve="true" />
// The facade over the memories of all users: what flows and nodes talk to, with any of the six stores replaced.

import { checkFunction, MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { MemoryPolicies } from "../../wire/policy.js";
import { type MemoryResultItem, MemoryScope, type MemoryWritten } from "../../wire/scopes.js";
import { spelled } from "../../wire/spelling.js";
import type { Memory } from "../memory.js";
import { callerOf, guarded, readFrom, writeTo } from "./injected.js";
import type { Either, IMemory, MemoryQuery, MemoryWriteEvent } from "./scopes.js";
import type {
  DialogStore,
  ExperienceStore,
  MemoryStores,
  ProceduralStore,
  ProfileStore,
  SemanticStore,
  StateStore,
} from "./stores.js";

/** What a user's memory is opened with. */
export interface FacadeOpen {
  /** The user. */
  user: string;
  /** The settings, with the facade's policies. */
  config?: { policies: MemoryPolicies };
}

/** What a facade is made of. */
export interface FacadeOptions {
  /**
   * Opens a user's memory, once for each. `openMemory` itself will do, or
   * `(options) => openMemory({ ...options, name: "my-app" })`.
   */
  open: (options: FacadeOpen) => Promise<Memory>;
  /** Conversations of the app's own. Default: the memory's. */
  dialogStore?: DialogStore | undefined;
  /** States of the app's own. Default: the memory's. */
  stateStore?: StateStore | undefined;
  /** Knowledge of the app's own. Default: the memory's. */
  semanticStore?: SemanticStore | undefined;
  /** Skills of the app's own. Default: the memory's. */
  proceduralStore?: ProceduralStore | undefined;
  /** Profiles of the app's own. Default: the memory's. */
  profileStore?: ProfileStore | undefined;
  /** Experience of the app's own. Default: the memory's. */
  experienceStore?: ExperienceStore | undefined;
  /** What flows and agents may read and write. Default: what `open` says. */
  policies?: MemoryPolicies | undefined;
}

const SCOPES: readonly MemoryScope[] = Object.values(MemoryScope);

/**
 * One memory for all users, agents and flows. There is no default user: what does not say whose memory is meant is
 * refused.
 */
export class MemoryFacade implements IMemory {
  readonly #options: FacadeOptions;
  readonly #stores: { [S in MemoryScope]: MemoryStores[S] | undefined };
  readonly #memories = new Map<string, Promise<Memory>>();
  #closed = false;

  /** Opens nothing yet: a user's memory is opened when it is first needed. */
  constructor(options: FacadeOptions) {
    known(
      options,
      "open dialogStore stateStore semanticStore proceduralStore profileStore experienceStore policies",
    );
    checkFunction("open", options?.open);
    this.#options = options;
    this.#stores = {
      dialog: options.dialogStore,
      state: options.stateStore,
      semantic: options.semanticStore,
      procedural: options.proceduralStore,
      profile: options.profileStore,
      experience: options.experienceStore,
    };
  }

  /** The memory of a user, opened once. It closes with the facade. */
  async memory(userId: string): Promise<Memory> {
    userOf({ userId });
    if (this.#closed) throw new MemoryError("closed", "the facade is closed");
    const known = this.#memories.get(userId);
    if (known) return known;
    const { open, policies } = this.#options;
    const opening = (async () =>
      open(policies === undefined ? { user: userId } : { user: userId, config: { policies } }))();
    this.#memories.set(userId, opening);
    // One that could not be opened is tried again the next time.
    opening.catch(() => this.#memories.delete(userId));
    return opening;
  }

  /**
   * What the asked scopes know, in the asked order; only those that the policy lets through. Scopes of the memory's own
   * come from one view of it. If a store of the app's fails, the read rejects with `storage-failed` and its `cause`.
   */
  async read<S extends MemoryScope>(query: Either<MemoryQuery<S>>): Promise<MemoryResultItem<S>[]> {
    const memory = await this.memory(userOf({ ...query }));
    const replaced = scopesOf(query.scopes).flatMap((scope) => {
      const store = this.#stores[scope];
      return store === undefined ? [] : [{ scope, store }];
    });
    if (replaced.length === 0) return memory.read(query);
    const caller = callerOf(query);
    const policy = await memory.policy({ flowId: caller.flowId, agentId: caller.agentId });
    const taskType = spelled(query, "taskType");
    const asked = {
      caller: query.extra === undefined ? caller : { ...caller, extra: query.extra },
      query: query.query ?? "",
      taskType: typeof taskType === "string" ? taskType : null,
    };
    const scopes = query.scopes.filter((scope) => this.#stores[scope] === undefined);
    // Also where nothing of it is wanted: a query is checked in one place.
    const own = memory.read({ ...query, scopes });
    const allowed = replaced.filter(({ scope }) => policy[`use_${scope}`]);
    const others = allowed.map(({ scope, store }) => readFrom(scope, store, asked, policy));
    const [ours, ...theirs] = await Promise.all([own, ...others]);
    const items = [...ours, ...theirs];
    return query.scopes.flatMap((scope) => items.find((item) => item.scope === scope) ?? []);
  }

  /** Keeps something in the scope that the event names. Answers whether it did: a policy may say no. */
  async write(event: Either<MemoryWriteEvent>): Promise<MemoryWritten> {
    const memory = await this.memory(userOf({ ...event }));
    const { scope, data, meta } = event;
    // A name that every object inherits, such as `toString`, is no store.
    const store = SCOPES.includes(scope) ? this.#stores[scope] : undefined;
    if (store === undefined) return memory.write(event);
    const caller = callerOf(event);
    const { flowId, agentId } = caller;
    if (scope === "experience" && !(await memory.policy({ flowId, agentId })).write_experience)
      return { written: false };
    await writeTo(scope, store, caller, data, meta);
    return { written: true };
  }

  /**
   * Takes away everything of a session, in all stores. Stores of the app's come first: if one fails, ours is as it was,
   * and to call it again does the rest.
   */
  async deleteSession(userId: string, sessionId: string): Promise<void> {
    const memory = await this.memory(userId);
    await Promise.all(
      SCOPES.map((scope) =>
        guarded(scope, async () => this.#stores[scope]?.deleteSession?.(userId, sessionId)),
      ),
    );
    await memory.deleteSession(userId, sessionId);
  }

  /** Closes the memory of a user, which is opened again when it is needed; of all users, for good, if none is named. */
  async close(userId?: string): Promise<void> {
    const closing = userId === undefined ? [...this.#memories.values()] : [this.#memories.get(userId)];
    if (userId === undefined) {
      this.#closed = true;
      this.#memories.clear();
    } else {
      this.#memories.delete(userId);
    }
    // One that could not be opened has nothing to close.
    const opened = await Promise.allSettled(closing);
    await Promise.all(opened.map((memory) => memory.status === "fulfilled" && memory.value?.close()));
  }

  /** `await using facade = …` closes it at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The user that a call names. */
function userOf(fields: object): string {
  const userId = spelled(fields, "userId");
  if (typeof userId !== "string" || userId === "")
    throw refused("userId", "must be there: there is no default user");
  return userId;
}

/** The scopes of a query, all of them known. */
function scopesOf<S extends MemoryScope>(scopes: readonly S[]): readonly S[] {
  if (!Array.isArray(scopes)) throw refused("scopes", "must be a list");
  const unknown = scopes.findIndex((scope) => !SCOPES.includes(scope));
  if (unknown >= 0) throw refused(`scopes[${unknown}]`, `must be one of: ${SCOPES.join(", ")}`);
  return scopes;
}
