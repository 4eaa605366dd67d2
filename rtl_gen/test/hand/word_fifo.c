// SPDX-License-Identifier: Apache-2.0
/* word_fifo: fifo.inc of hls/lib over beats of 16 bits and tlast. */
#define LIB_BODY
#include "lib/stream.h"

HLS_STREAM(word_stream, u16, tdata, u1, tlast);

#define FIFO        word_fifo
#define FIFO_STREAM word_stream
#define FIFO_LOG2   4
#include "lib/fifo.inc"
