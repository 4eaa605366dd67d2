# SPDX-License-Identifier: Apache-2.0
"""figures.py - what figures.json says of a report: which number, and whether it is what was wanted.

A key names numbers in a JSON report:

    hamming_distance                        a field
    undetected.*                            all fields of an object
    [*].mismatches                          a field of all elements of a list
    [module=lcb_tx].lut_ratio               of those elements whose field has that text
    [clocks_compared].cycles                of those that have that field
    lost + duplicated                       several of them

`of` says what to make of several numbers: sum (the default), min, max or count. `over` is a second key that the
numbers are divided by: one by one for min and max, else sum by sum. A `match` is an expression with one group, looked for in the output of a test
(build/test/<test>.tap) in place of a report; without `of` it must be there once.
"""
import json
import operator
import re

STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")
WANTED = re.compile(r"(>=|<=|==) (-?[0-9.e]+)$")
COMPARE = {">=": operator.ge, "<=": operator.le, "==": operator.eq}


class Broken(Exception):
    """A report, or figures.json, is not what the other says."""


def read_json(path):
    """The contents of a JSON file."""
    try:
        return json.loads(path.read_text())
    except ValueError as error:
        raise Broken(f"{path}: no JSON: {error}") from error


def chosen(items, condition):
    """The elements of a list that a [condition] takes."""
    if not isinstance(items, list):
        raise Broken(f"[{condition}] wants a list")
    if condition == "*":
        return items
    for part in re.split(r",(?=\w+=)", condition):
        key, equal, text = part.partition("=")
        items = [i for i in items if key in i and (not equal or as_text(i[key]) == text)]
    return items


def as_text(value):
    """A scalar as it stands in JSON, without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def values(data, path):
    """All that a path leads to, in order."""
    found = [data]
    for bracket, name in STEP.findall(path.strip()):
        if name == "*":
            found = [v for f in found for v in f.values()]
        elif name:
            missing = [f for f in found if not isinstance(f, dict) or name not in f]
            if missing:
                raise Broken(f'no "{name}" of "{path.strip()}"')
            found = [f[name] for f in found]
        else:
            found = [v for f in found for v in chosen(f, bracket)]
    return found


def numbers(data, key):
    """All numbers that a key names; a null is none that was measured."""
    found = [v for path in key.split(" + ") for v in values(data, path)]
    if any(isinstance(v, (str, list, dict)) for v in found):
        raise Broken(f'"{key}" is no number')
    return found


def measured(figure, data):
    """The figure's number in the data of its report; None if the report says null."""
    how = figure.get("of", "sum")
    if how == "count":
        return len([v for path in figure["key"].split(" + ") for v in values(data, path)])
    found = numbers(data, figure["key"])
    under = numbers(data, figure["over"]) if "over" in figure else []
    if not found:
        raise Broken(f'"{figure["key"]}" names nothing')
    if how == "sum":
        if None in found + under:
            return None
        return sum(found) / sum(under) if under else sum(found)
    if under and len(under) != len(found):
        raise Broken(f'"{figure["key"]}" and "{figure["over"]}" are not equally many')
    pairs = zip(found, under or [1] * len(found))
    each = [a / b for a, b in pairs if a is not None and b is not None]
    return {"min": min, "max": max}[how](each) if each else None


def matched(figure, text):
    """The figure's number in the output of its test."""
    found = [float(v) for v in re.findall(figure["match"], text)]
    if not found or (len(found) > 1 and "of" not in figure):
        raise Broken(f'"{figure["match"]}" is there {len(found)} times')
    return {"min": min, "max": max}[figure.get("of", "min")](found)


def met(figure, value):
    """True or False; None if nothing is wanted or nothing was measured."""
    wanted = figure.get("wanted")
    if not wanted or value is None:
        return None
    parts = WANTED.match(wanted)
    if not parts:
        raise Broken(f'wanted "{wanted}": >=, <= or == and a number')
    return COMPARE[parts[1]](value, float(parts[2]))
