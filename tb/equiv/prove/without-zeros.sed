# SPDX-License-Identifier: Apache-2.0
#
# What memories hold at power-up, as rtlgen writes it, becomes empty lines: no proof looks at it, and Yosys needs minutes to
# unroll the zeros of 8,192 words.
/^    initial begin : zero_memories$/,/^    end$/s/.*//
