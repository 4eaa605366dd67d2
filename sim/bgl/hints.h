// SPDX-License-Identifier: Apache-2.0
/*
 * hints.h - software's part of routing: hint bits that lead round dead nodes.
 *
 * The hardware knows no dead nodes. A deterministic packet has one path, x then y then z, whose signs its hints choose; a dynamic one may cross
 * any node of the box between its ends. Where no choice of signs is clean a living node, the relay, takes the packet and sends it on.
 */
#ifndef SIM_BGL_HINTS_H
#define SIM_BGL_HINTS_H

#include "sim/bgl/fast/shape.h"

/* Whether no dead node is on the deterministic path by these hints, its ends included; dead has a byte for each node. */
bool hints_path_clean(const struct shape *s, const uint8_t *dead, struct place from,
                      struct place to, unsigned hints);

/* Whether none is in the box of all ways by these hints. */
bool hints_box_clean(const struct shape *s, const uint8_t *dead, struct place from, struct place to,
                     unsigned hints);

/* Hints of the shortest clean path, or of all clean boxes the one with the shortest ways; 0 if there is none. */
unsigned hints_round(const struct shape *s, const uint8_t *dead, struct place from, struct place to,
                     bool box);

/* The node through which the way of two clean paths is the shortest; false if no node will do. */
bool hints_relay(const struct shape *s, const uint8_t *dead, struct place from, struct place to,
                 struct place *relay);

/* Reads dead nodes, a line X,Y,Z each, # begins a remark; ends the program if the file is wrong. The caller frees the bytes. */
uint8_t *hints_read_dead(const struct shape *s, const char *path);

#endif
