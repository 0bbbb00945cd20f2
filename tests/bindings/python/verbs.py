"""Calls of the component by verb, with JSON in and out: the contract has every function and type."""

from contract import case_in, function_of, part
from sent import Fields, Refused, gathered, given
from told import answered, failure


class Failed(Exception):
    """An error that the component answers with."""


def call(memory, verb, args):
    """Calls a verb on a memory, and answers as a scenario does: `gives` or `fails`."""
    try:
        return {"gives": answer_of(memory, verb, args)}
    except Refused as refused:
        return {"fails": {"code": "invalid-input", "field": refused.field}}
    except Failed as failed:
        return {"fails": failure(failed.args[0])}


def answer_of(memory, verb, args):
    function = function_of(verb, args)
    fields = Fields(args)
    resource = function.get("resource")
    receiver = opened(memory, function, fields) if resource == "session" else memory.resource
    try:
        params = [] if resource is None else [receiver]
        for param in function["params"]:
            if part(param["type"], "borrow"):
                params.append(memory.resource)
            elif "flat" in param:
                params.append(gathered(param["type"], fields))
            else:
                params.append(given(param["type"], fields, param["key"]))
        for key in function.get("with", {}):
            fields.take(key)
        fields.finish()
        name = function["name"] if resource is None else f"[method]{resource}.{function['name']}"
        return asked(memory, function, name, params)
    finally:
        if resource == "session":
            receiver.drop(memory.store)


def asked(memory, function, name, params):
    value, ty = memory.ask(function["interface"], name, *params), function.get("result")
    if not part(ty, "result"):
        return answered(function, ty, value)
    side, content = case_in(ty, value)
    if side == "err":
        raise Failed(content)
    return answered(function, ty["result"][0], content)


def opened(memory, function, fields):
    """The session that the arguments name."""
    agent = fields.take("agent") if "agent" in function else None
    session = fields.take("session") if "session" in function else "any"
    if not isinstance(session, str):
        raise Refused("session")
    return memory.session(session, agent if isinstance(agent, str) else None)
