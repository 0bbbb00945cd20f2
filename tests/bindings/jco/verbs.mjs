// Calls of the generated bindings by verb, with JSON in and out: the contract has every function and type.

import { camel, functionOf } from "../contract.mjs";
import { Fields, gathered, given, Refused } from "./sent.mjs";
import { answered, failure } from "./told.mjs";

/** Calls a verb on a memory of these exports, and answers as a scenario does: `gives` or `fails`. */
export function call(exports, memory, verb, args) {
  try {
    return { gives: answerOf(exports, memory, verb, args) };
  } catch (error) {
    if (error instanceof Refused) return { fails: { code: "invalid-input", field: error.field } };
    // An error without a payload is a trap, or a mistake in these files.
    if (error.payload === undefined) throw error;
    return { fails: failure(error.payload) };
  }
}

function answerOf(exports, memory, verb, args) {
  const called = functionOf(verb, args);
  const fields = new Fields(args);
  const session = called.resource === "session" ? opened(exports, memory, called, fields) : undefined;
  try {
    const params = called.params.map(({ type, key, flat }) => {
      if (type.borrow) return memory;
      return flat ? gathered(type, fields) : given(type, fields, key);
    });
    for (const key of Object.keys(called.with ?? {})) fields.take(key);
    fields.finish();
    const receiver = called.resource === undefined ? exports[camel(called.interface)] : (session ?? memory);
    const answer = receiver[camel(called.name)](...params);
    return answered(called, called.result?.result ? called.result.result[0] : called.result, answer);
  } finally {
    session?.[Symbol.dispose]();
  }
}

/** The session that the arguments name. */
function opened(exports, memory, { agent, session }, fields) {
  const name = agent ? fields.take("agent") : null;
  const id = session ? fields.take("session") : "any";
  if (typeof id !== "string") throw new Refused("session");
  try {
    return exports.dialog.Session.open(memory, id, typeof name === "string" ? name : undefined);
  } catch (error) {
    if (error.payload?.val?.field === "id") throw new Refused("session");
    throw error;
  }
}
