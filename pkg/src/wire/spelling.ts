// Conversion between camelCase names and the snake_case names of the specification.

/** A name in snake_case. */
type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : S;

/** The same fields with snake_case names: `user_id` for `userId`. */
export type Documented<T> = T extends unknown
  ? { [K in keyof T as K extends string ? Snake<K> : K]: T[K] }
  : never;

/** The fields of a step that have a name in each case. */
export const STEP_NAMES = ["taskType", "toolName", "errorType", "latencyMs", "traceId", "skillId"] as const;

/** The value of a field, by its camelCase or snake_case name. */
export function spelled(fields: object, name: string): unknown {
  const given = fields as { [name: string]: unknown };
  return given[name] ?? given[documented(name)];
}

/**
 * Converts the named fields to camelCase and copies all others unchanged. `names` must list every multi-word name of
 * `T`.
 */
export function inCamelCase<T extends object>(
  fields: T | Documented<T>,
  names: readonly (keyof T & string)[],
): T;
export function inCamelCase(fields: object, names: readonly string[]): { [name: string]: unknown };
export function inCamelCase(fields: object, names: readonly string[]): { [name: string]: unknown } {
  const told: { [name: string]: unknown } = { ...fields };
  for (const name of names) {
    const value = spelled(fields, name);
    delete told[documented(name)];
    if (value !== undefined) told[name] = value;
  }
  return told;
}

function documented(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
