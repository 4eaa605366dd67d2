// SPDX-License-Identifier: Apache-2.0
/*
 * cosim.h - one module in its two lives, as rtlgen's shims hand it to a test bench.
 *
 * The native life is the C of hls/ compiled by clang, the other is the generated Verilog compiled
 * by Verilator. Inputs and registers cross between them as packed words: bit i is word i / 32,
 * bit i % 32, fields tight, least significant first, in the order of the declarations.
 * M_shim.c (generated, C23) defines `const struct cosim_module M_cosim`; M_raw.cpp (generated, C++)
 * is the only file that sees Verilator. A bench that knows no module at all (lockstep.c) and one
 * that knows its structs (M_shim.h) use the same functions.
 */
#ifndef COSIM_H
#define COSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A BRAM in the module's struct, children's included. Reading and writing one address in one clock
 * is a bug of the description; in C only who watches the loads and stores sees it (memwatch.h).
 */
struct cosim_memory {
    const char *c;          /* path from the module's struct */
    unsigned count, stride; /* words, and bytes from one to the next */
    size_t offset;          /* of word 0 */
    bool block;             /* a block RAM: no address may be read and written in one clock */
};

struct cosim_module {
    const char *name;
    unsigned in_bits, state_bits; /* packed widths; state without memories */
    size_t in_size, self_size;    /* bytes of struct M_in and struct M */

    /* native */
    void (*reset)(void *self); /* leaves memories alone: zero the struct first at power-up */
    void (*step)(void *self, const void *in);
    const struct cosim_memory *memories;
    unsigned n_memories;
    bool (*enums_hold)(const void *self); /* every register of an enum holds an enumerator */

    /* between structs and words */
    void (*pack_in)(const void *in, uint32_t *words);
    void (*unpack_in)(const uint32_t *words, void *in);
    void (*pack_state)(const void *self, uint32_t *words);
    void (*unpack_state)(const uint32_t *words, void *self);

    /* RTL: fst is a waveform file or NULL. A step is one clock; state is read after its edge. */
    void *(*rtl_new)(const char *fst);
    void (*rtl_reset)(void *rtl);
    int (*rtl_step)(void *rtl, const uint32_t *in, uint32_t *state); /* 1: an assertion fired */
    void (*rtl_free)(void *rtl);
    void (*rtl_trace)(void *rtl, const char *fst); /* open a waveform from the next clock on */
};

#endif
