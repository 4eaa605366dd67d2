// SPDX-License-Identifier: Apache-2.0
/*
 * hls.h - the dialect: what a hardware description in C may use.
 *
 * A module is a struct of registers and a function; one call of the function is one clock:
 *
 *     struct x_in  { u1 level; };               input ports
 *     struct x_out { u1 stable; u8 edges; };    output ports, all registers
 *     struct x     { struct x_out out; u4 count; };
 *
 *     HLS_RESET  void x_reset(struct x *self);
 *     HLS_MODULE void x(struct x *self, const struct x_in *in);
 *
 * Compiled by clang this is a cycle-accurate model. rtlgen reads the same file with HLS_RTLGEN
 * defined and writes Verilog; only the checks and hls_when() below differ between the two lives.
 * The rules of the dialect are in rtl_gen/README.md. Everything here is C23, no library needed.
 */
#ifndef HLS_H
#define HLS_H

/* ---- types: exactly as wide as they say, unsigned unless sint ------------------------------- */

#define uint(N) unsigned _BitInt(N)
#define sint(N) signed _BitInt(N)

/* clang-format off */
typedef uint(1) u1;   typedef uint(2) u2;   typedef uint(3) u3;   typedef uint(4) u4;
typedef uint(5) u5;   typedef uint(6) u6;   typedef uint(7) u7;   typedef uint(8) u8;
typedef uint(9) u9;   typedef uint(10) u10; typedef uint(11) u11; typedef uint(12) u12;
typedef uint(13) u13; typedef uint(14) u14; typedef uint(15) u15; typedef uint(16) u16;
typedef uint(17) u17; typedef uint(18) u18; typedef uint(19) u19; typedef uint(20) u20;
typedef uint(21) u21; typedef uint(22) u22; typedef uint(23) u23; typedef uint(24) u24;
typedef uint(25) u25; typedef uint(26) u26; typedef uint(27) u27; typedef uint(28) u28;
typedef uint(29) u29; typedef uint(30) u30; typedef uint(31) u31; typedef uint(32) u32;
typedef uint(33) u33; typedef uint(34) u34; typedef uint(35) u35; typedef uint(36) u36;
typedef uint(37) u37; typedef uint(38) u38; typedef uint(39) u39; typedef uint(40) u40;
typedef uint(41) u41; typedef uint(42) u42; typedef uint(43) u43; typedef uint(44) u44;
typedef uint(45) u45; typedef uint(46) u46; typedef uint(47) u47; typedef uint(48) u48;
typedef uint(49) u49; typedef uint(50) u50; typedef uint(51) u51; typedef uint(52) u52;
typedef uint(53) u53; typedef uint(54) u54; typedef uint(55) u55; typedef uint(56) u56;
typedef uint(57) u57; typedef uint(58) u58; typedef uint(59) u59; typedef uint(60) u60;
typedef uint(61) u61; typedef uint(62) u62; typedef uint(63) u63; typedef uint(64) u64;
/* clang-format on */

/* ---- what a function or an array is ---------------------------------------------------------- */

#if defined(HLS_RTLGEN)
#define HLS_MARK(text) __attribute__((annotate(text)))
#else
#define HLS_MARK(text) /* only rtlgen reads marks, and clang optimises better without */
#endif

#define HLS_MODULE   HLS_MARK("hls_module")   /* one call is one clock */
#define HLS_RESET    HLS_MARK("hls_reset")    /* gives every register its value */
#define HLS_KEEP     HLS_MARK("hls_keep")     /* pure helper, kept as a module */
#define HLS_FUNCTION HLS_MARK("hls_function") /* helper of numbers, kept as a function */

/* Memories: arrays of any depth and up to four dimensions, each indexed by exactly its bits, zero at power-up. */
#define HLS_LUTRAM(reads)   HLS_LUTRAM_(reads) /* reads may be a macro */
#define HLS_LUTRAM_(reads)  HLS_MARK("hls_lutram:" #reads)
#define HLS_BRAM            HLS_MARK("hls_bram")
#define HLS_BRAM_READ_FIRST HLS_MARK("hls_bram_read_first")
#define HLS_ROM             HLS_MARK("hls_rom") /* of a static const array: a block that is read as HLS_BRAM */

/*
 * A module that is reset by its parent, too, beside the reset of all: `u1 rst` is the first of its inputs, and
 *
 *     hls_reset_by(in->rst, x_reset, self);
 *
 * at the top of its function. Natively that is the call; in the Verilog the port `rst` is the parent's own or that input.
 */
