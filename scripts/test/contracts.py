#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""contracts.py - which test holds which sentence of a contract page, from marks on both sides. Prints TAP.

A page (hls/*/README.md, hls/*/*/README.md, hls/*/PROGRAMMING.md) has a mark behind a sentence or a row of a table:

    A B that the host does not take stops no read.<!--pio.held-->

and each test of it has the mark in a comment beside the check:

    /* holds pio.held: 20 reads end while B is held */

A mark stands once in the pages; no mark is without its other half. Leaves build/reports/contracts.json: `marks`, `sentences` with a
number and without a mark (`unmarked`), and a list of {mark, page, line, sentence, tests}.
"""
import json
import pathlib
import re
import sys

MARK = re.compile(r"<!--([a-z0-9_]+(?:\.[a-z0-9_]+)+)-->")
HOLDS = re.compile(r"\bholds ([a-z0-9_]+(?:\.[a-z0-9_]+)+(?:, [a-z0-9_]+(?:\.[a-z0-9_]+)+)*)")
TESTS = ("tb/**/*.c", "tb/**/*.py", "sim/test/*.c", "scripts/test/*.sh", "hls/**/formal/*.c")
NUMBER = re.compile(r"\b(\d[\d,.]*|two|three|four|five|half|every|once|twice|third|fourth|never|at most|at least)\b")


def sentences(path):
    """(line, text, marks) of each sentence and row of a table; no headings, code or lists of files."""
    fenced, begun, text = False, 0, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fenced ^= line.startswith("```")
        plain = not fenced and not line.startswith(("#", "    ", "```"))
        if line.startswith("|") and plain:
            yield number, MARK.sub("", line).strip("| "), MARK.findall(line)
            continue
        if not plain or not line.strip():
            if text.strip():
                yield begun, MARK.sub("", text).strip(), MARK.findall(text)
            text = ""
            continue
        begun = begun if text else number
        text += line + " "
        parts = re.split(r"(?<=[.:;?!])((?:<!--[^>]*-->)*) +(?=[A-Z*`])", text)
        while len(parts) > 2:
            sentence = parts.pop(0) + parts.pop(0)
            yield begun, MARK.sub("", sentence).strip(), MARK.findall(sentence)
            begun = number
        text = parts[0]
    if text.strip():
        yield begun, MARK.sub("", text).strip(), MARK.findall(text)


def held(root):
    """{mark: places of tests}"""
    found = {}
    for pattern in TESTS:
        for path in sorted(root.glob(pattern)):
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                for names in HOLDS.findall(line):
                    for name in names.split(", "):
                        found.setdefault(name, []).append(f"{path.relative_to(root)}:{number}")
    return found


def main():
    """Command line: the root of the tree, and where the report goes."""
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    report = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "build/reports/contracts.json")
    tests, rows, marks, unmarked = held(root), [], {}, []
    for path in sorted([*root.glob("hls/*/README.md"), *root.glob("hls/*/*/README.md"), *root.glob("hls/*/PROGRAMMING.md")]):
        page = str(path.relative_to(root))
        for line, sentence, names in sentences(path):
            for name in names:
                marks.setdefault(name, []).append(f"{page}:{line}")
                rows.append({"mark": name, "page": page, "line": line, "sentence": sentence, "tests": tests.get(name, [])})
            if not names and NUMBER.search(sentence):
                unmarked.append({"page": page, "line": line, "sentence": sentence})
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps({"marks": len(marks), "unmarked": len(unmarked), "held": rows, "not_marked": unmarked}, indent=1) + "\n")
    checks = (
        ("each mark of a page is held by a test", [f"{m} ({at[0]})" for m, at in marks.items() if m not in tests]),
        ("each mark of a test stands in a page", [f"{m} ({at[0]})" for m, at in tests.items() if m not in marks]),
        ("each mark stands once in the pages", [f"{m} ({', '.join(at)})" for m, at in marks.items() if len(at) > 1]),
    )
    for number, (what, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {what}" + (f" # {len(wrong)}, first {wrong[0]}" if wrong else ""))
    print(f"# {len(marks)} sentences are marked; {len(unmarked)} more have a number\n1..{len(checks)}")
    sys.exit(any(wrong for _, wrong in checks))


if __name__ == "__main__":
    main()
