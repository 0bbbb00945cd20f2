"""JSON as values of the component's types.

Values that WIT's types cannot express, such as a number for a string, are refused here, as tests/host does. Every other
judgement is left to the component.
"""

import json
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone

from contract import case, letters, part, shape
from wasmtime.component import Record

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
LIMITS = {"u32": 2**32 - 1, "u64": 2**64 - 1}


class Refused(Exception):
    """A field whose value does not have its type."""

    def __init__(self, field=""):
        super().__init__(field)
        self.field = field


def check(right, field=""):
    if not right:
        raise Refused(field)


@contextmanager
def within(outer):
    """Names a refused field as it is called from outside."""
    try:
        yield
    except Refused as refused:
        dot = "" if refused.field == "" or refused.field.startswith("[") else "."
        raise Refused(f"{outer}{dot}{refused.field}") from None


class Fields:
    """The fields of an object that were not taken yet. A field that is null is as good as none."""

    def __init__(self, fields):
        self.left = dict(fields)

    def take(self, key):
        """Takes a field by its name in any spelling."""
        names = [name for name in self.left if letters(name) == letters(key)]
        found = next((name for name in names if self.left[name] is not None), None)
        value = self.left.get(found)
        for name in names:
            if name == found or self.left[name] is None:
                del self.left[name]
        return value

    def has(self, key):
        return any(letters(name) == letters(key) and value is not None for name, value in self.left.items())

    def rest(self):
        """Takes everything that is left."""
        rest, self.left = self.left, {}
        return rest

    def finish(self):
        """Refuses a field that nothing took."""
        for unknown in self.left:
            raise Refused(unknown)


def text_of(value):
    return json.dumps(value, ensure_ascii=False)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def number(value):
    check(is_number(value))
    return float(value)


def millis(value):
    if not isinstance(value, str):
        return int(number(value))
    try:
        moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        raise Refused() from None
    if len(value) == len("2025-03-01"):
        moment = moment.replace(tzinfo=timezone.utc)
    check(moment.tzinfo is not None)
    return (moment - EPOCH) // timedelta(milliseconds=1)


def plain(ty, value):
    """The value of a type that has no name."""
    if ty == "bool":
        check(value is None or isinstance(value, bool))
        return bool(value)
    if ty in LIMITS:
        check(is_number(value) and value == int(value) and value >= 0)
        return min(int(value), LIMITS[ty])
    if ty in ("f32", "f64"):
        return number(value)
    if ty == "time":
        return millis(value)
    if ty == "json":
        return text_of(value)
    if ty == "json-object":
        return text_of({} if value is None else value)
    check(isinstance(value, str))
    return value


def sent(ty, value):
    """The value of a type that JSON means; a missing field is None."""
    if shape(ty):
        return named(ty, value)
    if isinstance(ty, str):
        return plain(ty, value)
    if part(ty, "option"):
        return case(ty, "none") if value is None else case(ty, "some", sent(ty["option"], value))
    if part(ty, "list"):
        return listed(ty["list"], value)
    types = ty["tuple"]
    check(isinstance(value, list) and len(value) == len(types))
    return tuple(map(sent, types, value))


def listed(item, value):
    # A string alone is one block of text.
    if item == "dialog/block" and isinstance(value, str):
        value = [{"type": "text", "text": value}]
    check(value is None or isinstance(value, list))
    # An embedding is judged as a whole.
    if item == "f32":
        return [number(one) for one in value or []]
    made = []
    for at, one in enumerate(value or []):
        with within(f"[{at}]"):
            made.append(sent(item, one))
    return made


def named(ty, value):
    known = shape(ty)
    if "enum" in known:
        words = [name for name, word in known["enum"].items() if word == value]
        check(words)
        return words[0]
    if "untagged" in known:
        return alone(ty, known["variant"], value)
    check(isinstance(value, dict))
    fields = Fields(value)
    made = gathered(ty, fields)
    fields.finish()
    return made


def given(ty, args, key):
    """The value of an argument, where null is not the same as none."""
    is_null = key in args.left and args.left[key] is None
    value = args.take(key)
    for one in (shape(ty) or {}).get("variant", []) if value is None else []:
        if "type" not in one and ("is" in one and one["is"] is None if is_null else "absent" in one):
            return case(ty, one["name"])
    with within(key):
        return sent(ty, value)


def gathered(ty, fields):
    """The value of a type whose fields are among these."""
    known = shape(ty)
    if "variant" in known:
        return tagged(ty, known, fields)
    made = {}
    # Each takes its own fields first; the last has all others.
    for field in known["record"]:
        if "key" in field:
            made[field["name"]] = keyed(field, fields)
    for field in known["record"]:
        if "flat" in field:
            made[field["name"]] = flat(field["type"], fields)
    for field in known["record"]:
        if "rest" in field:
            made[field["name"]] = rest(known["keys"], fields)
    record = Record()
    vars(record).update(made)
    return record


def flat(ty, fields):
    inner = part(ty, "option")
    if inner is None:
        return gathered(ty, fields)
    keys = shape(inner).get("keys")
    return case(ty, "some", gathered(inner, fields)) if keys and fields.has(keys[0]) else case(ty, "none")


def rest(keys, fields):
    left = fields.rest()
    for name in left:
        check(letters(name) not in map(letters, keys), name)
    return text_of(left) if left else None


def keyed(field, fields):
    ty, key, inner = field["type"], field["key"], field.get("inner")
    if "answerOnly" in field:
        return sent(ty, "" if ty == "string" else 0)
    if "blank" in field and not fields.has(key):
        return ""
    outer = fields.left.get(key)
    if inner and isinstance(outer, dict):
        value = outer.get(inner)
        fields.left[key] = {name: one for name, one in outer.items() if name != inner}
        if not fields.left[key]:
            fields.take(key)
        with within(f"{key}.{inner}"):
            return sent(ty, value)
    value = fields.take(key)
    if "map" in field:
        check(value is None or isinstance(value, dict), key)
        return [(name, text_of(one)) for name, one in (value or {}).items()]
    with within(key):
        return sent(ty, value)


def alone(ty, cases, value):
    """The first case that can be this value."""
    for one in cases:
        inner = one.get("type")
        if inner is None or (inner == "json-object" and not isinstance(value, dict)):
            continue
        try:
            return case(ty, one["name"], sent(inner, value))
        except Refused:
            continue
    raise Refused()


def tagged(ty, known, fields):
    tag = known.get("tag")
    found = by_tag(known["variant"], tag, fields) if tag else by_keys(known["variant"], fields)
    check(found is not None, tag or "")
    name, inner = found["name"], found.get("type")
    if "other" in found:
        return case(ty, name, text_of(fields.rest()))
    for key in [*([tag] if tag else []), *found.get("with", {})]:
        fields.take(key)
    if inner is None:
        return case(ty, name)
    if "key" not in found:
        return case(ty, name, gathered(inner, fields))
    with within(found["key"]):
        return case(ty, name, sent(inner, fields.take(found["key"])))


def by_tag(cases, tag, fields):
    """The case that the tag names. The first is meant where there is no tag."""
    says = fields.left.get(tag)
    named_so = (one for one in cases if "other" not in one and one.get("is") == says)
    others = (one for one in cases if "other" in one)
    return next(named_so, None) or next(others, None) or (cases[0] if says is None else None)


def by_keys(cases, fields):
    for one in cases:
        more = one.get("with", {})
        first = one.get("key") or shape(one["type"])["keys"][0]
        fits = all(fields.left.get(name) == value for name, value in more.items())
        if fits and fields.has(first) and (not more) != fields.has("delete"):
            return one
    return None
