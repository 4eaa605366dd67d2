// SPDX-License-Identifier: Apache-2.0
/*
 * rat_messages.h - rat's neighbour that knows the buffers of messages: it is asked in the order of packets, and answers two clocks later.
 */
#ifndef TB_NIC_RAT_MESSAGES_H
#define TB_NIC_RAT_MESSAGES_H

#include "tb/blocks/nic/target/rat_bench.h"

/* A packet of a message gets the buffer that it will find, or why it finds none. */
void rat_messages_draw(struct request *r);

/* How such a packet ends, and its address if it is OK. */
unsigned rat_messages_status(const struct request *r, struct outcome *o);

/* Nothing has been asked. Then of each clock: what the neighbour says; and, behind rat, what it was asked of these packets. */
void rat_messages_begin(void);
struct message_found rat_messages_drive(void);
void rat_messages_step(const struct packet *packets, unsigned made);

#endif
