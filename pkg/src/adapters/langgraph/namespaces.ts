// Matches namespaces.

import type { MatchCondition } from "@langchain/langgraph-checkpoint";
import { refused } from "../../base/errors.js";

/** Whether the namespace begins or ends with the path; `*` matches any one label. */
export function matches(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (matchType !== "prefix" && matchType !== "suffix") {
    throw refused("matchType", "must be prefix or suffix");
  }
  const from = matchType === "prefix" ? 0 : namespace.length - path.length;
  if (path.length > namespace.length) return false;
  return path.every((label, at) => label === "*" || label === namespace[from + at]);
}
