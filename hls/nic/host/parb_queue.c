// SPDX-License-Identifier: Apache-2.0
#define BQ_BODY
#include "nic/host/parb_queue.h"
