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
#define DESC_IMMEDIATE_AT   28 /* 1: SEND: word 5 is an immediate word */
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

/* Word 4: source event 56; 5: target event or immediate word 64; 6: {nodes of its job 18}; 7: */
#define DESC_DONE_AT   63
#define DESC_STATUS_AT 0 /* 4 */

/* A posted buffer, 32 bytes. Word 0: {translated 1 with context 4, address 48}; word 1: */
#define RX_LOG2       5
#define RX_READ_BYTES 16 /* of it that are read: */
#define RX_MMU_AT     48
#define RX_BYTES_AT   0  /* 33 */
#define RX_QUEUE_AT   33 /* 10 */
#define RX_PTAG_AT    43 /* 8 */
#define RX_EVENT_AT   51 /* 1: an event is wanted */

/* Word 2: the immediate word, written by the NIC; 3, written last: {done 1, immediate valid 1, source 18, status 4, 0, length 33}. */
#define RX_IMMEDIATE_BYTE 16
#define RX_LAST_BYTE      24
#define RX_DONE_AT        63
#define RX_VALID_AT       62
#define RX_SRC_AT         44
#define RX_STATUS_AT      40

/* Its event: {channel 2, number of the buffer modulo 1,024, length 33}. */
#define RX_EVENT_INDEX_AT   33
#define RX_EVENT_CHANNEL_AT 43

#endif
