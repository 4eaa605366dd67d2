# SPDX-License-Identifier: Apache-2.0
#
# machines.mk - what the project does with each machine: one of the five places that a new one needs (hls/config/README.md).

# Rooms of hls/ that a machine has: yarc is a device, without NICs; p16 is a router to
# compare with others, a16 one for networks of routers with 16 ports, formal the link at the size of proofs, protoxc the native
# chip of machined, of which no Verilog is made.
ROOMS_aries  := common axi link router nic chip
ROOMS_proto  := common axi link router nic chip board
ROOMS_protoxc := common axi link router nic chip
ROOMS_gemini := common axi link router nic chip
ROOMS_yarc   := link router chip
ROOMS_p16    := router
ROOMS_a16    := router
ROOMS_formal := link
ROOMS_seastar  := link seastar
ROOMS_seastar2 := link seastar
ROOMS_bgl    := bgl
# single modules of other rooms
ALSO_seastar  := hls/axi/axil_regs.c
ALSO_seastar2 := hls/axi/axil_regs.c
ALSO_bgl     := hls/link/lcb_link.c hls/link/lane/lane_train.c hls/axi/axil_regs.c

ROOMS_proto24 := common axi link router nic chip

# C of these rooms that a machine does not have: the link frames in micropackets, of flits of 48 bits, or in packets of 24-bit phits
# (whose links have no AXI4-Stream around them and exchange no time)
PACKET_MODE := proto24 gemini yarc
$(foreach m,$(MACHINES),$(eval OMIT_$(m) := hls/link/packet/% hls/nic/netlink/pack24% hls/nic/netlink/unpack24% hls/chip/maint/%))
$(foreach m,$(PACKET_MODE),$(eval OMIT_$(m) := hls/link/micropacket/% hls/link/lcb_axis% hls/link/lcb_fault% hls/axi/lcb_bytes% hls/axi/byte_% \
    hls/nic/netlink/pack hls/nic/netlink/pack.c hls/nic/netlink/unpack hls/nic/netlink/unpack.c hls/chip/global_clock%))
# maintenance: a supervisor, and taps for packets where there is no host
OMIT_proto24 += hls/chip/maint/%
OMIT_gemini  += hls/chip/maint/maint_tap.c
OMIT_yarc    += hls/chip/chip.c hls/chip/maint/maint_axil.c
# what make conform BLOCK=nic holds somebody's against: of the machine that it has a bench of
$(foreach m,$(filter-out proto,$(MACHINES)),$(eval OMIT_$(m) += hls/chip/endpoint.c))
# collective engines
$(foreach m,$(filter-out aries protoxc,$(MACHINES)),$(eval OMIT_$(m) += hls/nic/ce/%))
OMIT_seastar  += hls/link/lcb_axis%
OMIT_seastar2 += hls/link/lcb_axis%
# its link is in proofs alone, without lanes and what is around them
OMIT_formal += hls/link/lane/% hls/link/lcb%

# "routers" in the first comment of a test: routers to ship
ROUTERS := aries gemini yarc proto

# Sanitizers look at each block once: at those of the NIC in proto, at others in aries, and in proto what depends on sizes. In
# these, undefined behaviour traps; so it does in lockstep, where every module of aries is.
UNSANITIZED := gemini yarc p16 a16

# networks are made of these: sim/engine knows them too
SIM_MACHINES := aries a16 gemini yarc

# waveforms do not look into their tiles
LARGE := aries/router gemini/router yarc/router aries/device gemini/device yarc/device
