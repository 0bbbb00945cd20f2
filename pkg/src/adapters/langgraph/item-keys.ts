// The keys of a store's items: the namespace, an empty part, and the item's key.

import { refused } from "../../base/errors.js";
import { textOf, under, unescaped } from "./keys.js";

/** The namespace, if it is an array of non-empty strings. */
export function namespaceOf(labels: unknown, field: string): string[] {
  if (!Array.isArray(labels)) throw refused(field, "must be an array of strings");
  return labels.map((label, at) => textOf(label, `${field}[${at}]`));
}

/** The key of an item. Labels are not empty, so the first empty part ends the namespace. */
export function itemKey({ namespace, key }: { namespace: string[]; key: string }): string {
  const labels = namespaceOf(namespace, "namespace");
  if (labels.length === 0) throw refused("namespace", "must not be empty");
  return `${under(...labels)}/${textOf(key, "key")}`;
}

/** The namespace and the key of an item. */
export function partsOfItem(key: string): { namespace: string[]; key: string } {
  const end = key.indexOf("//");
  return { namespace: key.slice(0, end).split("/").map(unescaped), key: key.slice(end + 2) };
}
