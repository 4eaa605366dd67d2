// SPDX-License-Identifier: Apache-2.0
/*
 * bench_host.h - the way of the driver (sim/host) to the NIC of a bench's node.
 */
#ifndef BENCH_HOST_H
#define BENCH_HOST_H

#include "sim/host/nic_host.h"
#include "tb/system/nic/nic_bench.h"

/* Time passes while registers and loads are waited for, and in advance; stores are posted. */
struct nic_host bench_host(struct bench_node *node);

#endif
