#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Processes of one shape and any size, as C on standard output: shapes.py tails|waits|row|ways|sums N

tails  N states, each with sums of its own, before two sums of 32 bits that they share
waits  N waits in a row, each under a condition of its own
row    N states in a row
ways   the same with a way back from each
sums   the same, all of them adding to one register
"""
import sys

FRAME = """#include "hls.h"

enum shape_at {{ {listed} }};
struct shape_in  {{ u1 go, back; u5 kind; u32 x, y; }};
struct shape_out {{ u32 a, b; }};
struct shape     {{ struct shape_out out; enum shape_at at; u32 part; }};

HLS_RESET void shape_reset(struct shape *self) {{ *self = (struct shape){{.at = S_0}}; }}

HLS_MODULE void shape(struct shape *self, const struct shape_in *in)
{{
    HLS_PROCESS(self->at, {listed});
    for (;;) {{
{text}
    }}
}}
"""


def tails(n):
    """S_0 waits for work; the others share what follows."""
    yield "HLS_WAIT_UNTIL(S_0, in->go);"
    yield f"switch (in->kind % {n - 1}) {{"
    for i in range(1, n):
        yield f"case {i - 1}:" if i < n - 1 else "default:"
        yield f"    HLS_WAIT(S_{i});"
        yield f"    self->part = in->x + (in->y ^ {37 * i});"
        yield "    break;"
    yield "}"
    yield "self->out.a += self->part;"
    yield "self->out.b += self->out.a ^ in->y;"


def waits(n):
    """The last wait is there in each round."""
    for i in range(n - 1):
        yield f"if (in->x >> {i} & 1)"
        yield f"    HLS_WAIT(S_{i});"
    yield "self->out.a++;"
    yield f"HLS_WAIT(S_{n - 1});"


def states(n, back, adds):
    for i in range(n):
        yield f"HLS_WAIT_UNTIL(S_{i}, in->go);"
        if back:
            yield "if (in->back)"
            yield "    continue;"
        if adds:
            yield f"self->out.a += in->x + {i};"
        yield f"self->out.b = {i};"


SHAPES = {
    "tails": tails,
    "waits": waits,
    "row": lambda n: states(n, False, False),
    "ways": lambda n: states(n, True, False),
    "sums": lambda n: states(n, True, True),
}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in SHAPES or not sys.argv[2].isdigit():
        sys.exit(f"usage: shapes.py {'|'.join(SHAPES)} N")
    n = int(sys.argv[2])
    listed = ", ".join(f"S_{i}" for i in range(n))
    text = "\n".join("        " + line for line in SHAPES[sys.argv[1]](n))
    print(FRAME.format(listed=listed, text=text), end="")


main()