#if defined(HLS_RTLGEN)
#define hls_reset_by(c, reset, self) hls_rtl_check(HLS_CHECK_RESET, (c), #c)
#else
#define hls_reset_by(c, reset, self)                                                               \
    do {                                                                                           \
        if (c) {                                                                                   \
            reset(self);                                                                           \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#endif

/* ---- speed of the native model --------------------------------------------------------------- */

/*
 * hls_when(c): c natively, true in the Verilog. For work that changes nothing while c is 0: the native model leaves it
 * out, the Verilog does it always and has no wire for c. Lockstep holds the two against each other.
 * hls_seldom(c): c in both; what depends on it is kept out of the way of the rest.
 */
#if defined(HLS_RTLGEN)
#define hls_when(c)   (true || (c))
#define hls_seldom(c) (c)
#else
#define hls_when(c)   (c)
#define hls_seldom(c) __builtin_expect((c), 0)
#endif

/* ---- divisions ---------------------------------------------------------------------------------- */

/*
 * hls_in_one_clock(a / b): a quotient or remainder of wide numbers by what is no constant, in one clock: as many subtractions,
 * one behind the other, as the quotient has bits. rtlgen has a warning for such a division without this.
 */
#if defined(HLS_RTLGEN)
#define hls_in_one_clock(x)                                                                        \
    __extension__({                                                                                \
        hls_rtl_check(HLS_CHECK_ONE_CLOCK, true, #x);                                              \
        typeof(x) hls_meant = (x);                                                                 \
        hls_rtl_check(HLS_CHECK_ONE_CLOCK, false, #x);                                             \
        hls_meant;                                                                                 \
    })
#else
#define hls_in_one_clock(x) (x)
#endif

/* ---- processes: work that takes several clocks ------------------------------------------------- */

/*
 * A function of a module that waits. One call is one clock, as ever: it goes on behind the wait at which the last one ended,
 * which the register `at` says, of an enum that lists the waits (rtl_gen/PROCESS.md has the rules and an example):
 *
 *     HLS_PROCESS(self->at, X_IDLE, X_RUN);      every state once here, and once at its wait
 *     for (;;) {
 *         HLS_WAIT_UNTIL(X_IDLE, in->go);        looks at in->go in each clock after this one
 *         ...
 *         HLS_WAIT(X_RUN);                       this clock ends here, the next goes on behind
 *     }
 */
/* clang-format off */
#define HLS_PROCESS(at, ...)                                                                       \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wshadow\"")              \
    HLS_MARK("hls_process") typeof(at) *const hls_at = &(at);                                      \
    _Pragma("clang diagnostic pop")                                                                \
    switch (*hls_at) { HLS_EACH_(HLS_GO_(__VA_ARGS__)) }                                           \
    __builtin_unreachable();                                                                       \
    HLS_one_process_in_each_function: __attribute__((unused)) /* keeps what stands here for rtlgen */
#define HLS_WAIT(s) do { *hls_at = (s); return; HLS_WAIT_##s:; } while (0)
/* clang-format on */
#define HLS_WAIT_UNTIL(s, c)                                                                       \
    do {                                                                                           \
        HLS_WAIT(s);                                                                               \
    } while (!(c))

/* case s: goto HLS_WAIT_s; for each state of the list, up to 342: a macro that was not expanded to its end is read again. */
#define HLS_EACH_(...)  HLS_EACH4_(HLS_EACH4_(HLS_EACH4_(HLS_EACH4_(__VA_ARGS__))))
#define HLS_EACH4_(...) HLS_EACH3_(HLS_EACH3_(HLS_EACH3_(HLS_EACH3_(__VA_ARGS__))))
#define HLS_EACH3_(...) HLS_EACH2_(HLS_EACH2_(HLS_EACH2_(HLS_EACH2_(__VA_ARGS__))))
#define HLS_EACH2_(...) HLS_EACH1_(HLS_EACH1_(HLS_EACH1_(HLS_EACH1_(__VA_ARGS__))))
#define HLS_EACH1_(...) __VA_ARGS__
#define HLS_NONE_       ()
#define HLS_GO_(s, ...)                                                                            \
    case s:                                                                                        \
        goto HLS_WAIT_##s;                                                                         \
        __VA_OPT__(HLS_AT_MOST_342_STATES_ HLS_NONE_(__VA_ARGS__))
#define HLS_AT_MOST_342_STATES_() HLS_GO_

/* Hidden by the variable of HLS_PROCESS. Elsewhere clang says its name. */
extern struct hls_wait_stands_outside_of_HLS_PROCESS *hls_at;

/* ---- checks ---------------------------------------------------------------------------------- */

enum hls_check_kind {
    HLS_CHECK_ASSERT,
    HLS_CHECK_ASSUME,
    HLS_CHECK_COVER,
    HLS_CHECK_RESET,
    HLS_CHECK_ONE_CLOCK
};

#if defined(HLS_RTLGEN)
/* rtlgen turns the call into a property of the module; it never runs. */
void hls_rtl_check(enum hls_check_kind kind, bool condition, const char *text);
#define hls_assert(c) hls_rtl_check(HLS_CHECK_ASSERT, (c), #c)
#define hls_assume(c) hls_rtl_check(HLS_CHECK_ASSUME, (c), #c)
#define hls_cover(c)  hls_rtl_check(HLS_CHECK_COVER, (c), #c)
#elif defined(HLS_NO_CHECKS)
#define hls_assert(c) ((void)(c))
#define hls_assume(c) ((void)(c))
#define hls_cover(c)  ((void)(c))
#else
/*
 * Called when an assertion or assumption is false, and at the first hit of a cover. Whoever links
 * the native model defines it (tb/base/harness.c does: it prints file, line and clock).
 */
void hls_checked(enum hls_check_kind kind, const char *text, const char *file, int line);
#define hls_assert(c) ((c) ? (void)0 : hls_checked(HLS_CHECK_ASSERT, #c, __FILE__, __LINE__))
#define hls_assume(c) ((c) ? (void)0 : hls_checked(HLS_CHECK_ASSUME, #c, __FILE__, __LINE__))
#define hls_cover(c)                                                                               \
    do {                                                                                           \
        static bool hls_hit;                                                                       \
        if (!hls_hit && (c)) {                                                                     \
            hls_hit = true;                                                                        \
            hls_checked(HLS_CHECK_COVER, #c, __FILE__, __LINE__);                                  \
        }                                                                                          \
    } while (0)
#endif

/* ---- register bus: configuration and counters of every block --------------------------------- */

struct reg_request {
    u1 valid;
    u1 write;
    u16 addr;
    u64 wdata;
};

struct reg_reply {
    u1 ready;
    u1 error; /* with ready: there is no such register, or a read-only one was to be written; nothing was done */
    u64 rdata;
};

#endif
