"""The contract of wit/, as `cargo xtask generate` writes it, and the form that wasmtime for Python gives each type."""

import json
from pathlib import Path

from wasmtime.component import Record, Variant

CONTRACT = json.loads((Path(__file__).parent.parent / "contract.json").read_text("utf-8"))
TYPES = CONTRACT["types"]

CLASSES = {"bool": bool, "u8": int, "u32": int, "u64": int, "time": int, "f32": float, "f64": float}


def shape(ty):
    """The shape of a named type."""
    return TYPES.get(ty) if isinstance(ty, str) else None


def part(ty, kind):
    """The inner type of a list, an option and so on; None if the type is something else."""
    return ty.get(kind) if isinstance(ty, dict) else None


def letters(name):
    """The same for names that differ in nothing but case and underscores."""
    return name.replace("_", "").lower()


def function_of(verb, args):
    """The function of a verb that can express all of these arguments, or most of them."""

    def fits(one):
        return all(args.get(key) == value for key, value in one.get("with", {}).items())

    def rank(one):
        known = set(map(letters, one.get("keys", [])))
        return len(one.get("with", {})), sum(letters(name) in known for name in args)

    found = [one for one in CONTRACT["functions"] if one["verb"] == verb and fits(one)]
    return max(reversed(found), key=rank)


def cases_of(ty):
    """The cases of an option, a result or a variant, with their types; None if the type is something else."""
    if part(ty, "option") is not None:
        return [("none", None), ("some", ty["option"])]
    if part(ty, "result") is not None:
        return list(zip(("ok", "err"), ty["result"]))
    variant = (shape(ty) or {}).get("variant")
    return variant and [(case["name"], case.get("type")) for case in variant]


def classes(ty):
    """The classes that values of a type have."""
    if ty is None:
        return {object}
    cases = cases_of(ty)
    if cases is not None:
        return {Variant} if is_tagged(cases) else set().union(*(classes(inner) for _, inner in cases))
    if isinstance(ty, dict):
        return {tuple if "tuple" in ty else list}
    return {Record} if "record" in (shape(ty) or {}) else {CLASSES.get(ty, str)}


def is_tagged(cases):
    """Whether values carry the name of their case: they do where two cases share a class."""
    known = set()
    for _, inner in cases:
        more = classes(inner)
        if more & known:
            return True
        known |= more
    return False


def case(ty, name, value=None):
    """The value of a case."""
    return Variant(name, value) if is_tagged(cases_of(ty)) else value


def case_in(ty, value):
    """The name of a value's case, and its content."""
    cases = cases_of(ty)
    if is_tagged(cases):
        return value.tag, value.payload
    for name, inner in cases:
        # `object` stands for a case without a content.
        if any(value is None if one is object else isinstance(value, one) for one in classes(inner)):
            return name, value
    raise TypeError(f"{value!r} is no {ty}")
