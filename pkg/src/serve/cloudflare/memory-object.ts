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

/** Settings of a `MemoryObject`. */
export interface MemoryObjectOptions extends ApiLimits, Omit<OpenOptions, "user" | "name" | "storage"> {
  /**
   * How many milliseconds after a write the object wakes up to delete expired entries and to learn. Repeated while the
   * memory is not empty. Default: one day.
   */
  maintenanceEvery?: number | undefined;
  /** The options of learning; `false` turns it off. Default: without a model. */
  learn?: false | Omit<LearnOptions, "signal" | "onProgress"> | undefined;
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * One user's memory as a Durable Object. It serves the API of `docs/openapi.json` to every holder of its stub:
 * `memoryGateway` authorizes requests before. Extend it for settings, or for your own methods.
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
  /** Whether an alarm is known to be set. */
  #waking = false;

  /** The settings. Called once per object. Default: none. */
  protected settings(): MemoryObjectOptions {
    return {};
  }

  /** The memory, opened on first use. Its user is the object's id. */
  protected memory(): Promise<Memory> {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Handles a request to the API. */
  override async fetch(request: Request): Promise<Response> {
    try {
      this.#service ??= new TenantService(() => this.memory(), checkedLimits(this.#options));
      return await this.#service.answer(request, partsOf(request.url), {
        wrote: () => this.#wakeLater(),
        // The object's storage was emptied: the next call opens a new memory.
        failed: (error) => {
          if (error instanceof MemoryError && error.code === "store-lost") this.#opening = undefined;
        },
      });
    } catch (error) {
      return failure(error);
    }
  }

  /** Deletes expired entries, and learns. */
  override async alarm(): Promise<void> {
    this.#waking = false;
    const memory = await this.memory();
    const { learn } = this.#options;
    await memory.cleanup();
    if (learn !== false) await memory.learn({ ...learn });
    const { total } = await memory.stats();
    // An empty memory has no alarm until the next write.
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
    // The id, not the name: every version of the runtime has it, and it never changes.
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
      // The write has succeeded; the next write tries again to set the alarm.
      this.#waking = false;
    }
  }
}
