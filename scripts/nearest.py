#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""nearest.py WORD NAME... -- OTHER... - the end of a message about a word that is none of these: those that it is near to, else all names."""
import difflib
import sys


def main():
    """Command line."""
    word, given = sys.argv[1], sys.argv[2:]
    names = sorted(set(given[: given.index("--")]))
    near = difflib.get_close_matches(word, sorted(set(given) - {"--"}), n=3, cutoff=0.7) if word else []
    print(f"did you mean {' or '.join(near)}?" if near else "MODULE= one of: " + " ".join(names) + ", or a test of rtlgen (rtl_gen/test)")


if __name__ == "__main__":
    main()
