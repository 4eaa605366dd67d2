// SPDX-License-Identifier: Apache-2.0
/*
 * nic_report.h - a report that several programs write a part of, also at once.
 */
#ifndef NIC_REPORT_H
#define NIC_REPORT_H

#include "tb/base/harness.h"

/* The object's keys replace those of that name in the report, all others stay. Frees the object; on failure prints one line and returns false. */
bool nic_report_update(const char *path, cJSON *object);

#endif
