// SPDX-License-Identifier: Apache-2.0
/*
 * clock_chain.h - devices in a row whose global clocks follow one another over links with errors.
 *
 *     device 0, the root ─ port 1 ═ cable ═ port 0 ─ device 1 ─ port 1 ═ cable ═ port 0 ─ device 2 ...
 *
 * All are in one clock domain, so another oscillator is another CLOCK_RATE at the start. Each device was in reset for another
 * time. Software is chain_measure and chain_follow: it knows of the cables what registers say.
 */
#ifndef TB_CLOCK_CHAIN_H
#define TB_CLOCK_CHAIN_H

#include "tb/models/channel.h"
#include "hls/chip/device.h"
#include "hls/link/lcb_map.h"

enum {
    CHAIN_MOST = 10,
    CHAIN_UP = 20000,
    CHAIN_CLOCKS = RTR_LINKS /* as a link: the global clock's bus */
};

struct chain_config {
    unsigned devices; /* 2 to CHAIN_MOST */
    double ber;
    unsigned delay;       /* clocks of each cable */
    int rate[CHAIN_MOST]; /* CLOCK_RATE at the start */
};

/* What is done to snapshots between a device's LCB and its clock: a share of them each, of all but device 0. */
struct chain_tampering {
    double wrong; /* one bit is another */
    double lost;
    double doubled; /* it comes again, with its old age, some hundred clocks later */
};

/* One device, and what has been seen of its time. */
struct chain_device {
    struct device *device;
    struct device_in in;
    struct channel up, down; /* cables to the device before it and from there */
    uint64_t now, came_up;   /* its time; the number of its last pulse */
    uint64_t pulses;
    bool locked;
    unsigned again;     /* clocks until a doubled snapshot comes again; 0: none waits */
    uint64_t lost;      /* how often locked fell */
    uint64_t backwards; /* clocks while locked in which the time went neither 0, 1 nor 2 on */
    uint64_t stepped;   /* clocks in which the time was set, as port stepped says */
    uint64_t holdovers;
    uint64_t worst; /* clocks that it was away from device 0, since chain_forget */
    int64_t
        pulse_late; /* clocks of the bench that a pulse came behind device 0's, the most either way */
};

struct clock_chain {
    struct chain_config config;
    struct chain_tampering tampering;
    struct rng rng;
    uint64_t tampered, calm_until;
    uint64_t clock;
    struct chain_device end[CHAIN_MOST];
};

void chain_start(struct clock_chain *c, const struct chain_config *config, uint64_t seed);
void chain_free(struct clock_chain *c);
void chain_run(struct clock_chain *c, uint64_t clocks);

/* All links carry data; false after CHAIN_UP clocks. */
bool chain_await_links(struct clock_chain *c);

/* All devices but the root have locked; false after limit clocks. */
bool chain_await_lock(struct clock_chain *c, uint64_t limit);

/* Registers of a link, or of the global clock (CHAIN_CLOCKS), of a device. */
uint64_t chain_read(struct clock_chain *c, unsigned device, unsigned link, unsigned reg);
void chain_write(struct clock_chain *c, unsigned device, unsigned link, unsigned reg,
                 uint64_t value);

/* The delay from device - 1 to this one, in 1/256 clocks, of snapshots both ways. */
uint64_t chain_measure(struct clock_chain *c, unsigned device);

/* A link comes up again: the port of `device` towards the one before it is restarted. */
void chain_restart(struct clock_chain *c, unsigned device);

/* Device 0 is reset: its time begins anew. */
void chain_reset_root(struct clock_chain *c);

/* The delay is measured and written. */
void chain_adjust(struct clock_chain *c, unsigned device);

/* Device 0 is the root, each of the others follows the one before it, with the delay that was measured. */
void chain_follow(struct clock_chain *c);

/* worst and pulse_late from now on. */
void chain_forget(struct clock_chain *c);

/* Of all devices. */
uint64_t chain_worst(const struct clock_chain *c);
bool chain_locked(const struct clock_chain *c);
uint64_t chain_lost(const struct clock_chain *c);
uint64_t chain_backwards(const struct clock_chain *c);
uint64_t chain_steps(const struct clock_chain *c);

#endif
