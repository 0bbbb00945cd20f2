// Not from "keepsake": a compiler with `moduleResolution: "bundler"` knows only its entry for browsers.
import { jsonl, type Memory, openMemory } from "keepsake/node";

let opened: Promise<Memory> | undefined;

/** The memory of the server, opened by the first request. An app with accounts keeps one per user. */
export function memory(): Promise<Memory> {
  opened ??= openMemory({ user: "ann", storage: jsonl("memory.jsonl") });
  return opened;
}
