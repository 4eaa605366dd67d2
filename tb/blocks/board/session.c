// SPDX-License-Identifier: Apache-2.0
/*
 * session.c - a person at the serial line of a board.
 */
#include "tb/blocks/board/session.h"

#include <string.h>

/* One wrong bit, a lane cut, noise, a link killed and restarted, the lane mended, counters cleared, the help. */
const struct session_key session_tour[] = {{3500, 'e'},  {13000, '1'}, {21000, 'n'}, {33000, 'n'},
                                           {39000, 'k'}, {48000, 'r'}, {60000, '1'}, {63000, 'r'},
                                           {75000, 's'}, {81000, 's'}, {84000, 'c'}, {91000, '?'},
                                           {0, 0}};

void session_start(struct session *s, const struct session_key *keys,
                   void (*line)(void *to, const char *text), void *to)
{
    *s = (struct session){.keys = keys, .line = line, .to = to};
}

static bool type(struct session *s)
{
    if (s->tx_bits == 0 && s->keys->letter != 0 && s->clock >= s->keys->clock) {
        s->tx_shift = 1u << 9 | (unsigned)(unsigned char)s->keys->letter << 1;
        s->tx_bits = 10;
        s->tx_wait = SESSION_BIT;
        s->keys++;
    }
    if (s->tx_bits == 0)
        return true;
    const bool level = s->tx_shift & 1;
    if (--s->tx_wait == 0) {
        s->tx_shift >>= 1;
        s->tx_bits--;
        s->tx_wait = SESSION_BIT;
    }
    return level;
}

static void put(struct session *s, char c)
{
    if (c == '\n' || s->length == SESSION_LINE - 1) {
        s->text[s->length] = 0;
        s->line(s->to, s->text);
        s->length = 0;
    }
    if (c != '\n' && c != '\r')
        s->text[s->length++] = c;
}

/* A bit is read in its first clock: sender and reader have one clock. */
static void read(struct session *s, bool level)
{
    if (s->rx_bits == 0) {
        if (!level) {
            s->rx_bits = 9;
            s->rx_wait = SESSION_BIT;
            s->rx_shift = 0;
        }
        return;
    }
    if (--s->rx_wait != 0)
        return;
    s->rx_wait = SESSION_BIT;
    s->rx_bits--;
    if (s->rx_bits != 0) {
        s->rx_shift = s->rx_shift >> 1 | (unsigned)level << 7;
        return;
    }
    s->framing += !level;
    put(s, (char)s->rx_shift);
}

bool session_step(struct session *s, bool from_board)
{
    read(s, from_board);
    const bool level = type(s);
    s->clock++;
    return level;
}
