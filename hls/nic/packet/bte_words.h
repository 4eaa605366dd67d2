// SPDX-License-Identifier: Apache-2.0
/*
 * bte_words.h - the words of a descriptor of a block transfer, as they are in memory: hls/nic/bte/README.md.
 */
#ifndef BTE_WORDS_H
#define BTE_WORDS_H

enum bte_op { BTE_SEND = 0, BTE_PUT = 1, BTE_GET = 2, BTE_NO_OP = 3 };

/* Word 0: {PE 18, remote offset 40}. */
#define DESC_PE_AT 40

/* Word 1. */
#define DESC_MDH_AT         0  /* 12: of the target */
#define DESC_LOCAL_MDH_AT   12 /* 12 */
#define DESC_OP_AT          24 /* 2: enum bte_op */
#define DESC_FENCE_AT       26 /* 1 */
#define DESC_CONCATENATE_AT 27 /* 1 */
#define DESC_MODE_AT        29 /* 3: enum rtr_mode */
#define DESC_WANTS_AT       32 /* 3: WANT_LOCAL, WANT_GLOBAL, WANT_TARGET */
#define DESC_WRITE_BACK_AT  35 /* 1 */
#define DESC_QUEUE_AT       36 /* 10 */
#define DESC_PTAG_AT        46 /* 8 */
#define DESC_NTT_AT         54 /* 1 */
#define DESC_GRANULARITY_AT 55 /* 3 */
#define DESC_HOW_BITS       58

/* Word 2: local offset 40. Word 3: */
#define DESC_BYTES_AT 0  /* 33 */
#define DESC_BASE_AT  37 /* 13: first entry of its job in the NTT */

/* Word 4: source event 56; 5: target event 64; 6: {nodes of its job 18}; 7: */
#define DESC_DONE_AT   63
#define DESC_STATUS_AT 0 /* 4 */

#endif
