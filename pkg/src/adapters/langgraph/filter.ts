// Filters of a store's search.

import { same } from "./same.js";

/** The operators. Numbers are compared as numbers, anything else as strings: dates in ISO 8601 sort correctly. */
const OPERATORS: { readonly [name: string]: (value: unknown, wanted: unknown) => boolean } = {
  $eq: same,
  $ne: (value, wanted) => !same(value, wanted),
  $gt: (value, wanted) => order(value, wanted) > 0,
  $gte: (value, wanted) => order(value, wanted) >= 0,
  $lt: (value, wanted) => order(value, wanted) < 0,
  $lte: (value, wanted) => order(value, wanted) <= 0,
  $in: (value, wanted) => Array.isArray(wanted) && wanted.some((one) => same(value, one)),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.some((one) => same(value, one)),
};

/** Whether the value matches every field of the filter. */
export function passes(value: object, filter: { [field: string]: unknown } | undefined): boolean {
  return Object.entries(filter ?? {}).every(([name, wanted]) => {
    const own = Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
    if (!isOperators(wanted)) return same(own, wanted);
    return Object.entries(wanted).every(([operator, operand]) => OPERATORS[operator]?.(own, operand));
  });
}

function isOperators(wanted: unknown): wanted is { [operator: string]: unknown } {
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) return false;
  return Object.keys(wanted).every((name) => Object.hasOwn(OPERATORS, name));
}

/** Negative, zero or positive; NaN if the values have no order. */
function order(one: unknown, other: unknown): number {
  if (one === undefined || one === null || other === undefined || other === null) return Number.NaN;
  const difference = Number(one) - Number(other);
  if (!Number.isNaN(difference) || typeof one !== "string" || typeof other !== "string") return difference;
  return one < other ? -1 : one > other ? 1 : 0;
}
