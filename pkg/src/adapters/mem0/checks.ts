// Argument checks, with the error messages of mem0.

import { MemoryError, refused } from "../../base/errors.js";
import type { MessageInput } from "../../wire/messages.js";
import type { Message } from "./types.js";

const ENTITY_PARAMS = ["user_id", "agent_id", "run_id", "userId", "agentId", "runId"];
/** Fields of metadata that are reserved for identity. */
const IDENTITY = [...ENTITY_PARAMS, "actor_id"];

/** The error for misuse of `field`. */
export function misuse(field: string, message: string): MemoryError {
  return new MemoryError("invalid-input", message, { field });
}

/** The error for a missing memory. */
export function missing(id: string): MemoryError {
  return new MemoryError("not-found", `Memory with ID ${id} not found`, { field: "memoryId" });
}

/** An id without surrounding whitespace; numeric ids are accepted. */
export function idOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" && typeof value !== "number") {
    throw misuse(name, `Invalid ${name}: must be a string. Provide a valid identifier.`);
  }
  const trimmed = String(value).trim();
  if (trimmed === "") {
    throw misuse(name, `Invalid ${name}: cannot be empty or whitespace-only. Provide a valid identifier.`);
  }
  if (/\s/.test(trimmed)) {
    throw misuse(
      name,
      `Invalid ${name}: cannot contain whitespace. Provide a valid identifier without spaces.`,
    );
  }
  return trimmed;
}

/** Ids belong into `filters`; elsewhere they would be ignored. mem0 suggests `filters: { userId }`, which its filters refuse. */
export function noIdsBeside(config: object, method: string): void {
  const wrong = Object.keys(config).filter((key) => ENTITY_PARAMS.includes(key));
  if (wrong.length === 0) return;
  throw misuse(
    wrong[0] as string,
    `Top-level entity parameters [${wrong.join(", ")}] are not supported in ${method}(). ` +
      "Use filters: { user_id: 'u1' } instead.",
  );
}

/** Options that only mem0's hosted service has are refused, not ignored. */
export function unsupported(config: object | undefined, option: string): void {
  if ((config as { [option: string]: unknown } | undefined)?.[option] === undefined) return;
  throw refused(option, "is not supported");
}

/** Validates the numbers of a search. */
export function checkNumbers(threshold: unknown, topK: unknown): void {
  if (threshold !== undefined) {
    if (typeof threshold !== "number" || Number.isNaN(threshold)) {
      throw misuse("threshold", "threshold must be a valid number");
    }
    if (threshold < 0 || threshold > 1) {
      throw misuse("threshold", `Invalid threshold: ${threshold}. Must be between 0 and 1 (inclusive).`);
    }
  }
  if (topK === undefined) return;
  if (typeof topK !== "number" || !Number.isInteger(topK)) {
    throw misuse("topK", "topK must be a valid integer");
  }
  if (topK < 0) throw misuse("topK", `Invalid topK: ${topK}. Must be a non-negative integer.`);
}

/** The last day on which a memory is shown. */
export function dayOf(value: unknown): string {
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)) {
    const time = Date.parse(`${value}T00:00:00Z`);
    // February 30 would become a day of March.
    if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(value)) return value;
  }
  throw misuse("expirationDate", "expirationDate must be a valid date in YYYY-MM-DD format.");
}

/** The metadata without reserved fields. */
export function withoutIdentity<T>(metadata: { [key: string]: T } | undefined): { [key: string]: T } {
  const given: unknown = metadata ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw refused("metadata", "must be an object");
  return Object.fromEntries(
    Object.entries(given as { [key: string]: T }).filter(([key]) => !IDENTITY.includes(key)),
  );
}

/** The messages, of which at least one must have content. */
export function messagesOf(given: string | readonly Message[]): MessageInput[] {
  if (given === undefined || given === null) {
    throw misuse(
      "messages",
      "messages is required and cannot be undefined or null. Provide a string or array of messages.",
    );
  }
  if (!Array.isArray(given)) {
    if (typeof given !== "string") throw refused("messages", "must be a string or an array of messages");
    if (given.trim() === "") {
      throw misuse("messages", "messages string cannot be empty. Provide non-empty content.");
    }
    return [{ role: "user", content: given }];
  }
  if (given.length === 0) {
    throw misuse(
      "messages",
      "messages array cannot be empty. Provide at least one message with non-empty content.",
    );
  }
  const messages = given.map((message: Message | null, at) => {
    if (typeof message?.role !== "string") {
      throw refused(`messages[${at}].role`, "must be a string");
    }
    if (typeof message.content !== "string") {
      throw refused(`messages[${at}].content`, "must be a string: images are not supported");
    }
    const { role, content, name } = message;
    return { role: role as MessageInput["role"], content, ...(name !== undefined && { name }) };
  });
  if (messages.every(({ content }) => content.trim() === "")) {
    throw misuse(
      "messages",
      "messages array cannot contain only blank content. Provide at least one message with non-empty content.",
    );
  }
  return messages;
}
