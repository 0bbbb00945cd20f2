"""Values of the component's types as JSON."""

import json
from datetime import timedelta

from contract import case_in, part, shape
from sent import EPOCH


def told(ty, value):
    """The JSON of a value."""
    if ty in ("json", "json-object"):
        return json.loads(value)
    if ty == "time":
        return (EPOCH + timedelta(milliseconds=value)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if part(ty, "option"):
        name, inner = case_in(ty, value)
        return None if name == "none" else told(ty["option"], inner)
    if part(ty, "list"):
        return [told(ty["list"], item) for item in value]
    if part(ty, "tuple"):
        return list(map(told, ty["tuple"], value))
    if part(ty, "result"):
        # A mistake of the model is an answer to it.
        name, text = case_in(ty, value)
        return {"text": text, "isError": name == "err"}
    return named(ty, value) if shape(ty) else value


def named(ty, value):
    known = shape(ty)
    if "enum" in known:
        return known["enum"][value]
    if "array" in known:
        return [told(field["type"], getattr(value, field["name"])) for field in known["record"]]
    return fields_of(ty, value)


def fields_of(ty, value):
    """The fields of a value, which stand in an object of its own or beside others."""
    if part(ty, "option"):
        name, inner = case_in(ty, value)
        return {} if name == "none" else fields_of(ty["option"], inner)
    known = shape(ty)
    if "record" in known:
        fields = {}
        for field in known["record"]:
            fields |= field_of(field, getattr(value, field["name"]))
        return fields
    name, inner = case_in(ty, value)
    case = next(one for one in known["variant"] if one["name"] == name)
    if "other" in case:
        return json.loads(inner)
    fields = {known["tag"]: case["is"]} if "tag" in known else {}
    if "type" not in case:
        return fields
    more = {case["key"]: told(case["type"], inner)} if "key" in case else fields_of(case["type"], inner)
    return fields | more


def field_of(field, value):
    ty = field["type"]
    if part(ty, "option") and case_in(ty, value)[0] == "none":
        return {}
    if "flat" in field:
        return fields_of(ty, value)
    if "rest" in field:
        return json.loads(value)
    if "map" in field:
        return {field["key"]: dict(pair_of(ty["list"], pair) for pair in value)}
    if "sparse" in field and value in (False, [], ""):
        return {}
    return {field["key"]: told(ty, value)}


def pair_of(ty, pair):
    if part(ty, "tuple"):
        return pair[0], told(ty["tuple"][1], pair[1])
    name, content = shape(ty)["record"]
    return getattr(pair, name["name"]), told(content["type"], getattr(pair, content["name"]))


def answered(function, ty, value):
    """An answer in the form of its verb."""
    keys = function.get("answer", [])
    if ty is None:
        return None
    if "boxed" in function:
        return [None if item is None else [told(ty["list"], item)] for item in value]
    if not keys:
        return told(ty, value)
    if len(keys) == 1:
        return {keys[0]: told(ty, value)}
    return {key: told(inner, item) for key, inner, item in zip(keys, ty["tuple"], value)}


def failure(error):
    """The code and the field of a failure."""
    code = "conflict" if error.tag == "other-version" else error.tag
    return {"code": code, "field": getattr(error.payload, "field", None)}
