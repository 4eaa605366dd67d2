// SPDX-License-Identifier: Apache-2.0
/* units.h - the templates of this folder in sizes that are measured, tested and proved by themselves. */
#ifndef LIB_UNITS_H
#define LIB_UNITS_H

#include "stream.h"

#define DIV   div8
#define DIV_N 8
#include "div.inc"

#define DIV   div32
#define DIV_N 32
#include "div.inc"

#define DIV       div8_radix4
#define DIV_N     8
#define DIV_RADIX 4
#include "div.inc"

#define DIV        div8_signed
#define DIV_N      8
#define DIV_SIGNED 1
#include "div.inc"

#define SQRT   sqrt16
#define SQRT_N 16
#include "sqrt.inc"

#define SQRT   sqrt32
#define SQRT_N 32
#include "sqrt.inc"

#define MUL   mul8
#define MUL_N 8
#include "mul.inc"

#define MUL   mul32
#define MUL_N 32
#include "mul.inc"

HLS_STREAM(word_stream, u16, tdata, u1, tlast);

#define SKID        word_skid
#define SKID_STREAM word_stream
#include "skid.inc"

#define FIFO        word_fifo
#define FIFO_STREAM word_stream
#define FIFO_LOG2   4
#include "fifo.inc"

#define FIFO        word_fifo512
#define FIFO_STREAM word_stream
#define FIFO_LOG2   9
#include "fifo.inc"

#endif
