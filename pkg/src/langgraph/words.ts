// The words that an item is found by: those at the paths of its index.

import type { Json } from "../types.js";

type Fields = { [field: string]: Json };

/** A path as LangGraph writes it: `title`, `meta.title`, `chapters[*].text`, `authors[-1]`, `{title,meta.author}`, `*`, `$`. */
const STEP = /\[(\*|-?\d+)\]|\{([^}]*)\}|([^.[{]+)/g;

/** The texts at these paths, one under the other, without the names of fields. */
export function wordsAt(value: Fields, paths: readonly string[]): string {
  return paths.flatMap((path) => at(value, path).flatMap(words)).join("\n");
}

function at(value: Json, path: string): Json[] {
  let found = [value];
  for (const [, index, fields, name] of path === "$" ? [] : path.matchAll(STEP)) {
    found = found.flatMap((inner) => {
      if (fields !== undefined) return fields.split(",").flatMap((field) => at(inner, field.trim()));
      return step(inner, index, name);
    });
  }
  return found;
}

function step(value: Json, index: string | undefined, name: string | undefined): Json[] {
  if (typeof value !== "object" || value === null) return [];
  if (index === "*" || name === "*") return index && !Array.isArray(value) ? [] : Object.values(value);
  if (index !== undefined) {
    const item = Array.isArray(value) ? value.at(Number(index)) : undefined;
    return item === undefined ? [] : [item];
  }
  return name !== undefined && Object.hasOwn(value, name) ? [(value as Fields)[name] as Json] : [];
}

/** Fields may be there without a value, which JSON leaves out. */
function words(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  return typeof value === "object" ? Object.values(value).flatMap(words) : [`${value}`];
}
