// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_episodes.c - whatever happens to a link, on a good cable it runs again.
 *
 *     build/tb/test_link_episodes                                  300 episodes, with sanitizers
 *     build/bin/episodes --episodes 1e5 --jobs 2 --seed 7          many, without
 *     build/bin/episodes --episode 17 --seed 7                     one of them again, line by line
 *
 * Built for aries: san.
 */
#include <inttypes.h>

#include "tb/system/link/episode/episode.h"

int main(int argc, char **argv)
{
    const struct episode_options o =
        episode_options(argc, argv, 300, "build/reports/episodes.json");
    struct episode_result sum = {0};
    bool came = true;
    if (o.alone)
        episode_tell(o.seed, o.one, &sum);
    else
        came = episode_run_all(&o, episode_run, &sum);
    /* holds link.disorder */
    tap_ok(came, "all episodes came back");
    tap_ok(o.alone || sum.timeouts > 0, "the replay timeout fired: %" PRIu64, sum.timeouts);
    episode_judge(&o, &sum, EPISODE_BOUND);
    return tap_done();
}
