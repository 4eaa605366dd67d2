#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""links.py OUT - what each program of tb/ is linked with and built for, as variables of make in the file OUT.

A program is linked with what it includes: x.c for each x.h that it names, and so on from there; and with each .c that has no header of
its own, if the program includes a header of that .c's room that this .c includes (golden/nic/nic_access.c implements nic.h). So no
list has to be kept. `<x>_LINK` are these files without their endings, the program's own first.

The first comment of a test_<x>.c says what it is built for, and which modules get in lockstep what they get in it:

    Built for aries: fast; proto: san.          Recorded for orb, orb_free_list.          Recorded for tile, router of proto.

san is with sanitizers, fast without, c11 without C of hls/; `routers` are the machines of ROUTERS in machines.mk. This becomes
`TESTS` (test_<x>, test_<x>-<machine>), `<test>_SET` of each, `UNIT_<module>`. A comment without the line is an error. OUT is left as it is while
it is newer than all that was read; when it is made again, objects whose source has gone are removed.
"""
import functools
import os
import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"', re.M)
BUILT = re.compile(r"Built for ((?:[a-z0-9, ]+: (?:san|fast|c11)(?:; )?)+)\.")
RECORDED = re.compile(r"Recorded for ([a-z0-9_, ]+?)(?: of ([a-z0-9]+))?\.")
MAIN = re.compile(r"^int main\(", re.M)
MACHINES_MK = pathlib.Path("scripts/make/machines.mk")


def sources():
    """All files that can be linked or included."""
    return [p for room in ("tb", "hls", "sim/base", "sim/host") for p in pathlib.Path(room).rglob("*") if p.suffix in (".c", ".h", ".inc")]


@functools.cache
def text(path):
    """Its text."""
    return pathlib.Path(path).read_text(encoding="utf-8")


@functools.cache
def includes(path):
    """Files of the tree that it includes."""
    found = []
    for name in INCLUDE.findall(text(path)):
        for place in (os.path.join(os.path.dirname(path), name), os.path.join("hls", name), name):
            place = os.path.normpath(place)
            if os.path.exists(place):
                found.append(place)
                break
    return found


@functools.cache
def behind(header):
    """The C that a header is of."""
    room, stem = os.path.dirname(header), os.path.splitext(header)[0]
    found = [stem + ".c"] if os.path.exists(stem + ".c") else []
    if room.startswith(("tb/", "sim/host")):
        for name in sorted(os.listdir(room)):
            path = os.path.join(room, name)
            alone = name.endswith(".c") and not os.path.exists(path[:-1] + "h") and not MAIN.search(text(path))
            if alone and header in includes(path):
                found.append(path)
    return found


def closure(program):
    """The program and all C that it needs."""
    linked, seen, todo = [], set(), [program]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        if path.endswith(".c"):
            linked.append(path[:-2])
        else:
            todo += behind(path)
        todo += includes(path)
    return [linked[0]] + sorted(linked[1:])


def first_comment(path):
    """In one line."""
    end = text(path).index("*/")
    return re.sub(r"\s*\n \*\s*", " ", text(path)[:end])


def machines_mk(name):
    """The words of a variable there."""
    return re.search(rf"^{name} *:= *(.*)$", text(str(MACHINES_MK)), re.M).group(1).split()


def built_for(path):
    """{machine: set of objects} of a test."""
    found = BUILT.search(first_comment(path))
    if not found:
        sys.exit(f'{path}: its first comment does not say what it is built for: "Built for aries: san." (scripts/make/links.py)')
    result = {}
    for part in found.group(1).split("; "):
        names, kind = part.split(": ")
        for name in names.split(", "):
            for machine in machines_mk("ROUTERS") if name == "routers" else [name]:
                result[machine] = "fast" if machine in machines_mk("UNSANITIZED") else kind
    return result


def lines():
    """Of OUT."""
    tests, units = [], {}
    for path in sorted(str(p) for p in pathlib.Path("tb").rglob("*.c")):
        if not MAIN.search(text(path)):
            continue
        name = os.path.basename(path)[:-2]
        yield f"{name}_LINK := {' '.join(closure(path))}"
        if not name.startswith("test_"):
            continue
        kinds = built_for(path)
        for machine, kind in kinds.items():
            test = name if machine == "aries" else f"{name}-{machine}"
            tests.append(test)
            yield f"{test}_SET := {kind}"
        for modules, machine in RECORDED.findall(first_comment(path)):
            machine = machine or next(iter(kinds))
            for module in modules.split(", "):
                units.setdefault(module, []).append(name if machine == "aries" else f"{name}-{machine}")
    yield f"TESTS := {' '.join(tests)}"
    for module, played in units.items():
        yield f"UNIT_{module} := {' '.join(played)}"
    yield f"UNIT_MODULES := {' '.join(units)}"


def forget():
    """Removes objects whose source was renamed: their dependencies name a file that make cannot find."""
    for path in pathlib.Path("build").rglob("*.[ob]*.d"):
        words = path.read_text(encoding="utf-8").replace("\\\n", " ").split()
        if len(words) > 1 and not os.path.exists(words[1]):
            path.with_suffix("").unlink(missing_ok=True)
            path.unlink()


def main():
    """Command line: OUT."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: links.py OUT\n" + __doc__)
    out = pathlib.Path(sys.argv[1])
    read = [*sources(), pathlib.Path(__file__), MACHINES_MK]
    read += {p.parent for p in read}
    if out.exists() and out.stat().st_mtime > max(p.stat().st_mtime for p in read):
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_suffix(".part")
    part.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    part.replace(out)
    forget()


main()
