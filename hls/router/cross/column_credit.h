// SPDX-License-Identifier: Apache-2.0
/*
 * column_credit.h - credits of a subswitch for the column buffer at the end of one column bus.
 *
 * A flit that is sent is charged one clock later, and the count shows it the clock after. A packet that goes on leaves one
 * credit for the flit not counted yet; who offers a flit leaves three, for the one behind it goes without a look.
 */
#ifndef COLUMN_CREDIT_H
#define COLUMN_CREDIT_H

#include "router/flit/rtr_types.h"

#define COLUMN_CREDIT_KEPT 1
#define COLUMN_CREDIT_FEW  3

/* A packet that was interrupted and finds few credits is enough of one for output_mux, which sends it on; so neither waits for the other. */
#if (5 << RTR_COL_LOG2) / 8 > (1 << RTR_COL_LOG2) - COLUMN_CREDIT_FEW
#error "column_credit: a VC with few credits must have enough flits at the output"
#endif

#define VCC      column_credit
#define VCC_LOG2 RTR_COL_LOG2
#define VCC_KEPT COLUMN_CREDIT_KEPT
#define VCC_FEW  COLUMN_CREDIT_FEW
#include "common/fifo/vc_credit.inc"

#endif
