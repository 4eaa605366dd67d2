// SPDX-License-Identifier: Apache-2.0
/*
 * c_seldom: C that is seldom seen in hardware: const inputs, enums with a type, members from the struct around them and back,
 * designators out of order, compound literals, statement expressions, local unions and bit-fields, `?:` without a middle,
 * ranges of cases, tables of nested const structs, strings as tables, attributes, alignment, _Generic.
 */
#include "hls.h"

#include <stddef.h>

enum c_seldom_switch : bool { C_SELDOM_OFF, C_SELDOM_ON };
enum c_seldom_way : unsigned char {
    C_SELDOM_LEFT,
    C_SELDOM_BACK = 2,
    C_SELDOM_RIGHT = 3,
    C_SELDOM_AHEAD = 1
};
enum c_seldom_word : unsigned long { C_SELDOM_NONE, C_SELDOM_ALL = 0xffffffffffffffff };

struct c_seldom_part {
    u8 base;
    struct {
        u4 low, high;
    } pair;
};

struct c_seldom_in {
    const u8 data;
    const u5 lane[3];
    const struct {
        u3 first;
        alignas(8) sint(4) second;
    } both[2];
    const uint(70) wide;
    enum c_seldom_switch turn;
    const enum c_seldom_way way;
};
struct c_seldom_out {
    enum c_seldom_switch turned;
    enum c_seldom_word word;
    u8 lanes, base, literal, larger, field, middle, rank, looked_up, round, kind;
    uint(70) trail;
    char letter;
};
struct c_seldom {
    struct c_seldom_out out;
    alignas(16) struct c_seldom_part part;
};

#define CONTAINER_OF(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define LARGER(a, b)                                                                               \
    ({                                                                                             \
        auto a_ = (a);                                                                             \
        typeof_unqual(a_) b_ = (b);                                                                \
        a_ > b_ ? a_ : b_;                                                                         \
    })

[[nodiscard]] static u8 base_of(const u4 *low)
{
    return CONTAINER_OF(low, const struct c_seldom_part, pair.low)->base;
}

[[gnu::pure, gnu::noinline]] static u8 turned_round([[maybe_unused]] u8 data)
{
    return data << 4 | data >> 4;
}

static u8 sum_of(struct c_seldom_part part)
{
    return part.base + part.pair.low * 3 + part.pair.high;
}

static u8 from_table(u2 at, u1 which)
{
    static const struct {
        u8 base;
        const struct {
            u3 y;
            u5 z;
        } q[2];
    } table[4] = {[2] = {1, {{2, 3}, {4, 5}}}, [0] = {.q = {[1] = {7, 6}}}, {9, {{1, 30}}}};
    return table[at].base + table[at].q[which].z * table[at].q[!which].y;
}

static u8 range_of(u8 data)
{
    switch (data) {
    case 0 ... 9:
        return 1;
    case 10:
        [[fallthrough]];
    case 12 ... 100:
        return 2;
    default:
        return 3;
    }
}

HLS_RESET void c_seldom_reset(struct c_seldom *self)
{
    *self = (struct c_seldom){.part.pair = {.high = 3, .low = 2}, .out.word = C_SELDOM_ALL};
}

HLS_MODULE void c_seldom(struct c_seldom *self, const struct c_seldom_in *in)
{
    struct c_seldom_part part = {.pair.high = in->lane[2] & 15, .base = in->data};
    union {
        unsigned char byte[4];
        unsigned word;
    } word = {.word = in->data * 0x01'02'04'08u};
    struct {
        unsigned low : 3, high : 5;
    } field = {in->data & 7, in->data >> 3};

    self->out.turned = in->turn == C_SELDOM_OFF || in->way == C_SELDOM_AHEAD;
    self->out.word = self->out.turned ? C_SELDOM_NONE : C_SELDOM_ALL;
    self->out.lanes = in->lane[0] + in->both[1].first + (u8)in->both[0].second;
    self->out.trail = self->out.trail << 1 ^ in->wide;
    self->part.base ^= in->data;
    self->out.base = base_of(&self->part.pair.low);
    self->out.literal = sum_of((struct c_seldom_part){.pair.low = 5, .base = in->data}) +
                        sum_of(part) + (u8[]){3, 1, 4, 1}[in->data & 3];
    self->out.larger = LARGER(in->data, self->out.larger) - 1;
    self->out.field = field.high * word.byte[2] + field.low;
    self->out.middle = in->data >> 5 ?: 99;
    self->out.rank = range_of(in->data);
    self->out.looked_up = from_table((u2)in->data, in->data >> 7);
    self->out.round = turned_round(in->data);
    self->out.kind = _Generic(in->data, u8: 1, default: 2) + _Generic((u9)1, u8: 4, default: 8);
    self->out.letter = "hard"[in->data & 3];
}
