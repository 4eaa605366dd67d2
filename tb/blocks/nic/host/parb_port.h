// SPDX-License-Identifier: Apache-2.0
/*
 * parb_port.h - the ports of parb: of which client they are, whether they have room, and random accesses to send.
 */
#ifndef TB_NIC_PARB_PORT_H
#define TB_NIC_PARB_PORT_H

#include "tb/blocks/nic/host/parb_bench.h"

extern const unsigned parb_client_of[PARB_PORTS];

/* A random access of a port, as it goes in (in[], whose beats are returned) and as it must come out. */
unsigned parb_make(unsigned p, struct parb_test_access *a, struct beat *in);

/* A random word of amo or of a descriptor, the same. */
struct mem_word parb_make_word(unsigned p, struct parb_test_access *a);

/* What parb says of room for a port, and where its beats go in. */
bool parb_room_of(unsigned p);
struct beat *parb_input_of(struct parb_in *in, unsigned p);

#endif
