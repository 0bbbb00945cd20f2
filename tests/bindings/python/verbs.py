"""A scenario's verbs as calls of the component, by the table in verbs.json.

What WIT's types make impossible to say, such as a number for a text, is refused here, as tests/host does. Every other
judgement is left to the component.
"""

import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path

from host import record
from wasmtime.component import Record, Variant

TABLE = json.loads((Path(__file__).parent.parent / "verbs.json").read_text("utf-8"))
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Refused(Exception):
    """A field that is not as it has to be."""


def check(right, field):
    if not right:
        raise Refused(field)


def kebab(name):
    """A name as WIT has it."""
    return re.sub("[A-Z]", lambda letter: "-" + letter[0].lower(), name)


def camel(name):
    """A name as JSON has it."""
    return re.sub("-(.)", lambda part: part[1].upper(), name)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def text(value, field):
    check(isinstance(value, str), field)
    return value


def texts(value, field):
    check(isinstance(value, list), field)
    return [text(item, f"{field}[{at}]") for at, item in enumerate(value)]


def number(value, field):
    check(is_number(value), field)
    return float(value)


def numbers(value, field):
    check(isinstance(value, list) and all(map(is_number, value)), field)
    return [float(item) for item in value]


def duration(value, field):
    check(is_number(value) and value == int(value) and value >= 0, field)
    return int(value)


def count(value, field):
    return min(duration(value, field), 2**32 - 1)


def time(value, field):
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            raise Refused(field) from None
        check(moment.tzinfo is not None, field)
        return (moment - EPOCH) // timedelta(milliseconds=1)
    check(is_number(value), field)
    return int(value)


def flag(value, field):
    check(isinstance(value, bool), field)
    return value


def json_text(value, _field):
    return json.dumps(value, ensure_ascii=False)


def pairs(value, field):
    check(isinstance(value, dict), field)
    return [(name, json_text(item, field)) for name, item in value.items()]


# What each kind of field becomes, and what a field becomes that is not there.
KINDS = {
    "text": (text, None),
    "text!": (text, None),
    "texts": (texts, []),
    "texts?": (texts, None),
    "number": (number, None),
    "numbers": (numbers, None),
    "duration": (duration, None),
    "count": (count, None),
    "time": (time, None),
    "flag": (flag, None),
    "switch": (flag, False),
    "json": (json_text, None),
    "pairs": (pairs, []),
}


def read(kind, value, field):
    if "|" in kind:
        check(value is None or value in kind.split("|"), field)
        return value
    become, absent = KINDS[kind]
    if value is None:
        check(not kind.endswith("!"), field)
        return absent
    return become(value, field)


def read_tags(value):
    """WIT has three lists, where JSON has one, or an object with up to three."""
    named = isinstance(value, dict)
    sets = value if named else {"any": value}
    for name in sets:
        check(name in TABLE["tagSets"], f"tags.{name}")
    return {
        field: read("texts", sets.get(name), f"tags.{name}" if named else "tags")
        for name, field in TABLE["tagSets"].items()
    }


def read_record(fields, args):
    made = {}
    for name, kind in fields.items():
        if kind == "tag sets":
            made |= read_tags(args.get(name))
        else:
            made[name] = read(kind, args.get(name), name)
    return record(**{kebab(name): value for name, value in made.items()})


def arguments_of(verb, args):
    """The arguments of the call, in their order."""
    call, known = [], set()
    for name in TABLE["verbs"][verb]:
        fields = TABLE["records"].get(name)
        known |= set(fields or [name])
        call.append(read_record(fields, args) if fields else read(TABLE["values"][name], args.get(name), name))
    for name in args:
        check(name in known, name)
    return call


def iso(millis):
    moment = EPOCH + timedelta(milliseconds=millis)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def told(value):
    """A value of WIT, as the library writes it."""
    if isinstance(value, list):
        return [told(item) for item in value]
    if not isinstance(value, Record):
        return value
    fields = dict(vars(value))
    # An entry and its content are one object.
    fields |= vars(fields.pop("entry", Record()))
    named = ((camel(name), item) for name, item in fields.items() if item is not None)
    return {name: told_field(name, item) for name, item in named}


def told_field(name, value):
    if name in TABLE["times"]:
        return iso(value)
    return json.loads(value) if name == "metadata" else told(value)


def told_hits(hits):
    found = told(hits)
    for hit in found:
        if not hit["receipt"]:
            del hit["receipt"]
    return found


def told_miss(miss):
    if miss.payload is None:
        return {"reason": miss.tag}
    return {"reason": miss.tag, TABLE["misses"][miss.tag]: miss.payload}


def told_stats(stats):
    return {"total": stats.total, "namespaces": {item.namespace: item.count for item in stats.namespaces}}


# The answers that have another form in JSON.
TOLD = {"search": told_hits, "explainMiss": told_miss, "stats": told_stats}


def failure(error):
    """The code and the field of a failure."""
    if error.tag == "already-exists":
        return {"code": error.tag, "field": error.payload}
    if error.tag == "not-found":
        return {"code": error.tag, "field": "id"}
    code = "conflict" if error.tag == "other-version" else error.tag
    return {"code": code, "field": getattr(error.payload, "field", None)}


def call(method, verb, args):
    """Does what `verb` says, and tells what came of it as a scenario does. `method` calls a method of the memory."""
    try:
        ok, answer = method(kebab(verb), *arguments_of(verb, args))
    except Refused as refused:
        return {"fails": {"code": "invalid-input", "field": str(refused)}}
    return {"gives": TOLD.get(verb, told)(answer)} if ok else {"fails": failure(answer)}


def parted(result):
    """Whether a result is a good one, and what is in it. One whose two sides cannot be confused comes without a tag."""
    if not isinstance(result, Variant):
        return True, result
    if result.tag in ("ok", "err"):
        return result.tag == "ok", result.payload
    return False, result
