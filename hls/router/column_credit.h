// SPDX-License-Identifier: Apache-2.0
/*
 * column_credit.h - credits of a subswitch for the column buffer at the end of one column bus.
 */
#ifndef COLUMN_CREDIT_H
#define COLUMN_CREDIT_H

#include "router/rtr_types.h"

#define VCC      column_credit
#define VCC_LOG2 RTR_COL_LOG2
#include "router/vc_credit.inc"

#endif
