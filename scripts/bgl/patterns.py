# SPDX-License-Identifier: Apache-2.0
"""Experiments 5, 6 and 8 to 12: all-to-all, a hot spot, fills, ping-pong."""
from runs import Found, escape, named, rates

SLOT, PAYLOAD = 270, 240


def symmetric(runner):
    """5: all-to-all on a symmetric torus."""
    found = Found(5, "All-to-all, symmetric")
    reports = runner.all(5, {"four": "--packets 4 --interval 1000 8x8x8", "one": "8x8x8", "xyz": "--packets 4 --interval 1000 --routing xyz 8x8x8",
                             "1 VC": "--packets 4 --interval 1000 --vcs 1 8x8x8",
                             "plane": "--within xy --packets 16 8x8x8", "line": "--within x --packets 64 8x8x8"})
    four = reports["four"]
    found.row("all-to-all, four packets a pair, percent of peak", "8x8x8", "98 %", 100 * four["peak"], (97.5, None), four["clocks"], 2)
    found.row("payload, percent", "8x8x8", "87 %", 100 * four["peak"] * PAYLOAD / SLOT, (86.5, None), four["clocks"], 2)
    found.row("hops on the escape, percent", "8x8x8", "very low", 100 * escape(four), (None, 1), four["clocks"])
    found.row("a packet a pair, percent of peak", "8x8x8", "98 %", 100 * reports["one"]["peak"], (None, None), reports["one"]["clocks"], 2)
    for name in ("xyz", "1 VC"):
        found.row(f"four packets a pair, {name}, percent of peak", "8x8x8", "less", 100 * reports[name]["peak"], (None, None), reports[name]["clocks"], 2)
    busy = {name: rates(reports[key], lambda p: sum(p["hops"]) * SLOT / 6 / 1000) for name, key in (("2 VCs", "four"), ("1 VC", "1 VC"), ("xyz", "xyz"))}
    found.plot("8x8x8, four packets a pair", "clock", "links busy", busy, "set yrange [0:1]")
    for name in ("plane", "line"):
        found.row(f"among nodes of a {name}, percent of peak", "8x8x8", "near peak", 100 * reports[name]["peak"], (95, None), reports[name]["clocks"], 2)
    return found


def asymmetric(runner):
    """6: all-to-all on a long torus, and paced."""
    found = Found(6, "All-to-all, asymmetric")
    runs = {("32x16x16", 0): "--share 32 32x16x16", ("32x16x16", -1): "--share 32 --endless 32x16x16"}
    paces = {"16x8x8": [0, 545, 550, 560, 570, 590, 620]}
    if runner.large:
        runs["64x32x32", 0] = "--share 1024 --threads 2 64x32x32"
        paces["32x16x16"] = [1100, 1120, 1140, 1180]
    for torus, list_of in paces.items():
        runs.update({(torus, pace): f"--share {32 if torus[0] == '3' else 1} --pace {pace} {torus}" for pace in list_of})
    reports = runner.all(6, runs)
    plain = reports["32x16x16", 0]
    found.row("links busy, percent", "32x16x16", "49 %", 100 * plain["links"], (44, 54), plain["clocks"], 1)
    found.row("payload, percent", "32x16x16", "44 %", 100 * plain["links"] * PAYLOAD / SLOT, (None, None), plain["clocks"], 1)
    found.row("percent of peak", "32x16x16", "74 %", 100 * plain["peak"], (None, None), plain["clocks"], 1)
    endless = reports["32x16x16", -1]
    found.row("injection FIFOs without end, percent of peak", "32x16x16", "74 %", 100 * endless["peak"], (None, None), endless["clocks"], 1)
    if runner.large:
        large = reports["64x32x32", 0]
        found.row("a 1,024th of all pairs, percent of peak", "64x32x32", "-", 100 * large["peak"], (None, None), large["clocks"], 1)
    for torus, list_of in paces.items():
        best = max((p for p in list_of if p), key=lambda p, t=torus: reports[t, p]["peak"])
        found.row(f"paced, a packet a node every {best} clocks, percent of peak", torus, "closer to peak", 100 * reports[torus, best]["peak"], (90, None), reports[torus, best]["clocks"], 1)
        found.plot(f"{torus}: all-to-all, paced", "clocks from packet to packet of a node", "of peak", {torus: [(p, reports[torus, p]["peak"]) for p in list_of if p]})
    return found


def logic(runner):
    """8: the small tori of the logic's bench, and the gap in the receivers' arbitration."""
    found = Found(8, "Tori of the logic's bench, and the one-clock gap")
    tori = {"4x4x4": "94.5, 93.4", "8x8x1": "96.7, 95.7"}
    reports = runner.all(8, {(t, g): f"{'--gap' if g else ''} --packets 4 {t}" for t in (*tori, "8x8x8") for g in (False, True)})
    for torus, sketch in tori.items():
        report = reports[torus, False]
        found.row(f"percent of peak (two sketches: {sketch})", torus, "-", 100 * report["peak"], (None, None), report["clocks"], 1)
    for torus in (*tori, "8x8x8"):
        shut, gap = reports[torus, False], reports[torus, True]
        found.row("injection's grants over a receiver that could, percent", torus, "-", 100 * shut["stolen"] / shut["injected"], (None, 2), shut["clocks"], 2)
        found.row("the same with the gap", torus, "fuller FIFOs", 100 * gap["stolen"] / gap["injected"], (None, None), gap["clocks"], 2)
        found.row("fullness with the gap over without", torus, "fuller FIFOs", gap["fullness"] / shut["fullness"], (1, None), gap["clocks"])
    all_tori = [*tori, "8x8x8"]
    fullness = {name: [(i + 1, reports[t, g]["fullness"]) for i, t in enumerate(all_tori)] for name, g in (("no gap", False), ("the gap", True))}
    found.plot("all-to-all, four packets a pair", "torus", "chunks that wait in a VC FIFO", fullness, f"set yrange [0:*]\n{named(all_tori)}")
    return found


