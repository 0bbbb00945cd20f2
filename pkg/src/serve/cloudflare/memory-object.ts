// A Durable Object that is one user's memory.

import { DurableObject } from "cloudflare:workers";
import { MemoryError } from "../../base/errors.js";
import { type OpenOptions, openMemory } from "../../entry/workerd.js";
import type { LearnOptions } from "../../memory/learning/learn.js";
import type { Memory } from "../../memory/memory.js";
import { failure } from "../http/failures.js";
import { checkedLimits } from "../http/http.js";
import { partsOf } from "../http/incoming.js";
import { type ApiLimits, TenantService } from "../http/service.js";
import { durableObjectStorage } from "./durable-object-storage.js";

/** How the memory of an object is kept and served. */
export interface MemoryObjectOptions extends ApiLimits, Omit<OpenOptions, "user" | "name" | "storage"> {
  /**
   * How many milliseconds after a write the object is woken up to take away what has expired, and to learn; from then on
   * again and again for as long as there is something in it. Default: a day.
   */
  maintenanceEvery?: number | undefined;
  /** How it learns then; `false`: it does not. Default: without a model. */
  learn?: false | Omit<LearnOptions, "signal" | "onProgress"> | undefined;
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * One user's memory as a Durable Object. It answers the API of `docs/openapi.json` to whoever holds its stub: who that is
 * is looked at before, by `memoryGateway`. Extend it for settings, or for methods of your own.
 *
 * @example
 * export class Mine extends MemoryObject<Env> {
 *   protected override settings() {
 *     return { embedder: (texts) => embed(this.env.AI, texts) };
 *   }
 * }
 */
export class MemoryObject<Env = unknown> extends DurableObject<Env> {
  #settings: MemoryObjectOptions | undefined;
  #opening: Promise<Memory> | undefined;
  #service: TenantService | undefined;
  /** Whether it is known that there is an alarm. */
  #waking = false;

  /** How the memory is kept and served. It is asked once in the life of an object. Default: nothing in particular. */
  protected settings(): MemoryObjectOptions {
    return {};
  }

  /** The memory, which is opened when it is first asked for. Its user is the object's id. */
  protected memory(): Promise<Memory> {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Answers a request to the API. */
  override async fetch(request: Request): Promise<Response> {
    try {
      this.#service ??= new TenantService(() => this.memory(), checkedLimits(this.#options));
      return await this.#service.answer(request, partsOf(request.url), {
        wrote: () => this.#wakeLater(),
        // Somebody has emptied the object's storage: what comes next is a new memory.
        failed: (error) => {
          if (error instanceof MemoryError && error.code === "store-lost") this.#opening = undefined;
        },
      });
    } catch (error) {
      return failure(error);
    }
  }

  /** Takes away what has expired, and learns. */
  override async alarm(): Promise<void> {
    this.#waking = false;
    const memory = await this.memory();
    const { learn } = this.#options;
    await memory.cleanup();
    if (learn !== false) await memory.learn({ ...learn });
    const { total } = await memory.stats();
    // What is empty sleeps until somebody writes.
    if (total > 0 || (await memory.sessions()).length > 0) await this.#wakeLater();
  }

  get #options(): MemoryObjectOptions {
    this.#settings ??= this.settings();
    return this.#settings;
  }

  async #open(): Promise<Memory> {
    const {
      maxBodyBytes: _,
      requestsPerMinute: __,
      maintenanceEvery: ___,
      learn: ____,
      ...how
    } = this.#options;
    const storage = durableObjectStorage(this.ctx.storage);
    // The id, and not a name: every version of the runtime knows it, and it never changes.
    return openMemory({ ...how, user: this.ctx.id.toString(), storage });
  }

  async #wakeLater(): Promise<void> {
    if (this.#waking) return;
    const { maintenanceEvery = DAY } = this.#options;
    this.#waking = true;
    try {
      if ((await this.ctx.storage.getAlarm()) === null) {
        await this.ctx.storage.setAlarm(Date.now() + maintenanceEvery);
      }
    } catch {
      // What was written is written; the next write tries again.
      this.#waking = false;
    }
  }
}
