// SPDX-License-Identifier: Apache-2.0
/*
 * axi_master.h - ports and registers of the manager of host memory: AXI4, 128 bits, IDs = enum mem_client.
 */
#ifndef AXI_MASTER_H
#define AXI_MASTER_H

#include "axi/axi_read.h"
#include "axi/axi_write.h"

struct axi_master_in {
    struct axi_to_man m_axi;
    struct beat write;         /* parb's, while room_write */
    struct mem_read read;      /* while room_read */
    struct mem_walk walk;      /* until walk_taken */
    mem_reader_set room_reply; /* of clients: for a whole reply */
};

struct axi_master_out {
    struct axi_from_man m_axi;
    struct mem_done done;  /* of writes, to all clients */
    struct beat reply;     /* of reads ... */
    mem_reader reader;     /* ... to this client */
    mem_reader_set filled; /* a read of that client has its data */
    mem_reader_set given;  /* a place of that client is free again */
    u1 walk_taken;         /* for one clock */
    struct mem_walked walked;
    u1 room_write; /* two more beats fit */
    u1 room_read;  /* two more words of reads fit */
    u1 idle_write; /* nothing is in here or under way in the host */
    u1 idle_read;
    axi_write_counts write_count;
    axi_read_counts read_count;
};

struct axi_master {
    struct axi_master_out out;
    struct axi_write write;
    struct axi_read read;
};

HLS_RESET void axi_master_reset(struct axi_master *self);
HLS_MODULE void axi_master(struct axi_master *self, const struct axi_master_in *in);

#endif
