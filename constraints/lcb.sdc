# SPDX-License-Identifier: Apache-2.0
#
# lcb.sdc - timing constraints of the link control block (lcb, lcb_axis) on its own.
#
# One clock; all ports are synchronous to it, all outputs are registers, inputs may stand behind a
# multiplexer inside, so the surroundings get half of the period each way. Plain SDC commands only.
# nextpnr-ice40 takes the clock rate by --freq instead. The crossing to the recovered clocks belongs
# to the SerDes wrapper and is constrained there.

create_clock -name clk -period 10.0 [get_ports clk]
set_input_delay  5.0 -clock clk [all_inputs]
set_output_delay 5.0 -clock clk [all_outputs]
