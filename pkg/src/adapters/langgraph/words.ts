// The searchable words of an item: the strings at the paths of its index.

import type { Json } from "../../wire/types.js";

type Fields = { [field: string]: Json };

/** A path as LangGraph writes it: `title`, `meta.title`, `chapters[*].text`, `authors[-1]`, `{title,meta.author}`, `*`, `$`. */
const STEP = /\[(\*|-?\d+)\]|\{([^}]*)\}|([^.[{]+)/g;

/** The maximum size of the words of an item. */
const MOST_BYTES = 1024 * 1024;

/** The strings at these paths, one per line, without field names; truncated to the maximum size. */
export function wordsAt(value: Fields, paths: readonly string[]): string {
  const text = paths.flatMap((path) => at(value, path).flatMap(words)).join("\n");
  // A UTF-16 code unit has at most three bytes in UTF-8.
  if (text.length * 3 <= MOST_BYTES) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(MOST_BYTES)).read);
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

/** Without undefined fields, which JSON leaves out. */
function words(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  return typeof value === "object" ? Object.values(value).flatMap(words) : [`${value}`];
}
