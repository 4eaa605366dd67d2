#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""nearest.py [--as VARIABLE] WORD NAME... -- OTHER... - the end of a message about a word that is none of these: those that it is near to, else
all names. Without --as they are of modules."""
import difflib
import sys


def main():
    """Command line."""
    words = sys.argv[1:]
    variable = words[1] if words[0] == "--as" else None
    word, *given = words[2:] if variable else words
    names = sorted(set(given[: given.index("--")]))
    near = difflib.get_close_matches(word, sorted(set(given) - {"--"}), n=3, cutoff=0.7) if word else []
    others = "" if variable else ", or a test of rtlgen (rtl_gen/test)"
    print(f"did you mean {' or '.join(near)}?" if near else f"{variable or 'MODULE'}= one of: {' '.join(names)}{others}")


if __name__ == "__main__":
    main()
