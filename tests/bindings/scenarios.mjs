// The scenarios as far as the types of WIT can express them: which calls there are, and how each answer looks then.

import { readdir, readFile } from "node:fs/promises";
import { functionOf, knows, shape } from "./contract.mjs";

const folder = new URL("../scenarios/", import.meta.url);

/** Every scenario that has types, by the name of its file: the same steps, with the arguments and the answers of typed doors. */
export async function typedScenarios() {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  const read = async (name) => ({ file: name, ...JSON.parse(await readFile(new URL(name, folder), "utf8")) });
  const all = await Promise.all(names.map(read));
  return all.filter(({ untyped }) => untyped === undefined).map(typed);
}

function typed(scenario) {
  const steps = scenario.steps.filter(
    (step) => step.call === undefined || (step.untyped === undefined && knows(step.call)),
  );
  return { ...scenario, steps: steps.map((step) => (step.call === undefined ? step : typedStep(step))) };
}

function typedStep({ call, args = {}, typed = args, ...wanted }) {
  const answer =
    "fails" in wanted
      ? { fails: typedFailure(wanted.fails) }
      : { gives: answerOf(call, typed, wanted.gives) };
  return { call, args: typed, answer };
}

/** A failure as far as WIT can express it: the field is part of some errors only. */
export function typedFailure(failure) {
  const fieldless = ["already-exists", "not-found", "conflict"].includes(failure.code);
  return fieldless ? { ...failure, field: null } : failure;
}

/** The answer without the fields that the contract drops. */
function answerOf(verb, args, answer) {
  const { result, answer: keys = [] } = functionOf(verb, args);
  const type = result?.result?.[0];
  if (!type) return answer;
  const isObject = typeof answer === "object" && answer !== null && !Array.isArray(answer);
  if (keys.length === 0) return without(type, answer);
  if (keys.length === 1) {
    // Where an answer has several forms, WIT has one.
    const [key] = keys;
    return isObject ? { ...answer, [key]: without(type, answer[key]) } : { [key]: without(type, answer) };
  }
  return {
    ...answer,
    ...Object.fromEntries(keys.map((key, at) => [key, without(type.tuple[at], answer[key])])),
  };
}

function without(type, value) {
  if (value === null || typeof value !== "object") return value;
  if (type.option) return without(type.option, value);
  if (type.list) return Array.isArray(value) ? value.map((item) => without(type.list, item)) : value;
  const { record, variant, tag, dropped = [] } = shape(type) ?? {};
  if (Array.isArray(value) || (!record && !variant)) return value;
  let left = { ...value };
  for (const key of dropped) delete left[key];
  for (const field of record ?? []) left = withoutIn(field, left);
  for (const { type, key } of variant ?? []) {
    if (!type) continue;
    if (key === undefined) left = without(type, left);
    else if (key in left) left[key] = without(type, left[key]);
  }
  // A case has no field of its own for the tag.
  return tag in value ? { ...left, [tag]: value[tag] } : left;
}

function withoutIn({ type, key, inner, flat }, left) {
  if (flat) return without(type, left);
  if (key === undefined || inner !== undefined || !(key in left)) return left;
  const { [key]: value, ...others } = left;
  // A field that is null is as good as none.
  return type.option && value === null ? others : { ...left, [key]: without(type, value) };
}
