// SPDX-License-Identifier: Apache-2.0
/*
 * packet.h - the golden link in packet mode: the CRC by long division over a string of bits, a receiver that reads the stream of
 * phits as a text with a grammar, and a ledger of packets.
 *
 * A phit is 24 bits, kind above content; slot A of a word comes first. Fields are in a table of their own, which test_packet_golden compares
 * with hls/link/packet/phit.h.
 */
#ifndef GOLDEN_LINK_PACKET_H
#define GOLDEN_LINK_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- phits ------------------------------------------------------------------------------------- */

enum golden_kind { PHIT_OF_IDLE, PHIT_OF_BODY, PHIT_OF_END, PHIT_OF_HEAD };

enum {
    GOLDEN_PHIT_BITS = 24,
    GOLDEN_CONTENT_BITS = 22,
    GOLDEN_CONTENT = (1 << GOLDEN_CONTENT_BITS) - 1,
    GOLDEN_HOLD = 0x01A5A5,
    GOLDEN_LONGEST = 32,
    GOLDEN_POSITIONS = 1024,
};

enum golden_phit_field {
    IN_PHIT_KIND,
    IN_PHIT_SOFT,
    IN_PHIT_COUNT,
    IN_PHIT_CRC,
    IN_PHIT_RECORD, /* bit 21 of an idle phit */
    IN_PHIT_SEEK,   /* a SEEK, else an ACK */
    IN_PHIT_ACK,
    IN_PHIT_NAK,
    IN_PHIT_VC,
    IN_PHIT_STEPS,
    IN_PHIT_NEXT,
    IN_PHIT_LOAD,
    IN_PHIT_EMPTY,
    IN_PHIT_FIELDS
};
extern const struct golden_phit_place {
    const char *name;
    unsigned lsb, width;
} golden_phit_places[IN_PHIT_FIELDS];

uint32_t golden_phit_get(uint32_t phit, enum golden_phit_field field);
uint32_t golden_phit_set(uint32_t phit, enum golden_phit_field field, uint32_t value);

/* A word of two phits, as three lanes carry it, and back. */
uint64_t golden_word(uint32_t a, uint32_t b);
uint32_t golden_word_phit(uint64_t word, bool second);

/* ---- CRC --------------------------------------------------------------------------------------- */

/* The link CRC of `count` phits, the end among them, whose own CRC field does not count. A record has no position. */
uint16_t golden_link_crc(const uint32_t *phit, unsigned count, bool record, unsigned position);

/* The core CRC of a packet whose VC has so many bits at the top of a head. */
uint16_t golden_core_crc(const uint32_t *phit, unsigned count, unsigned vc_bits);

/* ---- the receiver ------------------------------------------------------------------------------ */

enum golden_ok { GOLDEN_GOOD, GOLDEN_SOFT, GOLDEN_CUT };

struct golden_rise {
    uint32_t content; /* of an end that the receiver makes itself anything */
    bool head, tail, any;
    enum golden_ok ok;
};

enum { GOLDEN_REPORTS = 1 << 17 };
enum { GOLDEN_TEXT_PHITS = 128, GOLDEN_RISES = 256, GOLDEN_SILENCE = 4096 };

struct golden_reader {
    unsigned clip, vc_bits;
    unsigned expected; /* position */
    bool recovers;
    bool blind; /* any CRC is right */
    /* The text since the last item that was understood, without holds; whether its first phit is in slot B. */
    uint32_t text[GOLDEN_TEXT_PHITS];
    bool second[GOLDEN_TEXT_PHITS];
    unsigned count, risen;
    uint64_t phits;  /* so far; */
    uint64_t judged; /* ends */
    /* Number of the text's first phit; of that of the last text with an end, and whether that was a record. */
    uint64_t starts, began;
    bool believed_record;
    uint64_t quiet;
    bool late;
    /* What has to go up, in order. */
    struct golden_rise rise[GOLDEN_RISES];
    uint64_t risen_in, risen_out;
    uint64_t good, bad, cut, soft;
    uint64_t believed;                   /* packets */
    uint32_t packet[GOLDEN_LONGEST + 1]; /* phits of the last one that was believed */
    unsigned length;
};

void golden_reader_start(struct golden_reader *g, unsigned clip, unsigned vc_bits);

/* The link is down: what is open ends, and the next phit is read in recovery. */
void golden_reader_break(struct golden_reader *g);

/* A new epoch. */
void golden_reader_clear(struct golden_reader *g);

/* A phit as it comes out of the lanes. */
void golden_reader_phit(struct golden_reader *g, uint32_t phit, bool second);

/* A clock has passed. */
void golden_reader_clock(struct golden_reader *g);

/* ---- the ledger -------------------------------------------------------------------------------- */

struct golden_phits {
    uint32_t flit[64]; /* contents, the end last */
    bool head[64], tail[64];
    unsigned count;
    bool soft; /* it must arrive so */
};

struct golden_packets {
    struct golden_phits *pending; /* handed in, not yet come; a ring */
    size_t first, count, room;
    bool maybe_soft; /* a packet may turn soft on its way: the memory of the sender was hit */
    struct golden_phits open;   /* being handed in */
    struct golden_phits coming; /* coming out */
    uint64_t sent, good, soft, cut, died;
    uint64_t lost, changed, marks;
    uint32_t reported[GOLDEN_REPORTS];
    size_t reports;
    char first_error[160];
};

void golden_packets_free(struct golden_packets *l);

/* A flit is handed in; bad: poisoned. The last one of a packet says whether that must arrive with a soft error. */
void golden_handed(struct golden_packets *l, uint32_t flit, bool head, bool tail, bool soft);

/* A flit came out. */
void golden_came(struct golden_packets *l, const struct golden_rise *r);

/* A dead link reports a flit, of a bad one perhaps its place alone; and the epoch is over: what did not come was reported. */
void golden_packet_reported(struct golden_packets *l, uint32_t flit, bool bad);
void golden_packets_died(struct golden_packets *l);

/* Nothing lost, doubled, out of order, changed or wrongly marked, and nothing open. */
bool golden_packets_clean(const struct golden_packets *l);

#endif
