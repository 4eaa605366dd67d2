#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""nearest.py WORD NAME... - the end of a message about a word that is none of these names: those that it is near to, else all."""
import difflib
import sys


def main():
    """Command line."""
    word, names = sys.argv[1], sorted(set(sys.argv[2:]))
    near = difflib.get_close_matches(word, names, n=3, cutoff=0.7) if word else []
    print(f"did you mean {' or '.join(near)}?" if near else "MODULE= one of: " + " ".join(names))


if __name__ == "__main__":
    main()
