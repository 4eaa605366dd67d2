# SPDX-License-Identifier: Apache-2.0
#
# cosim.mk - from C to a program that runs a module natively and as RTL side by side.
#
#   hls/<room>/M.c --rtlgen--> build/rtl/<set>/M.v, M.json, M_shim.[ch], M_raw.cpp, M_tb.v
#   M.v, M_raw.cpp --Verilator, clang++--> build/verilated/<set>/M/model.o; waves.o with waveforms
#   hls/<room>/*.c, M_shim.c --clang--> build/native/<set>.a
#   all of it and build/tb/lockstep.a (tb/equiv/lockstep/lockstep.c) --> build/cosim/<set>/M

HLS_HEADERS := $(shell find hls -name '*.h' -o -name '*.inc')

MACHINES  := $(filter-out machine lcb_micropacket lcb_packet lcb_seastar head_48 nic_small,$(patsubst hls/config/%.h,%,$(wildcard hls/config/*.h)))
include scripts/make/machines.mk
ifeq ($(filter $(MACHINE),$(MACHINES)),)
$(error there is no machine "$(MACHINE)"; MACHINE= one of: $(MACHINES))
endif

# $(call room_c,rooms): the C of these rooms of hls/ and of those in them
room_c    = $(foreach r,$(1),$(filter-out hls/$(r)/formal/%,$(wildcard hls/$(r)/*.c hls/$(r)/*/*.c)))
machine_c = $(filter-out $(OMIT_$(1)),$(call room_c,$(ROOMS_$(1)))) $(ALSO_$(1))
# hls/config/machine.h takes the machine from this; aries without
$(foreach m,$(filter-out aries,$(MACHINES)),$(eval FLAGS_$(m) := -DMACHINE_$(shell tr a-z A-Z <<<$(m))=1))
machine_flags   = $(FLAGS_$(1))

# rooms of no machine: a set each
FREE      := example lib
free_c     = $(wildcard hls/$(1)/*.c) $(ALSO_$(1))
# modules of machines that they use
ALSO_example := hls/board/uart_rx.c hls/board/uart_tx.c
# the set of free rooms that MODULE is in: its file, or the .c of the header that gives a template this name
free_set   = $(patsubst hls/%/,%,$(sort $(dir $(wildcard $(FREE:%=hls/%/$(1).c)) $(if $(1),$(shell \
    grep -lsE '^#define [A-Z]+ +$(1)$$' $(FREE:%=hls/%/*.h))))))
# features, a room of tests for each subject; those in err are refused
TEST_C    := $(filter-out $(addprefix rtl_gen/test/,err/% hand/% ub/% words/%),$(wildcard rtl_gen/test/*/*.c))
TEST_X    := $(patsubst %.c,%,$(notdir $(TEST_C)))

