#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
docs.py BLOCKS.json OUT - pages for those who build something with a block: what it is, clock and reset, ports, what may wait for what, a
block diagram, timing diagrams of recorded clocks, registers. One page for each entry of BLOCKS.json.

Reads build/rtl/SET/MODULE.json and .v, OUT/record/MODULE-TEST.txt (scripts/docs.sh records them), and what has been
measured: build/reports/synth-*.json, pnr-*.json. Exit status 1, and one line, if something of that does not fit.
"""

import glob
import html
import json
import pathlib
import sys

import wavedrom

import diagram
import record

STYLE = """
body { font: 15px/1.5 sans-serif; max-width: 76em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: .5em 0 1.5em } th, td { text-align: left; padding: .15em .8em; border-bottom: 1px solid #ddd; vertical-align: top }
th { background: #f2f4f7 } td.n { text-align: right } code { background: #f2f4f7; padding: 0 .2em } .wide { overflow-x: auto }
h2 { margin-top: 2em } nav a { margin-right: 1em }
"""


INTRODUCTION = """
<h1>Heddle: blocks</h1>
<p>Heddle describes the hardware of a supercomputer interconnect in C: the link control block (LCB), the tiled router and the NIC of the Cray Aries
generation. <code>rtlgen</code> lowers the C to Verilog-2005. These pages are for those who build with that Verilog: each has the ports of a block,
what may wait for what, a block diagram, recorded clocks, size and registers.</p>
<h2>Where to begin</h2>
<table><tr><th>you want</th><th>begin with</th><th>then</th></tr>
<tr><td>a reliable link between two FPGAs</td><td><a href="lcb_bytes.html">lcb_bytes</a>: packets of bytes on AXI4-Stream</td><td><a href="lcb_axis.html">lcb_axis</a> for flits, <a href="lcb.html">lcb</a> for its own ports</td></tr>
<tr><td>a router</td><td><a href="router.html">router</a>, with its links <a href="device.html">device</a></td><td><a href="tile.html">tile</a>, <a href="input_queue.html">input_queue</a></td></tr>
<tr><td>a NIC behind a host's AXI4</td><td><a href="nic.html">nic</a></td><td><a href="nic_regs.html">nic_regs</a>, <a href="netlink.html">netlink</a></td></tr>
<tr><td>all of it as one chip</td><td><a href="chip.html">chip</a></td><td><a href="registers/chip/index.html">its registers</a></td></tr>
<tr><td>a register bus behind AXI4-Lite</td><td><a href="axil_regs.html">axil_regs</a></td><td></td></tr></table>
<p>The Verilog: <code>make rtl</code>, or <code>make dist</code> for a tarball with FuseSoC cores. The contract of each block, stage by stage, is in the README
of its folder, which its page names.</p>
"""


def fail(why):
    sys.exit(f"docs.py: {why}")


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def page(title, body):
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def table(head, rows):
    cells = "".join(f"<th>{h}</th>" for h in head)
    lines = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>\n" for row in rows)
    return f"<table><tr>{cells}</tr>\n{lines}</table>\n"


def port_rows(info, kind, way):
    for p in info[kind]:
        if p.get("unread"):
            continue
        width = p["width"] * p["count"]
        parts = f" ({p['count']} x {p['width']})" if p["count"] > 1 else ""
        values = ", ".join(f"{k} = {v}" for k, v in p.get("enum", {}).items())
        says = html.escape("; ".join(s for s in (p.get("doc", ""), values) if s))
        yield [f"<code>{p['name']}</code>", way, f"{width}{parts}", p.get("reset", ""), says]


def ports(info):
    rows = [
        ["<code>clk</code>", "in", "1", "", "all registers, rising edge"],
        ["<code>rst</code>", "in", "1", "", "synchronous, active high; one clock is enough"],
        *port_rows(info, "inputs", "in"),
        *port_rows(info, "outputs", "out"),
    ]
    return table(["port", "", "bits", "after reset", "says"], rows)


def timing(block, info, one, out):
    path = f"{out}/record/{block['module']}-{one['test']}.txt"
    if not pathlib.Path(path).exists():
        fail(f"{path} is missing; make docs records it")
    clocks = record.Record(path, info)
    unknown = [s for s in [*one["signals"], *one["from"]] if s not in clocks.places]
    if unknown:
        fail(f"{block['module']} has no port {unknown[0]}, which a timing diagram wants")
    at = clocks.find(one["from"], one["nth"])
    if at is None:
        fail(f"{block['module']}, {one['title']}: {one['from']} is not recorded {one['nth']} times")
    first = max(at - one["before"], 0)
    length = min(one["clocks"], len(clocks) - first)
    drawn = wavedrom.render(json.dumps(clocks.wavejson(one["signals"], first, length))).tostring()
    return f"<h3>{html.escape(one['title'])}</h3>\n<p>Recorded in <code>{one['test']}</code>, from clock {first} on.</p><div class=\"wide\">{drawn}</div>\n"


def measured(block):
    """Size and clock rate, as far as they have been measured."""
    rows = []
    prefix = "" if block["set"] == "aries" else block["set"] + "-"
    for path in sorted(glob.glob(f"build/reports/synth-{block['set']}-{block['module']}-*.json")):
        r = read_json(path)
        rows.append([f"Yosys, {r['target']}", r["lut"], r["ff"], r["bram"], ""])
    for path in sorted(glob.glob(f"build/reports/pnr-{prefix}{block['module']}-*.json")):
        r = read_json(path)
        rates = ", ".join(f"{f:.0f}" for f in r["fmax_mhz"])
        device = path.rsplit("-", 1)[1].removesuffix(".json")
        rows.append([f"place and route, {device}", r["lut"], r["ff"], r["bram"], rates])
    if not rows:
        return f"<p>Not measured here yet: <code>make synth MODULE={block['module']} MACHINE={block['set']}</code>, <code>make pnr MODULE={block['module']}</code>.</p>"
    return table(["by", "LUT4", "flip-flops", "block RAM", "MHz, by seed"], rows)


def block_page(block, out):
    base = pathlib.Path(f"build/rtl/{block['set']}/{block['module']}")
    info = read_json(f"{base}.json")
    body = [
        "<nav><a href=\"index.html\">all blocks</a></nav>",
        f"<h1>{html.escape(block['title'])}: <code>{block['module']}</code></h1>",
        f"<p>{html.escape(info['doc'])}</p>",
        f"<p>Source <code>{info['file']}</code>, contract {', '.join(f'<code>{r}</code>' for r in block['read'])}, "
        f"Verilog <code>{base}.v</code>, files <code>{base}.f</code>.</p>",
        "<h2>Clock and reset</h2><p>One clock. All outputs are registers, so they change behind its rising edge alone. "
        "Memories are not reset; what needs it is wiped after a reset, by the block itself.</p>",
        "<h2>What may wait for what</h2><ul>" + "".join(f"<li>{html.escape(w)}</li>" for w in block["may_wait"]) + "</ul>",
    ]
    children = {i["module"]: read_json(f"build/rtl/{block['set']}/{i['module']}.json") for i in info["instances"]}
    drawn, connections = diagram.drawn(info, pathlib.Path(f"{base}.v").read_text(encoding="utf-8"), children)
    if drawn:
        body.append(f"<h2>Blocks</h2><div class=\"wide\">{drawn}</div>")
    if connections:
        body.append(f"<details><summary>What runs where: {len(connections)} connections</summary>{table(['from', 'to', 'ports'], connections)}</details>")
    if block["timing"]:
        body.append("<h2>Timing</h2>" + "".join(timing(block, info, one, out) for one in block["timing"]))
    body += ["<h2>Ports</h2>", ports(info), "<h2>Size and clock rate</h2>", measured(block)]
    if "registers" in block:
        body.append(f"<h2>Registers</h2><p><a href=\"registers/{block['registers']}/index.html\">{block['registers']}.rdl</a></p>")
    return page(block["title"], "\n".join(body))


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: docs.py BLOCKS.json OUT")
    blocks = read_json(sys.argv[1])
    out = pathlib.Path(sys.argv[2])
    rows = []
    for block in blocks:
        (out / f"{block['module']}.html").write_text(block_page(block, out), encoding="utf-8")
        rows.append([f"<a href=\"{block['module']}.html\">{block['module']}</a>", html.escape(block["title"]), block["set"]])
    maps = "".join(f"<li><a href=\"registers/{m}/index.html\">{m}</a></li>" for m in ("chip", "lcb", "tile", "nic"))
    body = (INTRODUCTION + "<h2>All blocks</h2>" + table(["block", "", "machine"], rows) + f"<h2>Registers</h2><ul>{maps}</ul>"
            "<h2>Figures</h2><p>What is measured, with plots: <a href=\"../reports/index.html\">the report</a> (<code>make report</code>).</p>")
    (out / "index.html").write_text(page("Heddle: blocks", body), encoding="utf-8")


if __name__ == "__main__":
    main()
