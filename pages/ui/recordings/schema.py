"""Says what of a value a JSON Schema does not allow; of the schema language only what schema.json uses."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip
_NAMES = {
    "object": "an object", "array": "a list", "string": "a text", "integer": "a whole number", "number": "a number",
    "boolean": "true or false", "null": "null",
}  # fmt: skip


def problem(value: Any, schema: Mapping[str, Any]) -> str:
    """Return the first thing that is not as a schema wants it, as a clause, or "" if all is.

    >>> schema = {"type": "object", "required": ["t"], "properties": {"t": {"type": "integer", "minimum": 1}}}
    >>> problem({"t": 3}, schema), problem({"t": 0}, schema), problem({}, schema)
    ('', 't must be at least 1', 't is missing')
    """
    return _problem(value, schema, schema, "")


def _problem(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], where: str) -> str:
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    here = where or "the whole"
    if "type" in schema:
        kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(_is(value, kind) for kind in kinds):
            return f"{here} must be {' or '.join(_NAMES[kind] for kind in kinds)}"
    if "const" in schema and (value != schema["const"] or isinstance(value, bool) != isinstance(schema["const"], bool)):
        return f"{here} must be {schema['const']}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{here} must be one of {', '.join(map(repr, schema['enum']))}"
    if isinstance(value, str):
        if len(value) > schema.get("maxLength", len(value)):
            return f"{here} may have {schema['maxLength']:,} letters and has {len(value):,}"
        if "pattern" in schema and not _pattern(schema["pattern"]).search(value):
            return f"{here} is not written as it must be"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if value < schema.get("minimum", value):
            return f"{here} must be at least {schema['minimum']:,}"
        if value > schema.get("maximum", value):
            return f"{here} must be at most {schema['maximum']:,}"
    elif isinstance(value, list):
        return _in_list(value, schema, root, here, where)
    elif isinstance(value, dict):
        return _in_object(value, schema, root, here, where)
    return ""


def _in_list(value: list[Any], schema: Mapping[str, Any], root: Mapping[str, Any], here: str, where: str) -> str:
    if len(value) > schema.get("maxItems", len(value)):
        return f"{here} may have {schema['maxItems']:,} items and has {len(value):,}"
    if len(value) < schema.get("minItems", 0):
        return f"{here} must have {schema['minItems']} items or more"
    found = (_problem(item, schema["items"], root, f"{where}[{i}]") for i, item in enumerate(value))
    return next(filter(None, found), "") if "items" in schema else ""


def _in_object(value: dict[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], here: str, where: str) -> str:
    prefix = f"{where}." if where else ""
    if len(value) > schema.get("maxProperties", len(value)):
        return f"{here} may have {schema['maxProperties']:,} parts and has {len(value):,}"
    for name in schema.get("required", ()):
        if name not in value:
            return f"{prefix}{name} is missing"
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, item in value.items():
        if name not in known and others is False:
            return f"{here} has a part that no recording has"
        inner = known.get(name, others)
        shown = name if re.fullmatch(r"[\w-]{1,40}", name) else "…"  # a name may be anything
        if isinstance(inner, dict) and (found := _problem(item, inner, root, prefix + shown)):
            return found
    return ""


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _KINDS[kind])


@cache
def _pattern(written: str) -> re.Pattern[str]:
    return re.compile(written)
