# SPDX-License-Identifier: Apache-2.0
"""Experiments 1 to 4 and 7: response time over load, throughput over time in a hot region."""
from runs import Found, escape, rates

HOT = "--pattern hot --interval 10000"


def mean(values):
    """Of some numbers."""
    values = list(values)
    return sum(values) / len(values)


def level(points, of=0.25):
    """Mean of the last part of a series."""
    return mean(y for _, y in points[-max(1, int(len(points) * of)):])


def decline_end(points):
    """The clock in which a series has fallen from its maximum nine tenths of the way to its level."""
    most, last = max(y for _, y in points), level(points)
    top = [y for _, y in points].index(most)
    return next(x for x, y in points[top:] if y <= last + 0.1 * (most - last))


def responses(runner):
    """1: response time over utilisation."""
    found = Found(1, "Response time over utilisation, random destinations")
    designs = {"xyz": "--routing xyz", "1 VC, 1 path": "--vcs 1 --paths 1", "1 VC, 2 paths": "--vcs 1 --paths 2", "2 VCs, 2 paths": "", "4 VCs, 4 paths": "--vcs 4 --paths 4"}
    small = runner.all(1, {d: f"--arbitration base {o} 8x8x8" for d, o in designs.items()})
    for design, report in small.items():
        found.row(f"all-to-all, {design}", "8x8x8", "-", report["peak"], (None, None), report["clocks"])
    peaks = [r["peak"] for r in small.values()]
    clocks = sum(r["clocks"] for r in small.values())
    found.row("xyz, 1-1, 1-2, 2-2 in this order", "8x8x8", "order", peaks[:4] == sorted(peaks[:4]), "this order", clocks)
    found.row("4 VCs, 4 paths over 2 VCs, 2 paths", "8x8x8", "hardly more", peaks[4] / peaks[3], (0.97, 1.03), clocks)
    loads = [0.3, 0.5, 0.65, 0.8, 0.9, 0.97]
    torus = "32x32x32" if runner.large else "16x16x16"
    runs = {(d, load): f"--pattern random --arbitration base --warmup 10000 --clocks 10000 --load {load} {o} {torus}" for d, o in designs.items() for load in loads}
    reports = runner.all(f"1-{torus}", runs)
    found.plot(f"{torus}, random destinations", "links busy", "response time, clocks",
               {d: [(reports[d, load]["fullest"], reports[d, load]["response"]) for load in loads] for d in designs}, "set logscale y")
    busy = [reports[d, loads[-1]]["fullest"] for d in designs]
    clocks = 20000 * len(runs)
    for design, share in zip(designs, busy):
        found.row(f"links busy at offered 0.97, {design}", torus, "-", share, (None, None), 20000)
    found.row("xyz, 1-1, 1-2, 2-2 in this order", torus, "order", busy[:4] == sorted(busy[:4]), "this order", clocks)
    found.row("4 VCs, 4 paths over 2 VCs, 2 paths", torus, "hardly more", busy[4] / busy[3], (0.97, 1.03), clocks)
    return found


def buffers(runner):
    """2: a hot region with three sizes of VC FIFOs."""
    found = Found(2, "Throughput over time, a quarter of the packets to an eighth of the nodes")
    sizes = [512, 1024, 2048]
    reports = runner.all(2, {s: f"{HOT} --arbitration base --fifo {s} --warmup 150000 --clocks 50000 16x16x16" for s in sizes})
    series = {s: rates(reports[s]) for s in sizes}
    found.plot("16x16x16, hot region", "clock", "packets of a node and 1,000 clocks", {f"{s} bytes": series[s] for s in sizes}, "set yrange [0:*]")
    levels = [level(series[s]) for s in sizes]
    ends = [decline_end(series[s]) for s in sizes]
    for size, at, end in zip(sizes, levels, ends):
        found.row(f"level, {size} bytes", "16x16x16", "-", at, (None, None), 200000)
        found.row(f"clock in which the decline ends, {size} bytes", "16x16x16", "-", end, (None, None), 200000)
        found.row(f"links into the region busy, {size} bytes", "16x16x16", "95 %", 100 * reports[size]["entries"], (90, 98), 50000, 1)
    found.row("levels over the least", "16x16x16", "approximately equal", max(levels) / min(levels), (None, 1.03), 200000)
    found.row("declines end in the order of sizes", "16x16x16", "order", ends == sorted(ends), "this order", 200000)
    return found


