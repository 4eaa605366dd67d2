# SPDX-License-Identifier: Apache-2.0
"""Scores of the errors put into modules (tb/equiv/mutate), module by module: one row each, of its netlist and of its C."""

HEAD = ["module", "netlist: errors", "caught", "share", "C: errors", "caught", "share", "errors that live"]
WANTED = 0.95


def share(report):
    """Caught of all that were not proved equal; a module without any is right as it is."""
    return report["killed"] / report["mutants"] if report["mutants"] else 1.0


def rows(data):
    """Of each module the last report of either kind: (values as in HEAD, whether all shares are what is wanted)."""
    kinds = {}
    for report in data:
        kinds.setdefault(report["module"], {})[report["kind"]] = report
    table = []
    for module, of in sorted(kinds.items()):
        values, met, live = [module], True, 0
        for kind in ("rtl", "c"):
            report = of.get(kind)
            values += [report["mutants"], report["killed"], f"{share(report):.3f}"] if report else [None] * 3
            met = met and (report is None or share(report) >= WANTED)
            live += len(report["survivors"]) if report else 0
        table.append((values + [live], met))
    return table
