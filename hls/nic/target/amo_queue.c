// SPDX-License-Identifier: Apache-2.0
#define BQ_BODY
#include "nic/target/amo_queue.h"
