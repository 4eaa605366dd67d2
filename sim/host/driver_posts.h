// SPDX-License-Identifier: Apache-2.0
/*
 * driver_posts.h - the driver's part of messages: a channel's buffers belong to one process, which posts them and hears of each once.
 *
 * A message is a transfer with `send` (driver.h): its `mdh` is the channel at the receiver, `offset` a place in the buffer.
 */
#ifndef SIM_HOST_DRIVER_POSTS_H
#define SIM_HOST_DRIVER_POSTS_H

#include "sim/host/driver.h"

/* A ring of buffers, in memory of the driver. */
struct drv_posts {
    unsigned log2;  /* of its descriptors, 0 to 9 */
    uint64_t place; /* for the NIC, 32 bytes each (drv_kernel_memory); */
    void *memory;   /* and where the driver reaches it, aligned to 8 bytes */
};

struct drv_buffer {
    unsigned mdh; /* of the process, writable: */
    uint64_t offset, bytes;
    bool event; /* to this queue of the process, when it is over */
    unsigned queue;
    uint64_t tag; /* for struct drv_message */
};

/* A buffer that came back. */
struct drv_message {
    uint64_t tag;
    unsigned
        status; /* 0: whole; 8: given up, or the channel has ended; 9: nothing came for too long */
    uint64_t bytes;
    uint32_t from; /* node */
    bool has_word;
    uint64_t word;
};

/* The channel takes messages for this process. */
enum drv_result drv_receive(struct drv_process *p, unsigned channel, const struct drv_posts *want);
/* And no longer: buffers that no message has taken are not reported, all others are over. The end of a process does it, too. */
enum drv_result drv_receive_end(struct drv_process *p, unsigned channel);

/* DRV_FULL: the ring is, until its oldest buffer was reported. The handle stays while buffers of it are posted. */
enum drv_result drv_post_buffer(struct drv_process *p, unsigned channel,
                                const struct drv_buffer *buffer);

/* The next buffer that came back, of those of a channel; false: none. */
bool drv_message(struct drv_process *p, unsigned channel, struct drv_message *m);

#endif
