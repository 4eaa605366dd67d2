// SPDX-License-Identifier: Apache-2.0
/*
 * secded.h - the code over one flit in the replay or the receive buffer, an instance of ecc.inc.
 *
 *   54  48 47                              0
 *  +------+---------------------------------+
 *  | ecc  |              flit               |
 *  +------+---------------------------------+
 */
#ifndef SECDED_H
#define SECDED_H

#include "link/flit/link_types.h"

#define LCB_STORED_BITS (LCB_FLIT_BITS + LCB_ECC_BITS)

#define ECC      secded
#define ECC_DATA LCB_FLIT_BITS
#define ECC_BITS LCB_ECC_BITS
#include "common/ecc.inc"

typedef secded_word lcb_stored;

#endif
