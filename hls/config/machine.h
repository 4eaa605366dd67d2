// SPDX-License-Identifier: Apache-2.0
/*
 * machine.h - picks the configuration of one machine.
 *
 * Every block includes this file and nothing else of config/. Without a choice it is aries; -D MACHINE_GEMINI=1, MACHINE_YARC,
 * MACHINE_P16, MACHINE_A16, MACHINE_PROTO, MACHINE_PROTO24, MACHINE_BGL, MACHINE_SEASTAR and MACHINE_SEASTAR2 take the others,
 * MACHINE_FORMAL the small link that proofs can afford. bgl has no tiles: a torus unit and its node (bgl/). p16, seastar
 * and seastar2 have a router only, yarc is a device. proto24 is proto with links in packet mode. a16 is for networks
 * in sim/, MACHINE_PROTOXC for the chips of machined.
 */
#ifndef CONFIG_MACHINE_H
#define CONFIG_MACHINE_H

#if defined(MACHINE_FORMAL)
#include "config/formal.h"
#elif defined(MACHINE_GEMINI)
#include "config/gemini.h"
#elif defined(MACHINE_YARC)
#include "config/yarc.h"
#elif defined(MACHINE_P16)
#include "config/p16.h"
#elif defined(MACHINE_A16)
#include "config/a16.h"
#elif defined(MACHINE_PROTO24)
#include "config/proto24.h"
#elif defined(MACHINE_PROTOXC)
#include "config/protoxc.h"
#elif defined(MACHINE_PROTO)
#include "config/proto.h"
#elif defined(MACHINE_BGL)
#include "config/bgl.h"
#elif defined(MACHINE_SEASTAR)
#include "config/seastar.h"
#elif defined(MACHINE_SEASTAR2)
#include "config/seastar2.h"
#else
#include "config/aries.h"
#endif

#endif
