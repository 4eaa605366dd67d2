# SPDX-License-Identifier: Apache-2.0
"""What the paper's text says of its figures 2 to 11, by experiment; the pictures themselves are not at hand."""

SAID = {
    1: ["Figure 2 (32K nodes): dynamic routing responds far sooner than deterministic; more dynamic VCs help little without more paths; 4 VCs with 4 paths are hardly better than 2 with 2."],
    2: ["Figure 3 (4K nodes, VC FIFOs of 512 B, 1 KB, 2 KB): throughput rises, falls while FIFOs fill, sooner the smaller they are, and stays at about one level; "
        "links into the hot region are busy for about 95 %."],
    3: ["Figure 4 (32K nodes): SLQ helps little in light traffic; JSQ shortens the response time by about 20 % where links are busy for 95 %."],
    4: ["Figure 5 (4K nodes, hot region): all policies settle near one level; the decline is slowest with SLQ in 75 % of the clocks; JSQ helps little."],
    5: ["Figure 6: links are busy for about 98 % of an all-to-all, payload for 87 %; dynamic routing beats deterministic; a second dynamic VC helps marginally; "
        "planes and lines come near their peak, too."],
    6: ["Text, no figure (32x16x16): links busy for 49 %, payload 44 %, which is 74 % of peak; pacing by software is believed to come closer."],
    7: ["Figure 7: throughput of the dateline pair in dimension order falls steeply, rises, and falls again; the bubble is steady.",
        "Figure 8: by VC and for longer, the waves go on, and much of the traffic is on the escape VCs.",
        "Figure 9: the share of token-acks that let a blocked packet move goes up and down with the throughput of the pair; of the bubble it is about constant."],
    8: ["Text, no figure (4x4x4, 8x8x1): logic and simulator agree within 2 %; a gap of one clock in the receivers' arbitration let injected packets in and filled the VC FIFOs."],
    9: ["Figure 10: latency of one way over the size of the message for 1, 2 and 3 hops, and the network's bound below each; the text has no numbers."],
    10: ["Figure 11 (4x4x2, 8x8x8): 71 % of peak with one packet of 32 bytes, 96 % with ten full ones (94 % simulated), over 98 % with long messages."],
    11: ["Text, no figure: 92 % of peak to one node, 95 % to cubes of 2 and of 4 nodes an edge."],
    12: ["Text, no figure: line fill over 99 %, plane fill over 96 % of peak."],
}
