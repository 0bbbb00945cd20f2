// Filters: by user, agent and run, and conditions on metadata.

import { refused } from "../../base/errors.js";
import type { Json } from "../../wire/types.js";
import { idOf, misuse } from "./checks.js";
import type { SearchFilters } from "./types.js";

/** Fields by name, of any shape. */
type Fields = { [field: string]: unknown };

/** The ids in filters. */
export interface Whose {
  user: string | undefined;
  agent: string | undefined;
  run: string | undefined;
}

/** Parsed filters. */
export interface Asked extends Whose {
  /** Whether there are conditions besides the ids. */
  more: boolean;
  /** Whether a memory with these fields matches. */
  fits(fields: { [field: string]: Json | undefined }): boolean;
}

const IDS = ["user_id", "agent_id", "run_id"];
const LOGIC: { [name: string]: string } = { $and: "AND", $or: "OR", $not: "NOT" };
const named = (key: string): string => (Object.hasOwn(LOGIC, key) ? (LOGIC[key] as string) : key);

/** Parses filters. At least one of the three ids is required. */
export function asked(filters: SearchFilters | undefined): Asked {
  const given: unknown = filters ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw refused("filters", "must be an object");
  const { rest, ...whose } = ids(given as Fields);
  if (whose.user === undefined && whose.agent === undefined && whose.run === undefined) {
    throw misuse(
      "filters",
      "filters must contain at least one of: user_id, agent_id, run_id. Example: filters: { user_id: 'u1' }",
    );
  }
  if (whose.user === "*") throw refused("filters.user_id", "must name one user");
  const any = (id: string | undefined) => (id === "*" ? undefined : id);
  check(rest);
  const { user, agent = "*", run = "*" } = whose;
  return {
    user,
    agent: any(agent),
    run: any(run),
    more: Object.keys(rest).length > 0,
    fits: (fields) => matches(fields, { ...rest, agent_id: agent, run_id: run }),
  };
}

/** The ids, including those in an array of `AND`, and the other conditions. */
function ids(given: Fields): Whose & { rest: Fields } {
  const found: Fields = {};
  const rest: [string, unknown][] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = named(key);
    if (IDS.includes(key)) found[key] = value;
    else if (value !== undefined) rest.push([name, value]);
    if (name !== "AND" || !Array.isArray(value)) continue;
    for (const part of value) {
      for (const id of IDS) {
        const inner = (part as Fields | null)?.[id];
        if (typeof inner === "string") found[id] ??= inner;
      }
    }
  }
  const { user_id, agent_id, run_id } = found;
  return {
    user: idOf(user_id, "user_id"),
    agent: idOf(agent_id, "agent_id"),
    run: idOf(run_id, "run_id"),
    rest: Object.fromEntries(rest),
  };
}

const OPERATORS: { [name: string]: (value: unknown, wanted: unknown) => boolean } = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  gt: (value, wanted) => (value as number) > (wanted as number),
  gte: (value, wanted) => (value as number) >= (wanted as number),
  lt: (value, wanted) => (value as number) < (wanted as number),
  lte: (value, wanted) => (value as number) <= (wanted as number),
  in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
  contains: (value, wanted) => typeof value === "string" && value.includes(String(wanted)),
  icontains: (value, wanted) =>
    typeof value === "string" && value.toLowerCase().includes(String(wanted).toLowerCase()),
};

/** Validates conditions before anything is read. */
function check(conditions: Fields): void {
  for (const [written, condition] of Object.entries(conditions)) {
    const key = named(written);
    if (["AND", "OR", "NOT"].includes(key)) {
      const parts: unknown[] | undefined = Array.isArray(condition) ? condition : undefined;
      if (key === "AND" && !parts) {
        throw misuse("filters.AND", "AND operator requires a list of conditions");
      }
      if (!parts?.length && key !== "AND") {
        throw misuse(`filters.${key}`, `${key} operator requires a non-empty list of conditions`);
      }
      for (const part of parts ?? []) {
        if (typeof part !== "object" || part === null) {
          throw refused(`filters.${key}`, "must be an array of filters");
        }
        check(part as Fields);
      }
    } else if (typeof condition === "object" && condition !== null && !Array.isArray(condition)) {
      const unknown = Object.keys(condition).find((operator) => !Object.hasOwn(OPERATORS, operator));
      if (unknown !== undefined) {
        throw misuse(`filters.${key}`, `Unsupported metadata filter operator: ${unknown}`);
      }
    }
  }
}

function matches(fields: Fields, conditions: Fields): boolean {
  return Object.entries(conditions).every(([key, condition]) => {
    const parts = condition as Fields[];
    const name = named(key);
    if (name === "AND") return parts.every((part) => matches(fields, part));
    if (name === "OR") return parts.some((part) => matches(fields, part));
    if (name === "NOT") return !parts.some((part) => matches(fields, part));
    if (condition === "*") return true;
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (Array.isArray(condition)) return condition.includes(value);
    if (typeof condition !== "object" || condition === null) return value === condition;
    return Object.entries(condition).every(([operator, wanted]) => OPERATORS[operator]?.(value, wanted));
  });
}
