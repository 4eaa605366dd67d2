// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_episodes.c - whatever happens to the links of two devices under traffic, on good cables they run again.
 *
 * Takes what test_link_episodes takes.
 *
 * Built for proto: fast.
 */
#include "tb/system/device/episode/device_episode.h"

int main(int argc, char **argv)
{
    const struct episode_options o =
        episode_options(argc, argv, 20, "build/reports/episodes-device.json");
    struct episode_result sum = {0};
    bool came = true;
    if (o.alone)
        device_episode_tell(o.seed, o.one, &sum);
    else
        came = episode_run_all(&o, device_episode_run, &sum);
    tap_ok(came, "all episodes came back");
    episode_judge(&o, &sum, EPISODE_BOUND);
    return tap_done();
}
