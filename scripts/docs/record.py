# SPDX-License-Identifier: Apache-2.0
"""
record.py - clocks that lockstep has recorded (tb/equiv/lockstep, --record), by the names of ports: timing diagrams are drawn of
these, so they show what the hardware did.

A line has rst, the inputs of a clock and the registers behind its edge. What an output shows in a clock is what its register
held behind the edge before.
"""


class Record:
    """Ports by name, clock by clock."""

    def __init__(self, path, info):
        self.places = {}
        for kind in ("inputs", "outputs"):
            for port in info[kind]:
                self.places[port["name"]] = (kind, port)
        with open(path, encoding="ascii") as file:
            self.lines = [tuple(int(word, 16) for word in line.split()) for line in file]

    def __len__(self):
        return len(self.lines)

    def value(self, name, clock):
        """What stands at the port in that clock."""
        kind, port = self.places[name]
        if kind == "outputs" and clock == 0:
            return 0
        word = self.lines[clock][1] if kind == "inputs" else self.lines[clock - 1][2]
        return word >> port["lsb"] & ((1 << port["width"] * port["count"]) - 1)

    def find(self, wanted, nth):
        """The nth clock in which all these ports have these values, from 1 on; None if there are fewer."""
        for clock in range(1, len(self)):
            if all(self.value(name, clock) == value for name, value in wanted.items()):
                nth -= 1
                if nth == 0:
                    return clock
        return None

    def text(self, name, clock):
        """A value as a person reads it: the name of an enumerator, else hex."""
        port = self.places[name][1]
        value = self.value(name, clock)
        for enumerator, number in port.get("enum", {}).items():
            if number == value:
                return enumerator
        digits = (port["width"] * port["count"] + 3) // 4
        text = f"{value:x}" if value < 16 else f"{value:0{digits}x}"
        return text if len(text) <= 9 else f"{text[:4]}…{text[-4:]}"

    def wave(self, name, first, clocks):
        """One line of WaveJSON."""
        port = self.places[name][1]
        single = port["width"] * port["count"] == 1
        wave, data, before = "", [], None
        for clock in range(first, first + clocks):
            value = self.value(name, clock)
            if value == before:
                wave += "."
            elif single:
                wave += str(value)
            else:
                wave += "="
                data.append(self.text(name, clock))
            before = value
        # one value for the whole time stands with the name, where it is seen however far the diagram is scrolled
        if len(data) == 1:
            name, data = f"{name} = {data[0]}", []
        return {"name": name, "wave": wave, "data": data}

    def wavejson(self, signals, first, clocks):
        lines = [{"name": "clk", "wave": "p" + "." * (clocks - 1)}]
        longest = max(len(self.text(s, c)) for s in signals for c in range(first, first + clocks))
        lines += [self.wave(s, first, clocks) for s in signals]
        return {"signal": lines, "config": {"hscale": 1 + (longest > 3) + (longest > 6)}, "foot": {"tick": first}}
