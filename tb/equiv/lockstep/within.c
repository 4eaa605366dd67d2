// SPDX-License-Identifier: Apache-2.0
/*
 * within.c - the RTL of whole devices in lockstep with the C inside any test that has them, for their first clocks.
 *
 * The linker hands every call of device() to __wrap_device and every reset to __wrap_device_reset (--wrap), which step the RTL of the
 * first devices beside the C; the test's end, tap_done(), says whether they agreed. The test itself is what it is without RTL.
 */
#include <inttypes.h>
#include <stddef.h>

#include "hls/chip/device.h"
#include "tb/base/dut.h"
#include "tb/base/harness.h"

/* Devices in lockstep, and clocks of each. */
enum { WATCHED = 2, CLOCKS = 10000 };

extern const struct cosim_module device_cosim;

void __real_device(struct device *self, const struct device_in *in);
void __wrap_device(struct device *self, const struct device_in *in);
void __real_device_reset(struct device *self);
void __wrap_device_reset(struct device *self);
int __real_tap_done(void);
int __wrap_tap_done(void);

static struct dut watched[WATCHED];
static unsigned count;

static void model_reset(void *self)
{
    __real_device_reset(self);
}

static void model_step(void *self, const void *in)
{
    __real_device(self, in);
}

static const struct dut_model model = {sizeof(struct device), model_reset, model_step};

static struct dut *find(const struct device *self)
{
    for (unsigned i = 0; i < count; i++)
        if (watched[i].self == self)
            return watched[i].clocks < CLOCKS ? &watched[i] : NULL;
    return NULL;
}

void __wrap_device_reset(struct device *self)
{
    struct dut *d = find(self);
    if (d)
        dut_reset(d);
    else if (count < WATCHED)
        dut_start(&watched[count++], "device", &model, &device_cosim, self);
    else
        __real_device_reset(self);
}

void __wrap_device(struct device *self, const struct device_in *in)
{
    struct dut *d = find(self);
    if (d)
        dut_step(d, in);
    else
        __real_device(self, in);
}

int __wrap_tap_done(void)
{
    uint64_t clocks = 0, mismatches = 0;
    for (unsigned i = 0; i < count; i++) {
        clocks += watched[i].clocks;
        mismatches += watched[i].mismatches + watched[i].rtl_failed;
        dut_explain(&watched[i], "/dev/null");
    }
    tap_ok(mismatches == 0 && clocks >= CLOCKS,
           "lockstep of %u devices of %d links inside the test: %" PRIu64 " clocks", count,
           RTR_LINKS, clocks);
    return __real_tap_done();
}
