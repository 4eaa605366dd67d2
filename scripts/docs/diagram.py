# SPDX-License-Identifier: Apache-2.0
"""
diagram.py - the block diagram of a module: its instances and what runs between them, read from the generated Verilog, drawn by
Graphviz. A wire that other wires are computed from is followed to where it comes from.
"""

import re
import subprocess

WORD = re.compile(r"\b[a-zA-Z_]\w*\b")
INSTANCE = re.compile(r"^ +(\w+) (?:u_)?(\w+) \(\n(.*?)^ +\);", re.S | re.M)
PORT = re.compile(r"\.(\w+)\((.*?)\)(?=,?\n)", re.S)
ASSIGN = re.compile(r"^\s+(?:wire [^;=]*?|assign |if \(.*\) )?(\w+)(?:\[[^\]]*\])? (?:<?=) ([^;]*);", re.M)
COMMON = ("clk", "rst", "hls_state")


class Module:
    """What the text of a module says of its instances; children: JSON of the modules that they are."""

    def __init__(self, text, info, children):
        self.counts = {i["name"]: (i["module"], i["count"]) for i in info["instances"]}
        self.inputs = {p["name"] for p in info["inputs"]}
        self.outputs = {p["name"]: p.get("forwarded_from") for p in info["outputs"]}
        self.drives = {m: {p["name"] for p in child["outputs"]} for m, child in children.items()}
        self.computed = {}
        for net, value in ASSIGN.findall(text):
            self.computed.setdefault(net, set()).update(WORD.findall(value))
        self.ports = {}
        for _, name, body in INSTANCE.findall(text):
            if name in self.counts:
                self.ports[name] = {port: set(WORD.findall(expr)) for port, expr in PORT.findall(body)}

    def instance_of(self, net):
        """The instance whose net this is: the longest name that fits."""
        return max((n for n in self.counts if net.startswith(n + "_")), key=len, default=None)

    def sources(self, net, seen):
        """Instances, and "in", that a net comes from; through wires and registers of this module."""
        if net in seen:
            return set()
        seen.add(net)
        if net in self.computed:
            return set().union(*(self.sources(word, seen) for word in self.computed[net]))
        if net in self.inputs:
            return {"in"}
        instance = self.instance_of(net)
        return {instance} if instance else set()

    def edges(self):
        """{(from, to): names of ports}, "in" and "out" for the module's own."""
        found = {}
        for to, ports in self.ports.items():
            kind, count = self.counts[to]
            for port, nets in ports.items():
                if port in COMMON or port in self.drives[kind]:
                    continue
                for source in set().union(*(self.sources(n, set()) for n in nets)):
                    if source != to or count > 1:
                        found.setdefault((source, to), []).append(port)
        for port, net in self.outputs.items():
            for source in self.sources(net or port, set()) - {"in"}:
                found.setdefault((source, "out"), []).append(port)
        return found


def bundle(ports):
    """Names of ports, cut to what they have in common: s_axil_awaddr and s_axil_wdata are s_axil."""
    heads = []
    for port in ports:
        words = port.split("_")
        head = "_".join(words[:2]) if words[0] in ("s", "m", "rx", "tx", "to", "from") else words[0]
        if head not in heads:
            heads.append(head)
    return ", ".join(heads[:4]) + (", ..." if len(heads) > 4 else "")


CROWDED = 15  # from so many connections on the lines have no labels, and a table says what runs where


def dot(counts, edges):
    """Graphviz' text: instances and what runs between them; of a crowded module one line for both ways."""
    lines = [
        "digraph g {",
        "rankdir=LR; ranksep=0.8; nodesep=0.4;",
        # wide margins: a browser's letters are wider than those that Graphviz reckons with
        'node [shape=box, fontname="sans-serif", fontsize=13, margin="0.3,0.1", style=filled, fillcolor="#eef3fa", color="#5b7899"];',
        'edge [fontname="sans-serif", fontsize=12, color="#777777", fontcolor="#444444"];',
        'in [shape=plaintext, style="", label="in"]; out [shape=plaintext, style="", label="out"];',
    ]
    for name, (kind, count) in counts.items():
        times = f" x {count}" if count > 1 else ""
        lines.append(f'"{name}" [label="{name}{times}\\n{kind}", URL="{kind}.html"];')
    for (source, to), ports in sorted(edges.items()):
        if len(edges) < CROWDED:
            lines.append(f'"{source}" -> "{to}" [label="{bundle(ports)}"];')
        elif (to, source) not in edges:
            lines.append(f'"{source}" -> "{to}";')
        elif source <= to:
            lines.append(f'"{source}" -> "{to}" [dir=both];')
    return "\n".join(lines + ["}"])


def drawn(info, text, children):
    """The diagram as SVG, and the rows of the table that it wants beside it: from, to, ports; nothing for a module without instances."""
    if not info["instances"]:
        return "", []
    module = Module(text, info, children)
    edges = module.edges()
    made = subprocess.run(["dot", "-Tsvg"], input=dot(module.counts, edges), capture_output=True, text=True, check=True).stdout
    made = made[made.index("<svg") :]
    width = int(re.match(r'<svg width="(\d+)pt"', made)[1])
    svg = re.sub(r'<svg width="\d+pt" height="\d+pt"', f'<svg style="width: 100%; min-width: {width * 5 // 8}pt; max-width: {width}pt; height: auto"', made, count=1)
    rows = [[source, to, ", ".join(sorted(set(ports)))] for (source, to), ports in sorted(edges.items())]
    return svg, rows if len(edges) >= CROWDED else []