def shortest(runner):
    """3: join the shortest queue."""
    found = Found(3, "JSQ in light traffic")
    loads = [0.5, 0.7, 0.8, 0.9, 0.95]
    reports = runner.all(3, {(a, x): f"--pattern random --arbitration {a} --load {x} --warmup 50000 --clocks 100000 8x8x8" for a in ("base", "jsq", "slq", "both") for x in loads})
    found.plot("8x8x8, random destinations", "links busy", "response time, clocks",
               {a: [(reports[a, x]["fullest"], reports[a, x]["response"]) for x in loads] for a in ("base", "jsq", "slq", "both")})
    base, jsq = reports["base", 0.95]["response"], reports["jsq", 0.95]["response"]
    found.row("response time, base", "8x8x8", "-", base, (None, None), 100000, 0)
    found.row("response time, JSQ", "8x8x8", "-", jsq, (None, None), 100000, 0)
    found.row("JSQ shorter by, percent", "8x8x8", "20 %", 100 * (1 - jsq / base), (15, 25), 100000, 1)
    return found


def longest(runner):
    """4: serve the longest queue."""
    found = Found(4, "SLQ in a hot region")
    policies = ["base", "jsq", "slq", "both"]
    reports = runner.all(4, {a: f"{HOT} --arbitration {a} --warmup 150000 --clocks 50000 16x16x16" for a in policies})
    series = {a: rates(reports[a]) for a in policies}
    found.plot("16x16x16, hot region", "clock", "packets of a node and 1,000 clocks", series, "set yrange [0:*]")
    levels = {a: level(series[a]) for a in policies}
    ends = {a: decline_end(series[a]) for a in policies}
    for a in policies:
        found.row(f"level, {a}", "16x16x16", "-", levels[a], (None, None), 200000)
        found.row(f"clock in which the decline ends, {a}", "16x16x16", "-", ends[a], (None, None), 200000)
        found.row(f"hops on the escape, {a}", "16x16x16", "-", escape(reports[a]), (None, None), 50000)
    found.row("SLQ's decline ends after base's", "16x16x16", "slowest", ends["slq"] >= max(ends["base"], ends["jsq"]), "this order", 200000)
    found.row("JSQ's level over base's", "16x16x16", "little benefit", levels["jsq"] / levels["base"], (0.95, 1.05), 200000)
    found.row("SLQ's level over base's", "16x16x16", "near the same", levels["slq"] / levels["base"], (0.95, None), 200000)
    return found


def correlation(xs, ys):
    """Of two lists."""
    mx, my = mean(xs), mean(ys)
    both = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    return both / (sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys)) ** 0.5


def escapes(runner):
    """7: escape VCs."""
    found = Found(7, "Escape VCs: a pair with a dateline, or a bubble")
    designs = {f"{e}, {o} order": f"--escape {e} --order {o}" for e in ("pair", "bubble") for o in ("dimension", "direction")}
    reports = runner.all(7, {d: f"{HOT} --arbitration base --warmup 350000 --clocks 50000 {o} 16x16x16" for d, o in designs.items()})
    series = {d: rates(r) for d, r in reports.items()}
    found.plot("16x16x16, hot region at (0, 0, 0)", "clock", "packets of a node and 1,000 clocks", series, "set yrange [0:*]")
    for design in ("pair, dimension order", "bubble, dimension order"):
        report = reports[design]
        by_vc = {f"VC {v}" if v < 4 else f"escape {v - 4}": rates(report, lambda p, v=v: p["hops"][v]) for v in (0, 1, 4, 5)}
        found.plot(f"{design}: throughput by VC", "clock", "hops of a node and 1,000 clocks", by_vc)
    bubble = [y for x, y in series["bubble, dimension order"] if x >= 100000]
    pair = [y for x, y in series["pair, dimension order"] if x >= 50000]
    away = max(max(bubble) / mean(bubble) - 1, 1 - min(bubble) / mean(bubble))
    found.row("bubble behind clock 100,000: most away from its mean, percent", "16x16x16", "steady", 100 * away, (None, 10), 400000, 1)
    found.row("pair's least over the bubble's mean", "16x16x16", "falls in waves", min(pair) / mean(bubble), (None, 0.6), 400000)
    for design, points in series.items():
        found.row(f"level of the last quarter, {design}", "16x16x16", "-", level(points), (None, None), 400000)
    for design in series:
        report = reports[design]
        share = [p["unblocking"] / max(1, p["freeing"]) for p in report["series"][2:-1]]
        found.row(f"correlation of throughput and acks that let a packet go, {design}", "16x16x16", "varies directly (pair)",
                  correlation(share, [y for _, y in series[design][2:]]), (0.7, None) if design.startswith("pair, dim") else (None, None), 400000)
        found.plot(f"{design}: acks that let a waiting packet go", "clock", "share",
                   {"share": [(p["clock"], p["unblocking"] / max(1, p["freeing"])) for p in report["series"][:-1]],
                    "throughput over its most": [(x, y / max(y for _, y in series[design])) for x, y in series[design]]})
    return found
