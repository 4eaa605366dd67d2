// SPDX-License-Identifier: Apache-2.0
/*
 * prove.h - makes a block's source readable by a prover that includes it afterwards.
 *
 * Invariants for induction speak of registers that a parent cannot read. So such a prover includes
 * the block's .c file with HLS_MODULE taken away: the block's function becomes a helper, its
 * registers members of the prover. Checks written in the block are left out here; the prover states
 * its own with prove_assert, what the surroundings promise with prove_assume, what has to be reachable with prove_cover.
 */
#ifndef PROVE_H
#define PROVE_H

#include "hls.h"

#define PROVE_MODULE __attribute__((annotate("hls_module")))
#define PROVE_RESET  __attribute__((annotate("hls_reset")))

#undef HLS_MODULE
#undef HLS_RESET
#define HLS_MODULE static inline
#define HLS_RESET  static inline

#undef hls_assert
#undef hls_cover
#define hls_assert(c) ((void)(c))
#define hls_cover(c)  ((void)(c))

#if defined(HLS_RTLGEN)
#define prove_assert(c) hls_rtl_check(HLS_CHECK_ASSERT, (c), #c)
#define prove_assume(c) hls_rtl_check(HLS_CHECK_ASSUME, (c), #c)
#define prove_cover(c)  hls_rtl_check(HLS_CHECK_COVER, (c), #c)
#else
#define prove_assert(c) ((c) ? (void)0 : hls_checked(HLS_CHECK_ASSERT, #c, __FILE__, __LINE__))
#define prove_assume(c) ((c) ? (void)0 : hls_checked(HLS_CHECK_ASSUME, #c, __FILE__, __LINE__))
#define prove_cover(c)  ((void)(c))
#endif

#endif
