// SPDX-License-Identifier: Apache-2.0
/* word_skid: skid.inc of hls/lib over beats of 16 bits and tlast. */
#define LIB_BODY
#include "lib/stream.h"

HLS_STREAM(word_stream, u16, tdata, u1, tlast);

#define SKID        word_skid
#define SKID_STREAM word_stream
#include "lib/skid.inc"