def ping_pong(runner):
    """9: latency of a message."""
    found = Found(9, "Ping-pong, one way")
    packets = [1, 2, 4, 8, 16, 32, 64]
    runs = {(h, p): f"--pattern ping-pong --processor 65 --hops {h} --rounds 20 --packets {p} 8x8x8" for h in (1, 2, 3) for p in packets}
    reports = runner.all(9, runs)
    one_way = {key: report["clocks"] / 40 for key, report in reports.items()}
    bound = {(h, p): p * SLOT + 20 * h for h in (1, 2, 3) for p in packets}
    lines = {f"{h} hops": [(240 * p, one_way[h, p]) for p in packets] for h in (1, 2, 3)}
    lines.update({f"bound, {h} hops": [(240 * p, bound[h, p]) for p in packets] for h in (1, 3)})
    found.plot("8x8x8, one way, full packets", "bytes of payload", "clocks", lines, "set logscale xy")
    for hops in (1, 2, 3):
        found.row(f"one full packet, {hops} hops, clocks", "8x8x8", "picture lost", one_way[hops, 1], (None, None), reports[hops, 1]["clocks"], 1)
    found.row("64 packets, 1 hop, over the bound", "8x8x8", "picture lost", one_way[1, 64] / bound[1, 64], (None, None), reports[1, 64]["clocks"])
    return found


def sizes(runner):
    """10: all-to-all over the size of messages, with processors."""
    found = Found(10, "All-to-all over size, 65 clocks of a processor for a packet sent and one received")
    lengths = {"1 of 32 bytes": (1, 1), "1 of 64": (2, 1), "1 of 128": (4, 1), "1 full": (8, 1), "2 full": (8, 2), "4 full": (8, 4), "10 full": (8, 10)}
    runs = {(t, n): f"--processor 65 --chunks {c} --packets {p} {t}" for t in ("4x4x2", "8x8x8") for n, (c, p) in lengths.items()}
    reports = runner.all(10, runs)
    found.plot("all-to-all", "payload of a pair, bytes", "of peak",
               {t: [((32 * c - 16) * p, reports[t, n]["peak"]) for n, (c, p) in lengths.items()] for t in ("4x4x2", "8x8x8")}, "set logscale x\nset yrange [0:1]")
    for name, seed, wanted in (("1 of 32 bytes", "71 %", (68, 74)), ("10 full", "96 %, simulated 94", (94, 98))):
        report = reports["8x8x8", name]
        found.row(f"{name}, percent of peak", "8x8x8", seed, 100 * report["peak"], wanted, report["clocks"], 1)
    small = reports["4x4x2", "10 full"]
    found.row("10 full, percent of peak", "4x4x2", "-", 100 * small["peak"], (None, None), small["clocks"], 1)
    return found


def spots(runner):
    """11: all to a cube."""
    found = Found(11, "All outside to a cube")
    cubes = {1: (400, "92 %", 92), 2: (40, "95 %", 95), 4: (8, "95 %", 95)}
    reports = runner.all(11, {c: f"--pattern spot --cube {c} --packets {p} 8x8x8" for c, (p, _, _) in cubes.items()})
    found.plot("8x8x8, all outside to a cube", "nodes of its edge", "percent of peak",
               {"bglsim": [(c, 100 * reports[c]["peak"]) for c in cubes], "published": [(c, cubes[c][2]) for c in cubes]}, "set yrange [80:*]\nset xtics 1")
    for cube, (packets, seed, wanted) in cubes.items():
        report = reports[cube]
        found.row(f"to a cube of {cube}^3, {packets} packets a pair, percent of peak", "8x8x8", seed, 100 * report["peak"], (wanted, None), report["clocks"], 1)
    return found


def fills(runner):
    """12: line and plane fill."""
    found = Found(12, "Line and plane fill")
    reports = runner.all(12, {"line": "--pattern line --packets 4000 8x8x8", "plane": "--pattern plane --packets 8000 8x8x8", "cores": "--pattern plane --packets 8000 --processor 65 8x8x8"})
    names, published = ["line", "plane", "cores"], [99, 96, 96]
    found.plot("8x8x8, fills", "line; plane; plane with 65 clocks of a processor a packet", "percent of peak",
               {"bglsim": [(i + 1, 100 * reports[n]["peak"]) for i, n in enumerate(names)], "published": list(enumerate(published, 1))}, f"set yrange [80:*]\n{named(names)}")
    found.row("line, percent of peak", "8x8x8", "99 %", 100 * reports["line"]["peak"], (99, None), reports["line"]["clocks"], 1)
    found.row("plane, percent of peak", "8x8x8", "96 %", 100 * reports["plane"]["peak"], (96, None), reports["plane"]["clocks"], 1)
    found.row("plane, 65 clocks of a processor a packet, percent of peak", "8x8x8", "96 %", 100 * reports["cores"]["peak"], (96, None), reports["cores"]["clocks"], 1)
    return found
