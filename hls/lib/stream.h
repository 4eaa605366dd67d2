// SPDX-License-Identifier: Apache-2.0
/*
 * stream.h - channels with valid and ready, in the signal names of AXI4-Stream, and a check of their rules.
 *
 *     HLS_STREAM(beat, u16, tdata, u1, tlast);       a type and a name for each field of the payload
 *
 * declares
 *
 *     struct beat          the payload
 *     struct beat_forward  what the source drives: the payload and tvalid
 *     struct beat_back     what the sink drives: tready
 *     beat_of(forward)     the payload of a forward; beat_offer(beat) is a forward that is valid
 *     beat_same(a, b)      are two payloads equal
 *     beat_moves(f, b)     does a beat go over in this clock
 *
 * A member `s_axis` of the inputs and one of the outputs of a module flatten to the ports s_axis_tdata, s_axis_tlast,
 * s_axis_tvalid and s_axis_tready. All outputs are registers, so tready never depends on tvalid within a clock.
 *
 * The rules: a source that is valid stays so, with the same payload, until a clock in which tready is 1, too; behind reset it
 * is not valid in the first clock. A module states them with a register beside each of its streams, in every clock, before its
 * outputs change:
 *
 *     struct beat_check in_check, out_check;
 *
 *     beat_assume(&self->in_check, &in->s_axis, &self->out.s_axis);    of a stream that comes: the source's promise
 *     beat_assert(&self->out_check, &self->out.m_axis, &in->m_axis);   of a stream that goes: the module's own
 *
 * Synthesis removes the registers with the checks.
 */
#ifndef LIB_STREAM_H
#define LIB_STREAM_H

#include "../hls.h"

/* The fields of a list `type, name, type, name, ...` one by one, by HLS_EACH_ of hls.h. */
#define HLS_FIELD_(type, name, ...)                                                                \
    type name;                                                                                     \
    __VA_OPT__(HLS_FIELDS_ HLS_NONE_(__VA_ARGS__))
#define HLS_FIELDS_()              HLS_FIELD_
#define HLS_COPY_(type, name, ...) .name = from.name, __VA_OPT__(HLS_COPIES_ HLS_NONE_(__VA_ARGS__))
#define HLS_COPIES_()              HLS_COPY_
#define HLS_SAME_(type, name, ...) &&a.name == b.name __VA_OPT__(HLS_SAMES_ HLS_NONE_(__VA_ARGS__))
#define HLS_SAMES_()               HLS_SAME_

#define HLS_STREAM(T, ...)                                                                         \
    struct T {                                                                                     \
        HLS_EACH_(HLS_FIELD_(__VA_ARGS__))                                                         \
    };                                                                                             \
    struct T##_forward {                                                                           \
        HLS_EACH_(HLS_FIELD_(__VA_ARGS__)) u1 tvalid;                                              \
    };                                                                                             \
    struct T##_back {                                                                              \
        u1 tready;                                                                                 \
    };                                                                                             \
    struct T##_check {                                                                             \
        u1 runs;       /* a clock has passed since reset */                                        \
        u1 held;       /* a beat was offered in the clock before and not taken, ... */             \
        struct T beat; /* ... this one */                                                          \
    };                                                                                             \
    [[maybe_unused]] static inline struct T T##_of(struct T##_forward from)                        \
    {                                                                                              \
        return (struct T){HLS_EACH_(HLS_COPY_(__VA_ARGS__))};                                      \
    }                                                                                              \
    [[maybe_unused]] static inline struct T##_forward T##_offer(struct T from)                     \
    {                                                                                              \
        return (struct T##_forward){HLS_EACH_(HLS_COPY_(__VA_ARGS__)).tvalid = 1};                 \
    }                                                                                              \
    [[maybe_unused]] static inline u1 T##_same(struct T a, struct T b)                             \
    {                                                                                              \
        return true HLS_EACH_(HLS_SAME_(__VA_ARGS__));                                             \
    }                                                                                              \
    [[maybe_unused]] static inline u1 T##_moves(struct T##_forward forward, struct T##_back back)  \
    {                                                                                              \
        return forward.tvalid && back.tready;                                                      \
    }                                                                                              \
    [[maybe_unused]] static inline void T##_next(                                                  \
        struct T##_check *check, const struct T##_forward *forward, const struct T##_back *back)   \
    {                                                                                              \
        *check = (struct T##_check){                                                               \
            .runs = 1, .held = forward->tvalid && !back->tready, .beat = T##_of(*forward)};        \
    }                                                                                              \
    [[maybe_unused]] static inline void T##_assume(                                                \
        struct T##_check *check, const struct T##_forward *forward, const struct T##_back *back)   \
    {                                                                                              \
        hls_assume(!check->held || forward->tvalid);                                               \
        hls_assume(!check->held || T##_same(check->beat, T##_of(*forward)));                       \
        T##_next(check, forward, back);                                                            \
    }                                                                                              \
    [[maybe_unused]] static inline void T##_assert(                                                \
        struct T##_check *check, const struct T##_forward *forward, const struct T##_back *back)   \
    {                                                                                              \
        hls_assert(check->runs || !forward->tvalid);                                               \
        hls_assert(!check->held || forward->tvalid);                                               \
        hls_assert(!check->held || T##_same(check->beat, T##_of(*forward)));                       \
        T##_next(check, forward, back);                                                            \
    }                                                                                              \
    static_assert(true) /* takes the semicolon */

/* The ports of a module with a stream in, s_axis, and one out, m_axis: struct M_in and struct M_out. */
#define HLS_STREAM_PORTS(M, S, T)                                                                  \
    struct M##_in {                                                                                \
        struct S##_forward s_axis;                                                                 \
        struct T##_back m_axis;                                                                    \
    };                                                                                             \
    struct M##_out {                                                                               \
        struct S##_back s_axis;                                                                    \
        struct T##_forward m_axis;                                                                 \
    }

#endif
