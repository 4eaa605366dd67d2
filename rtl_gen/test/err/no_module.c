// SPDX-License-Identifier: Apache-2.0
/* A file without HLS_MODULE. */
#include "hls.h"

u8 add(u8 a, u8 b)
{
    return a + b;
}
