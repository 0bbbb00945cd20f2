// Component states in JSON files, one per session.

import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError, refused } from "../../base/errors.js";

import type { SavedComponents } from "../../wire/sessions.js";
import { fromJSON, type StateSession, toJSON } from "./state.js";

/**
 * Stores states in a folder, in the documented JSON: the session `user123` in `user123.json`. Characters that are not safe
 * in a file name are percent-encoded. A file is replaced atomically, so that a crash leaves the old state or the new one.
 *
 * @example
 * SessionManager.forSessionId("user123").withSession(new JsonSession("./sessions")).addComponent(messages);
 */
export class JsonSession implements StateSession {
  /** The folder. */
  readonly path: string;

  /** Uses the folder `path`, which the first save creates. */
  constructor(path: string) {
    if (typeof path !== "string" || path === "") throw refused("path", "must be a non-empty string");
    this.path = path;
  }

  /** Saves the states of a session, and replaces the previous ones. */
  async save(sessionId: string, components: SavedComponents["components"]): Promise<void> {
    const file = this.#file(sessionId);
    const saved = await this.#read(file);
    // Some file systems are case-insensitive.
    if (saved && saved.sessionId !== sessionId) {
      throw new MemoryError("already-exists", "another session has this file", { field: "sessionId" });
    }
    const timestamp = new Date().toISOString();
    const beside = `${file}.${randomUUID()}.tmp`;
    try {
      await mkdir(this.path, { recursive: true });
      const handle = await open(beside, "wx");
      try {
        await handle.writeFile(`${toJSON({ sessionId, components, timestamp })}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(beside, file);
    } catch (cause) {
      await rm(beside, { force: true }).catch(() => {});
      throw new MemoryError("storage-failed", "the session's file cannot be written", { cause });
    }
  }

  /** The states of a session; `null` if there are none. */
  async load(sessionId: string): Promise<SavedComponents | null> {
    const saved = await this.#read(this.#file(sessionId));
    return saved?.sessionId === sessionId ? saved : null;
  }

  async #read(file: string): Promise<SavedComponents | null> {
    let text: string;
    try {
      text = await readFile(file, "utf8");
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
      throw new MemoryError("storage-failed", "the session's file cannot be read", { cause });
    }
    try {
      return fromJSON(text);
    } catch (cause) {
      throw new MemoryError("corrupt", "the session's file is not a saved state", { cause });
    }
  }

  #file(sessionId: string): string {
    if (typeof sessionId !== "string" || sessionId === "") {
      throw refused("sessionId", "must be a non-empty string");
    }
    const hex = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
    try {
      return join(this.path, `${encodeURIComponent(sessionId).replace(/[!'()*~]/g, hex)}.json`);
    } catch {
      throw refused("sessionId", "must be well-formed Unicode");
    }
  }
}
