// SPDX-License-Identifier: Apache-2.0
/*
 * fma_model.h - what FMA descriptors mean (hls/nic/PROGRAMMING.md): a run of bytes that was stored becomes a packet, or an error.
 *
 * No code and no table is shared with hls/: fields are put at places written down here, bit by bit.
 */
#ifndef TB_FMA_MODEL_H
#define TB_FMA_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { FMA_DESCRIPTORS = 128 };

struct fma_model_packet {
    unsigned beats;
    uint8_t beat[5][18]; /* bit i of a beat is bit i % 8 of byte i / 8 */
    bool ends;           /* it ends a transaction */
    bool transfer;       /* it is a descriptor for bte: beats of two words */
    bool join;           /* it is for ce */
    unsigned unit, channel;
};

struct fma_descriptor {
    uint64_t word[8]; /* of the page */
    /* what the driver wrote */
    bool enabled, ntt, flags;
    unsigned ptag, base, size, granularity, limit, channels;
    /* state */
    bool open, failed;
    unsigned flight, dropped, errors; /* errors: bit 0 is STATUS bit 10 */
};

struct fma_model {
    struct fma_descriptor d[FMA_DESCRIPTORS];
    unsigned ntt_entries;
    bool engines; /* the machine has collective ones */
    unsigned launch_open,
        launch_free; /* channels of block transfers: where processes may launch, and have space */
};

enum { FMA_PAGE = 0, FMA_PUT = 2, FMA_GET = 3 };

/* A run while the NIC is switched off: always refused; the packet is the CLOSE that aborts what is open, if anything is. */
bool fma_model_shut(struct fma_model *m, unsigned unit, struct fma_model_packet *p);

/* A run of n bytes at an offset in a page or window: true if it is refused with SLVERR; the packet has 0 beats if none goes. */
bool fma_model_run(struct fma_model *m, unsigned unit, unsigned region, uint64_t offset,
                   const uint8_t *byte, unsigned n, struct fma_model_packet *p);

/* A read of a word of the page; true if it is answered SLVERR. */
bool fma_model_read(const struct fma_model *m, unsigned unit, unsigned word, uint64_t *data);

/* The driver writes the privileged part; the packet that comes of it, now or later. */
void fma_model_driver(struct fma_model *m, unsigned unit, uint64_t data,
                      struct fma_model_packet *p);

/* ssid: a transaction is over. */
void fma_model_note(struct fma_model *m, unsigned unit, bool failed);

#endif