# C of the blocks that were also written by hand: their set is test/hand/<x>
HAND_X    := $(filter-out %_record,$(patsubst rtl_gen/test/hand/%.c,%,$(wildcard rtl_gen/test/hand/*.c)))

# A module whose C is undefined for some inputs, in lockstep; run.sh has those of which the RTL runs alone.
UB_X      := traps trap_memory

SETS := $(filter-out formal protoxc,$(MACHINES)) $(filter formal,$(MACHINE)) $(FREE) $(TEST_X:%=test/%) \
    $(HAND_X:%=test/hand/%) $(UB_X:%=test/ub/%)

# ---- lowering ------------------------------------------------------------------------------------

# the set of MODULE, from where its C stands; the machine's own modules need not be named so
NAMED_SET := $(or $(call free_set,$(MODULE)),$(if $(filter $(MODULE),$(TEST_X)),test/$(MODULE)),$\
    $(if $(filter $(MODULE),$(HAND_X)),test/hand/$(MODULE)),$(if $(filter $(MODULE),$(UB_X)),test/ub/$(MODULE)),$(MACHINE))

.PHONY: _rtl _rtl_machine _rtl_demo _rtl_named _sv _sv_named
_rtl: $(SETS:%=build/rtl/%/done) ; @:
_rtl_machine: build/rtl/$(MACHINE)/done ; @:
_rtl_demo: build/rtl/aries/done build/rtl/bgl/done build/rtl/proto/done build/rtl/proto24/done build/rtl/seastar2/done ; @:
_rtl_named: build/rtl/$(NAMED_SET)/done ; @:
_sv: $$(addsuffix /done,$$(addprefix build/rtl/sv/,$$(SV_SETS))) ; @:
_sv_named: build/rtl/sv/$(NAMED_SET)/done ; @:

# $(call lower,set flags): the C among the prerequisites
lower = @RTLGEN=$(RTLGEN) scripts/rtl.sh build/rtl/$(1) $(filter %.c,$^)

define machine_rtl
build/rtl/$(1)/done: $(call machine_c,$(1)) $(HLS_HEADERS) $(RTLGEN) scripts/rtl.sh
	$$(call lower,$(1) $(call machine_flags,$(1)))
endef
$(foreach m,$(MACHINES),$(eval $(call machine_rtl,$(m))))

# The same in SystemVerilog, make rtl SV=yes: the types of the ports in one package for each set.
define machine_sv
build/rtl/sv/$(1)/done: $(call machine_c,$(1)) $(HLS_HEADERS) $(RTLGEN) scripts/rtl.sh
	$$(call lower,sv/$(1) --sv $(1)_pkg $(call machine_flags,$(1)))
endef
$(foreach m,$(MACHINES),$(eval $(call machine_sv,$(m))))

# the modules of a machine under names that no other set has: make rtl PREFIX=
build/prefixed/$(MACHINE)/$(PREFIX)/done: $(call machine_c,$(MACHINE)) $(HLS_HEADERS) $(RTLGEN) scripts/rtl.sh
	@RTLGEN=$(RTLGEN) scripts/rtl.sh $(@D) --prefix $(PREFIX) $(call machine_flags,$(MACHINE)) $(filter %.c,$^)
build/prefixed/sv/$(MACHINE)/$(PREFIX)/done: $(call machine_c,$(MACHINE)) $(HLS_HEADERS) $(RTLGEN) scripts/rtl.sh
	@RTLGEN=$(RTLGEN) scripts/rtl.sh $(@D) --prefix $(PREFIX) --sv $(PREFIX)pkg $(call machine_flags,$(MACHINE)) $(filter %.c,$^)

# what make dist brings recorded clocks of
RECORDED_DIST := $(if $(filter aries proto,$(MACHINE)),axil_regs lcb lcb_bytes,row_buffer)
.PHONY: _dist
_dist: $(RECORDED_DIST:%=build/cosim/$(MACHINE)/%)
	@RECORDED="$(RECORDED_DIST)" scripts/dist.sh

$(FREE:%=build/rtl/%/done): build/rtl/%/done: $$(call free_c,$$*) $(HLS_HEADERS) $(RTLGEN) scripts/rtl.sh
	$(call lower,$*)

$(FREE:%=build/rtl/sv/%/done): build/rtl/sv/%/done: $$(call free_c,$$*) $(HLS_HEADERS) $(RTLGEN) scripts/rtl.sh
	$(call lower,sv/$* --sv $(*F)_pkg)

# "test/x", "test/hand/x": its C
test_c = $(or $(filter %/$(1).c,$(TEST_C)),rtl_gen/test/$(1).c)

build/rtl/test/%/done: $$(call test_c,$$*) $(wildcard rtl_gen/test/*/*.inc hls/lib/*.inc hls/lib/*.h) hls/hls.h $(RTLGEN) \
    scripts/rtl.sh
	$(call lower,test/$*)

build/rtl/sv/test/%/done: $$(call test_c,$$*) $(wildcard rtl_gen/test/*/*.inc hls/lib/*.inc hls/lib/*.h) hls/hls.h $(RTLGEN) \
    scripts/rtl.sh
	$(call lower,sv/test/$* --sv $(*F)_pkg)

# loads and stores of BRAMs are announced to tb/equiv/lockstep/memwatch.c
WATCH := -fsanitize-coverage=func,trace-loads,trace-stores

# ---- the native side -----------------------------------------------------------------------------

# $(call machine_native,machine,folder of hls/)
define machine_native
build/native/$(1)/%.o: $(2)%.c
	$$(call compile,$$(CLANG) $$(C23) -O2 $$(TRAP) $$(WATCH) $$(INCLUDES) $(call machine_flags,$(1)))
endef
$(foreach m,$(MACHINES),$(foreach f,$(sort $(dir $(call machine_c,$(m)))),$(eval $(call machine_native,$(m),$(f)))))
$(foreach m,$(MACHINES),$(eval NATIVE_$(m) := \
    $(patsubst %.c,build/native/$(m)/%.o,$(notdir $(call machine_c,$(m))))))

# What only pattern rules name is kept; not by .SECONDARY, to which a target whose source was moved is up to date.
.PRECIOUS: $(foreach m,$(MACHINES),build/native/$(m)/%.o build/shim/$(m)/%.o)
.PRECIOUS: $(FREE:%=build/native/%/%.o) build/native/test/%.o build/native/%.a build/shim/%.o build/verilated/%/model.o build/verilated/%/waves.o

# $(call free_native,room)
define free_native
$(foreach f,$(sort $(dir $(call free_c,$(1)))),build/native/$(1)/%.o: $(f)%.c
	$$(call compile,$$(CLANG) $$(C23) -O2 $$(TRAP) $$(WATCH) $$(INCLUDES))
)
NATIVE_$(1) := $(patsubst %.c,build/native/$(1)/%.o,$(notdir $(call free_c,$(1))))
endef
$(foreach r,$(FREE),$(eval $(call free_native,$(r))))

build/native/test/%.o: $$(call test_c,$$*)
	$(call compile,$(CLANG) $(C23) -O2 $(TRAP) $(WATCH) $(INCLUDES))

# An archive, because the shim of a module that is declared in a .c file includes that file.
build/native/%.a: $$(or $$(NATIVE_$$*),build/native/$$*.o)
	@mkdir -p $(@D); rm -f $@.part; ar rcs $@.part $^ && mv $@.part $@

# The shim of a module that is declared in a .c file has its C in it; others only pack, and take long to optimise.
build/shim/%.o: build/rtl/%_shim.c
	$(call compile,$(CLANG) $(C23) -O2 $(TRAP) $(WATCH) $(INCLUDES) -I$(<D))

# $(call machine_shim,machine)
define machine_shim
build/shim/$(1)/%.o: build/rtl/$(1)/%_shim.c
	$$(call compile,$$(CLANG) $$(C23) -O1 $$(INCLUDES) $(call machine_flags,$(1)) -I$$(<D))
endef
$(foreach m,$(MACHINES),$(eval $(call machine_shim,$(m))))

# ---- the Verilated side --------------------------------------------------------------------------

VERILATOR_INC  := /usr/share/verilator/include
VERILATED_OBJ  := verilated verilated_dpi verilated_fst_c verilated_threads
# clang takes less time for these than g++, and they run as fast; a loop without an end is to hang, not to be left out
VERILATOR_CXX   = clang++-19 -std=gnu++17 -O1 -fno-finite-loops -faligned-new -fcf-protection=none -DVL_USER_FINISH \
    -DVM_COVERAGE=0 -DVM_SC=0 -isystem $(VERILATOR_INC) -isystem $(VERILATOR_INC)/vltstd
NO_WAVES       := -DVM_TRACE=0
WAVES          := -DVM_TRACE=1 -DVM_TRACE_FST=1

build/verilated/runtime/%.o: $(VERILATOR_INC)/%.cpp
	$(call compile,$(VERILATOR_CXX) $(WAVES))

# What every model includes first, precompiled: reading it takes longer than most models.
VERILATED_PCH := build/verilated/runtime/common.h
WAVES_PCH     := build/verilated/runtime/waves.h
$(VERILATED_PCH).pch: $(VERILATOR_INC)/verilated.h scripts/make/cosim.mk
	@echo "  c++     $@"; mkdir -p $(@D); echo '#include "verilated.h"' >$(VERILATED_PCH)
	@$(VERILATOR_CXX) $(NO_WAVES) -x c++-header $(VERILATED_PCH) -o $@.part && mv $@.part $@
$(WAVES_PCH).pch: $(VERILATOR_INC)/verilated.h scripts/make/cosim.mk
	@echo "  c++     $@"; mkdir -p $(@D); printf '#include "%s"\n' verilated.h verilated_fst_c.h >$(WAVES_PCH)
	@$(VERILATOR_CXX) $(WAVES) -x c++-header $(WAVES_PCH) -o $@.part && mv $@.part $@
CXX_MODEL      = $(VERILATOR_CXX) $(NO_WAVES) -include-pch $(VERILATED_PCH).pch
CXX_WAVES      = $(VERILATOR_CXX) $(WAVES) -include-pch $(WAVES_PCH).pch
# for scripts that make models of their own
build/verilated/cxx: $(VERILATED_PCH).pch
	@echo '$(CXX_MODEL)' >$@.part && mv $@.part $@
build/verilated/cxx-waves: $(WAVES_PCH).pch
	@echo '$(CXX_WAVES)' >$@.part && mv $@.part $@

build/verilated/libverilated.a: $(VERILATED_OBJ:%=build/verilated/runtime/%.o)
	@rm -f $@.part; ar rcs $@.part $^ && mv $@.part $@

# What a module's model is made of: the models of those in it that have one anyhow, are many or are large.
PARTS_lcb_axis      := lcb
PARTS_lcb_bytes     := lcb_axis
PARTS_link_port     := lcb
PARTS_input_queue   := inq_store route
PARTS_tile          := input_queue output_mux subswitch
PARTS_router        := tile
PARTS_device        := router link_port
PARTS_axi_master    := axi_read axi_write
PARTS_nic_initiator := nic_fma orb pio ssid
PARTS_nic_memory    := axi_master parb iommu
PARTS_nic_target    := amo cq nic_memory npt rat rmt
PARTS_bte           := bte_ring bte_send
PARTS_ce            := ce_gather ce_fold ce_send ce_members
PARTS_nic           := bte bte_receive nic_initiator nic_target
PARTS_netlink       := nl_receive nl_send
PARTS_endpoint      := netlink nic
PARTS_chip          := device netlink nic
parts_of = $(if $(filter $(MACHINES),$(1)),$(PARTS_$(2)))

build/verilated/%/model.o: build/rtl/%.v build/rtl/%_raw.cpp scripts/verilate.sh | $(VERILATED_PCH).pch
	@echo "  verilate $*"
	@scripts/verilate.sh $@ $< $(call parts_of,$(*D),$(*F)) -- $(CXX_MODEL)

# in SystemVerilog, behind its package
build/verilated/sv/%/model.o: build/rtl/sv/%.sv build/rtl/sv/%_raw.cpp scripts/verilate.sh | $(VERILATED_PCH).pch
	@echo "  verilate sv/$*"
	@scripts/verilate.sh $@ $< -- $(CXX_MODEL)

build/verilated/sv/%/waves.o: build/rtl/sv/%.sv build/rtl/sv/%_raw.cpp scripts/verilate.sh | $(WAVES_PCH).pch
	@echo "  verilate sv/$* with waveforms"
	@scripts/verilate.sh --waves $@ $< -- $(CXX_WAVES)

# The same with waveforms, which look into all of a module but a device or router of many tiles.

build/verilated/%/waves.o: build/rtl/%.v build/rtl/%_raw.cpp scripts/verilate.sh | $(WAVES_PCH).pch
	@echo "  verilate $* with waveforms"
	@scripts/verilate.sh --waves $@ $< $(if $(filter $*,$(LARGE)),$(PARTS_$(*F))) -- $(CXX_WAVES)

# a pattern does not make what the same pattern needs: named one by one
MADE_OF_PARTS := $(patsubst PARTS_%,%,$(filter PARTS_%,$(.VARIABLES)))
define made_of_parts
build/verilated/$(1)/$(2)/model.o: $(PARTS_$(2):%=build/verilated/$(1)/%/model.o)
endef
$(foreach m,$(MACHINES),$(foreach x,$(MADE_OF_PARTS),$(eval $(call made_of_parts,$(m),$(x)))))
$(foreach l,$(LARGE),$(eval build/verilated/$(l)/waves.o: $(PARTS_$(notdir $(l)):%=build/verilated/$(dir $(l))%/model.o)))

# ---- together ------------------------------------------------------------------------------------

build/tb/lockstep/%.o: tb/equiv/lockstep/%.c
	$(call compile,$(CLANG) $(C23) -O2 $(INCLUDES))

build/tb/base/%.o: tb/base/%.c
	$(call compile,$(CLANG) $(C23) -O2 $(INCLUDES))

build/tb/sim/%.o: sim/%.c
	$(call compile,$(CC_HOST) $(C11) -O2 -I.)

# the runner, whatever the module: main() is in it
build/tb/lockstep.a: $(patsubst %,build/tb/%.o,base/info sim/base/args sim/base/program \
    $(addprefix lockstep/,lockstep options run report native compared states stimulus memwatch memnoise))
	@rm -f $@.part; ar rcs $@.part $^ && mv $@.part $@

build/cosim/%: build/tb/lockstep.a build/shim/%.o \
    build/verilated/%/model.o build/native/$$(*D).a build/verilated/libverilated.a
	$(call link,g++,-lcjson -lz -lpthread -Wl$(COMMA)--defsym=cosim_module=$(*F)_cosim)

# the same, to leave a waveform: what cosim.sh calls once something is different
build/cosim/%-waves: build/tb/lockstep.a build/shim/%.o \
    build/verilated/%/waves.o build/native/$$(*D).a build/verilated/libverilated.a
	$(call link,g++,-lcjson -lz -lpthread -Wl$(COMMA)--defsym=cosim_module=$(*F)_cosim)

# the SystemVerilog of a module, behind the shim of its Verilog
build/cosim/sv/%: build/tb/lockstep.a build/shim/%.o \
    build/verilated/sv/%/model.o build/native/$$(*D).a build/verilated/libverilated.a
	$(call link,g++,-lcjson -lz -lpthread -Wl$(COMMA)--defsym=cosim_module=$(*F)_cosim)

build/cosim/sv/%-waves: build/tb/lockstep.a build/shim/%.o \
    build/verilated/sv/%/waves.o build/native/$$(*D).a build/verilated/libverilated.a
	$(call link,g++,-lcjson -lz -lpthread -Wl$(COMMA)--defsym=cosim_module=$(*F)_cosim)

COMMA := ,

# Modules by set, as rtlgen left them: "aries/lcb_tx"
MODULES := $(patsubst build/rtl/%.json,%, \
    $(foreach set,$(SETS),$(wildcard build/rtl/$(set)/*.json)))
# In the tests: all modules of aries but tile, router, device and chip, which only make sense under traffic: tiles of three
# machines and the routers of aries and proto run so (tb/equiv/lockstep/loaded.c), two chips of proto and of proto24 (loaded_chip.c), in make soak two devices of aries;
# test_hand.sh plays those of test/hand, test-modules.sh those of test: all together but bram_collide, which reads what is
# being written, so that only lockstep knows when to draw other inputs.
TOGETHER := $(filter-out bram_collide,$(TEST_X))
TESTED  := $(filter-out $(MACHINES:%=%/%) test/hand/% $(TOGETHER:%=test/%/%),$(MODULES)) \
    $(filter-out aries/tile aries/router aries/device aries/chip,$(filter aries/%,$(MODULES))) \
    $(filter $(addprefix seastar2/ss_,router send receive engine) proto24/pkt_% proto24/lane_tx proto24/pack proto24/unpack,$(MODULES))
LOADED  := aries/loaded-tile gemini/loaded-tile yarc/loaded-tile aries/loaded-router proto/loaded-router \
    proto/loaded-chip proto24/loaded-chip
COSIMS  := $(TESTED:%=build/cosim/%) $(if $(wildcard build/rtl/yarc/done),$(LOADED:%=build/cosim/%))

# SystemVerilog: what is linted, and what runs in lockstep in the tests.
SV_LINTED := test/sv_types/sv_types example/debounce proto/lcb
SV_TESTED := test/sv_types/sv_types test/ub/traps/traps test/rst_of_child/rst_of_child proto/lcb_tx proto/subswitch proto/orb
SV_SETS   := $(sort $(patsubst %/,%,$(dir $(SV_LINTED) $(SV_TESTED))))

# Long runs of routers and networks: scripts/test/long-list.sh.
LONG_MACHINES := $(ROUTERS)
LONG_PROGRAMS := $(foreach m,$(LONG_MACHINES),build/cosim/$(m)/loaded-tile build/cosim/$(m)/loaded-router \
    build/bin/router-soak$(addprefix -,$(filter-out aries,$(m)))) $(addprefix build/bin/router-shares,-p16 -a16 -gemini -yarc) build/bin/router-shares build/cosim/aries/loaded-device build/cosim/gemini/within-test_chip build/cosim/yarc/within-test_boot $(addprefix build/cosim/,proto/loaded-chip proto24/loaded-chip) build/bin/netsim build/bin/bglsim build/bin/netcompare build/tb/test_sim_fast build/bin/failover \
    $(addprefix build/tb/,test_chip_reset-proto test_iommu test_ce test_ce_errors test_link_rate test_chip_bits-proto test_nic_states-proto test_sim_failover test_sim_attack) build/bin/deadlock build/bin/router-speed build/bin/nic-soak build/bin/nic-events build/bin/nic-soak-aries build/bin/nic-abuse build/bin/nic-abuse-aries build/bin/chip-soak build/bin/chip-attacks build/bin/chip-resets build/bin/chip-tables build/bin/machined build/tb/test_ugni_messages _ugni

SEASTAR_LONG := build/bin/seastar-soak build/bin/demo-seastar build/tb/test_ss_rules-seastar2
BGL_LONG := build/bin/demo-bgl $(addprefix build/tb/test_bgl_,$(addsuffix -bgl,agree bits episodes errors states torus))
.PHONY: _long_programs _long
_long_programs: $(LONG_PROGRAMS) $(SEASTAR_LONG) $(BGL_LONG) $$(addprefix build/cosim/,$$(TESTED) $$(PLAYED)) $$(CONFORM_LONG) $$(BOARD_LONG) ; @:
_long:
	@mkdir -p build/test
	@TESTED='$(TESTED)' PLAYED='$(PLAYED)' scripts/test/long-list.sh $(LONG_MACHINES) >build/test/long
	@scripts/test/run-tests.sh -j $(J) build/test/long

.PHONY: _cosim

MODULE_SET = $(if $(filter $(NAMED_SET)/$(MODULE),$(MODULES)),$(NAMED_SET))
COSIM_NAME = $(COSIM_SV)$(MODULE_SET)/$(MODULE)
COSIM_SV   = $(if $(filter yes,$(SV)),sv/)
REPORT_SET = $(firstword $(subst /, ,$(MODULE_SET)))
COSIM_JSON = $(REPORTS)/cosim-$(subst /,-,$(COSIM_SV))$(REPORT_SET)-$(MODULE).json

ifeq ($(MODULE_SET),)
_cosim _mutate _pnr $(if $(MODULE),_prove) $(if $(filter hand/%,$(MODULE)),,_synth): _no_module
endif

.PHONY: _no_module
_no_module:
	@echo "make: $(if $(MODULE),there is no module \"$(MODULE)\" in $(MACHINE);,which module?)" \
	    $(patsubst %,"% has no function $(MODULE) marked HLS_MODULE;",$(and $(MODULE),$(shell find hls -name "$(MODULE).c"))) \
	    "$$(scripts/nearest.py '$(MODULE)' $(notdir $(filter $(MACHINE)/%,$(MODULES))) $(notdir $(filter $(FREE:%=%/%),$(MODULES))) -- $(TEST_X))" | fold -s -w 100 >&2
	@exit 1

.PHONY: _mutate
_mutate: $(if $(MODULE_SET),build/cosim/$(MODULE_SET)/$(MODULE)) build/verilated/cxx build/bin/prove build/rtl/aries/done build/rtl/proto/done
	@tb/equiv/mutate/mutate.sh $(MODULE_SET) $(MODULE) $(MUTANTS) $(SEED)

_cosim: $(if $(MODULE_SET),build/cosim/$(COSIM_NAME))
	@tb/equiv/lockstep/cosim.sh $(COSIM_NAME) $(CYCLES) $(SEED) $(call recorders,$(PLAYED))
	@echo "# report: $(COSIM_JSON)"
