// SPDX-License-Identifier: Apache-2.0
/*
 * traps: each kind of undefined behaviour that UBSan traps, chosen by an input. In lockstep an assertion of the Verilog
 * must fire in exactly the clocks in which the native model, compiled with those traps, is stopped.
 */
#include "hls.h"

struct traps_in {
    u6 kind;
    u3 a, b; /* numbers from a table of awkward ones */
    u4 at;
    u7 by;
};
struct traps_out {
    int number;
    long wide;
    sint(12) narrow;
    u8 octet;
};
struct traps {
    struct traps_out out;
    u16 words[3];
    u8 grid[3][5];
    struct {
        u4 tag;
        u8 value[3];
    } item[5];
    u8 last[5];
};

static const int awkward[8] = {-2147483647 - 1, -2147483647, -2, -1, 0, 1, 46341, 2147483647};
static const u6 table[5] = {1, 2, 4, 8, 16};

HLS_RESET void traps_reset(struct traps *self)
{
    *self = (struct traps){.words = {0x8001, 0x4002, 0x2004}, .last = {1, 2, 3, 4, 5}};
}

/* Sums and products of ints, of long ones and of sint(12). */
static void overflow(struct traps *self, u6 kind, int a, int b)
{
    sint(12) x = (sint(12))(a >> 20), y = (sint(12))b;
    switch (kind) {
    case 0:
        self->out.number = a + b;
        break;
    case 1:
        self->out.number = a - b;
        break;
    case 2:
        self->out.number = a * b;
        break;
    case 3:
        self->out.number = -a;
        break;
    case 4:
        self->out.number = a++;
        break;
    case 5:
        self->out.number = --a;
        break;
    case 6:
        self->out.number = (unsigned short)a * (unsigned short)b;
        break;
    case 7:
        self->out.wide = ((long)a << 32) - (long)b;
        break;
    case 8:
        self->out.narrow = x + y;
        break;
    case 9:
        self->out.narrow = -x;
        break;
    case 10:
        self->out.narrow = x * y;
        break;
    default:
        self->out.narrow = x--;
        break;
    }
}

static void divide(struct traps *self, u6 kind, int a, int b)
{
    sint(12) x = (sint(12))(a >> 20), y = (sint(12))b;
    switch (kind) {
    case 12:
        self->out.number = a / b;
        break;
    case 13:
        self->out.number = a % b;
        break;
    case 14:
        self->out.number = __builtin_abs(a);
        break;
    case 15:
        self->out.wide = __builtin_labs((long)a * 0x100000000);
        break;
    case 16:
        self->out.narrow = x / y;
        break;
    case 17:
        self->out.narrow = x % y;
        break;
    case 18:
        self->out.octet = (u8)((u8)a / (u8)b);
        break;
    default:
        self->out.octet = (u8)((u8)a % (u8)b);
        break;
    }
}

static void shift(struct traps *self, u6 kind, int a, u7 by)
{
    sint(12) x = (sint(12))(a >> 20);
    switch (kind) {
    case 20:
        self->out.number = a << by;
        break;
    case 21:
        self->out.number = 1 << (by & 31);
        break;
    case 22:
        self->out.number = a >> by;
        break;
    case 23:
        self->out.narrow = x << (by & 3);
        break;
    case 24:
        self->out.narrow = x >> by;
        break;
    case 25:
        self->out.octet = self->out.octet << by;
        break;
    case 26:
        self->out.wide <<= by & 15;
        self->out.wide |= a;
        break;
    default:
        self->out.number = a << ((int)by - 60);
        break;
    }
}

static void count(struct traps *self, u6 kind, int a, u4 at)
{
    switch (kind) {
    case 28:
        self->out.number = __builtin_clz((unsigned)a);
        break;
    case 29:
        self->out.number = __builtin_ctzl((unsigned long)a);
        break;
    case 30:
        self->out.number = __builtin_clzg((u5)a);
        break;
    case 31:
        self->out.number = __builtin_ctzg((u12)at, 12);
        break;
    default:
        if (at == 3) {
            __builtin_unreachable();
        }
        self->out.octet = (u8)at;
        break;
    }
}

/* An address alone is wrong from two behind the last element on. */
static u8 keep(const u8 *p)
{
    (void)p;
    return 1;
}

static void element(struct traps *self, u6 kind, u4 at, u7 by, int a)
{
    u8 local[6] = {1, 3, 5, 7, 9, 11};
    switch (kind) {
    case 33:
        self->out.octet = self->last[at];
        break;
    case 34:
        self->last[at] = (u8)a;
        break;
    case 35:
        self->out.octet = local[at];
        break;
    case 36:
        self->out.octet = self->grid[at & 3][by & 7];
        break;
    case 37:
        self->out.octet = table[at];
        break;
    case 38:
        self->out.octet = self->item[at].tag;
        break;
    case 39:
        self->item[at & 7].value[by & 3] = (u8)a;
        break;
    case 40:
        self->out.octet = self->last[a];
        break;
    case 41:
        self->out.octet = keep(&self->last[at]);
        break;
    case 42:
        self->out.octet = keep(&self->item[at & 7].value[0]);
        break;
    default:
        self->out.octet = keep(&self->grid[by & 3][by & 7]);
        break;
    }
}

/* What clang takes to be aligned: through a cast where the bytes are used it looks for itself. */
static int read_short(const short *p)
{
    return *p;
}

static void load(struct traps *self, u6 kind, u4 at, u7 by)
{
    alignas(4) unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned *word = (unsigned *)&bytes[by & 7];
    bool flag = at & 1;
    switch (kind) {
    case 44:
        self->out.number = read_short((const short *)&bytes[at]);
        break;
    case 45:
        *word = at;
        self->out.octet = bytes[2];
        break;
    case 46:
        if (by & 1) {
            self->out.number = read_short((const short *)((const char *)self->words + 1));
        }
        break;
    default:
        __builtin_memset(&flag, at, 1);
        self->out.octet = flag ? 1 : 2;
        break;
    }
}

HLS_MODULE void traps(struct traps *self, const struct traps_in *in)
{
    int a = awkward[in->a], b = awkward[in->b];
    if (in->kind < 12) {
        overflow(self, in->kind, a, b);
    } else if (in->kind < 20) {
        divide(self, in->kind, a, b);
    } else if (in->kind < 28) {
        shift(self, in->kind, a, in->by);
    } else if (in->kind < 33) {
        count(self, in->kind, a, in->at);
    } else if (in->kind < 44) {
        element(self, in->kind, in->at, in->by, a);
    } else {
        load(self, in->kind, in->at, in->by);
    }
}
