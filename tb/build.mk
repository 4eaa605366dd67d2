# SPDX-License-Identifier: Apache-2.0
#
# build.mk - the programs of tb/: tests with sanitizers, long runs without.
#
#   tb/*.c          --gcc, C11, sanitizers---> build/tb/c11/  --> build/tb/test_*
#   tb/*.c, hls/*.c --clang, C23, sanitizers-> build/tb/san/  --> build/tb/test_*
#   tb/*.c, hls/*.c --clang, C23, -O2--------> build/tb/fast/ --> build/tb/test_*, build/bin/demo, all that runs RTL beside it
#   tb/*.c, hls/*.c --clang, C23, -O3 -flto--> build/tb/lto/  --> build/tb/test_*, build/bin/campaign: long runs, native alone
#
# test_<x>_SRC names the sources of a test beside itself; "link" and "router" stand for the benches of
# those, "device" for that of two devices, "hls" for all of hls/link, "hls-router" for all of hls/router. test_<x>_AS is the set of objects it
# is made of, if not san. A test named test_<x>-<machine> is test_<x> compiled for that machine; its objects are in
# build/tb/<set>-<machine>/.

TB_LINK     := link_bench dut traffic channel golden/link golden/lane
TB_LINK_C   := $(wildcard hls/link/*.c)
TB_ROUTER   := router_bench router_tables router_traffic dut golden/router golden/packet
TB_ROUTER_C := $(wildcard hls/router/*.c)
TB_DEVICE   := device_bench router_tables router_traffic channel dut golden/router golden/packet golden/link golden/lane
TB_DEVICE_C := $(wildcard hls/device/*.c)

TESTS := test_crc test_link_golden test_link_channel test_link_blocks test_link_delivery \
    test_link_rate test_link_lanes test_link_registers test_link_death test_link_ecc \
    test_link_sideband test_link_patterns test_link_axis test_link_credit test_link_room test_link_window test_link_tx test_link_rx test_link_reset test_link_million \
    test_link_bus test_link_clock test_link_fault test_link_train test_link_words test_link_bringup test_link_epochs test_link_claims test_link_loop test_link_watch \
    test_link_episodes

# of the router; of the other machines those that depend on sizes
TB_MACHINES := gemini yarc proto
TB_MODULE_TESTS := test_router_queue test_router_crossing test_router_output test_router_store test_router_input test_router_codes test_router_route
TB_MACHINE_TESTS := $(TB_MODULE_TESTS) test_router_golden test_router_delivery test_router_throughput \
    test_router_maintenance
TESTS += $(TB_MACHINE_TESTS) test_router_latency test_router_fair test_router_adaptive test_router_registers \
    $(foreach m,$(TB_MACHINES),$(TB_MACHINE_TESTS:%=%-$(m))) test_router_golden-p16 test_router_delivery-p16 \
    test_router_bits-p16 test_router_bits-yarc test_device-proto test_device_port-proto test_device_manage-proto test_device_episodes-proto \
    test_router_draw test_router_draw-proto test_router_ctl test_router_join test_router_join-proto test_router_port test_router_port-gemini

test_crc_SRC            := golden/crc_code
test_link_golden_SRC    := golden/link golden/lane
test_link_channel_SRC   := channel golden/link golden/lane
test_link_blocks_SRC    := hls
test_link_delivery_SRC  := link
test_link_rate_SRC      := link
test_link_lanes_SRC     := link
test_link_registers_SRC := link
test_link_death_SRC     := link
test_link_ecc_SRC       := link
test_link_sideband_SRC  := link
test_link_patterns_SRC  := link
test_link_axis_SRC      := hls golden/link
test_link_reset_SRC     := hls
test_link_tx_SRC        := hls golden/link
test_link_window_SRC    := hls golden/link
test_link_credit_SRC    := hls
test_link_room_SRC      := hls golden/link
test_link_rx_SRC        := hls golden/link
test_link_claims_SRC    := hls
test_link_bus_SRC       := hls
test_link_clock_SRC     := hls
test_link_fault_SRC     := hls
test_link_bringup_SRC   := hls
test_link_epochs_SRC    := hls link_end
test_link_loop_SRC      := hls link_end
test_link_watch_SRC     := hls link_end
test_link_train_SRC     := hls
test_link_words_SRC     := hls golden/link golden/lane
test_link_million_SRC   := link piece
test_link_episodes_SRC  := hls episode episode_acts episode_bench episode_result workers traffic channel \
    golden/ledger golden/link golden/lane
test_router_queue_SRC      := hls-router
test_router_crossing_SRC   := hls-router
test_router_output_SRC     := hls-router
test_router_store_SRC      := hls-router input_bench
test_router_input_SRC      := hls-router input_bench
test_router_codes_SRC      := hls-router input_bench
test_router_route_SRC      := hls-router input_bench
test_router_draw_SRC       := hls-router input_bench
test_router_port_SRC       := hls-router
test_router_ctl_SRC        := hls-router
test_router_join_SRC       := hls-router input_bench
test_router_golden_SRC     := router router_crossbar golden/maxflow
test_router_delivery_SRC   := router
test_router_throughput_SRC := router golden/maxflow
test_router_bits_SRC       := router
test_router_latency_SRC    := router
test_router_fair_SRC       := router
test_router_adaptive_SRC   := router
test_router_registers_SRC  := router
test_router_maintenance_SRC := router
test_device_SRC            := device
test_device_port_SRC       := device input_bench
test_device_manage_SRC     := device
test_device_episodes_SRC   := device device_episode device_episode_bench episode_result workers golden/ledger
test_device_episodes_AS    := lto
test_router_throughput_AS  := fast
test_router_maintenance_AS := fast
test_router_bits_AS        := fast
test_router_latency_AS     := fast
test_router_join_AS        := fast
test_router_fair_AS        := fast
test_router_adaptive_AS    := fast
test_crc_AS             := c11
test_link_channel_AS    := c11
test_link_claims_AS     := fast
test_link_million_AS    := lto
test_link_rate_AS       := lto
test_link_epochs_AS     := lto
test_link_loop_AS       := fast
test_link_watch_AS      := fast

# only those that exist
TESTS    := $(foreach t,$(TESTS),$(if $(wildcard tb/$(firstword $(subst -, ,$(t))).c),$(t)))
TB_TESTS := $(TESTS:%=build/tb/%)

build/tb/c11/%.o: tb/%.c
	$(call compile,$(CC_HOST) $(C11) -O2 $(SANITIZE) -I. -Itb)

TB_FLAGS_san  = -O1 $(SANITIZE)
TB_FLAGS_fast = -O2
TB_FLAGS_lto  = -O3 -flto

# $(call tb_rules,set of objects,suffix,machine)
define tb_rules
build/tb/$(1)$(2)/%.o: tb/%.c
	$$(call compile,$$(CLANG) $$(C23) $$(TB_FLAGS_$(1)) $$(INCLUDES) $(call machine_flags,$(3)))
build/tb/$(1)$(2)/%.o: hls/link/%.c
	$$(call compile,$$(CLANG) $$(C23) $$(TB_FLAGS_$(1)) $$(INCLUDES) $(call machine_flags,$(3)))
build/tb/$(1)$(2)/%.o: hls/router/%.c
	$$(call compile,$$(CLANG) $$(C23) $$(TB_FLAGS_$(1)) $$(INCLUDES) $(call machine_flags,$(3)))
build/tb/$(1)$(2)/%.o: hls/device/%.c
	$$(call compile,$$(CLANG) $$(C23) $$(TB_FLAGS_$(1)) $$(INCLUDES) $(call machine_flags,$(3)))
endef
$(foreach set,san fast lto,$(eval $(call tb_rules,$(set),,aries)))
$(foreach set,san fast lto,$(foreach m,$(TB_MACHINES) p16,$(eval $(call tb_rules,$(set),-$(m),$(m)))))

# "test_x-gemini": the source test_x, the suffix -gemini
tb_base    = $(firstword $(subst -, ,$(1)))
tb_suffix  = $(patsubst $(call tb_base,$(1))%,%,$(1))
tb_as      = $(or $($(call tb_base,$(1))_AS),san)
# $(call tb_objects,program,set of objects)
tb_src     = $($(call tb_base,$(1))_SRC)
tb_sources = $(call tb_base,$(1)) harness $(filter-out link router device hls hls-router,$(tb_src)) \
    $(if $(filter link,$(tb_src)),$(TB_LINK)) $(if $(filter router,$(tb_src)),$(TB_ROUTER)) \
    $(if $(filter device,$(tb_src)),$(TB_DEVICE))
tb_hls     = $(if $(filter link hls device,$(tb_src)),$(TB_LINK_C:hls/link/%.c=%)) \
    $(if $(filter router hls-router device,$(tb_src)),$(TB_ROUTER_C:hls/router/%.c=%)) \
    $(if $(filter device,$(tb_src)),$(TB_DEVICE_C:hls/device/%.c=%))
tb_objects = $(patsubst %,build/tb/$(2)$(call tb_suffix,$(1))/%.o,$(tb_sources) $(tb_hls))

TB_LIBS := -lcjson -lm
TB_LINK_WITH_c11  = $(CC_HOST) $(SANITIZE)
TB_LINK_WITH_san  = $(CLANG) $(SANITIZE)
TB_LINK_WITH_fast = $(CLANG)
TB_LINK_WITH_lto  = $(CLANG) -O3 -flto -fuse-ld=gold

# $(call tb_test,program,set of objects)
define tb_test
build/tb/$(1): $(call tb_objects,$(1),$(2))
	$$(call link,$$(TB_LINK_WITH_$(2)),$$(TB_LIBS))
endef
$(foreach t,$(TESTS),$(eval $(call tb_test,$(t),$(call tb_as,$(t)))))

# ---- demo and campaign -----------------------------------------------------------------------------

# Shims of their own: those for lockstep of any module are built to watch memories. That of a router has 50,000 lines,
# one a register, and takes minutes to optimise.
# $(call tb_shim,suffix,machine)
define tb_shim
build/tb/fast$(1)/%_shim.o: build/rtl/$(2)/%_shim.c
	$$(call compile,$$(CLANG) $$(C23) -O2 $$(INCLUDES) $(call machine_flags,$(2)) -I$$(<D))
build/tb/fast$(1)/router_shim.o: build/rtl/$(2)/router_shim.c
	$$(call compile,$$(CLANG) $$(C23) -O0 $$(INCLUDES) $(call machine_flags,$(2)) -I$$(<D))
endef
$(eval $(call tb_shim,,aries))
$(foreach m,$(TB_MACHINES),$(eval $(call tb_shim,-$(m),$(m))))

# $(call tb_rtl,suffix,machine,module): a module's RTL and what drives it
tb_rtl = build/tb/fast$(1)/$(3)_shim.o build/verilated/$(2)/$(3)/model.o build/verilated/libverilated.a
TB_RTL_LIBS := $(TB_LIBS) -lz -lpthread

demo_SRC        := link
demo_router_SRC := device
campaign_SRC    := link piece workers
record_link_SRC := link piece
record_router_SRC := router
loaded_SRC      := router
router_speed_SRC := router

build/bin/campaign: $(call tb_objects,campaign,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

build/bin/episodes: $(call tb_objects,test_link_episodes,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

build/bin/campaign-rtl: $(call tb_objects,campaign,fast) $(call tb_rtl,,aries,lcb)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/demo: $(call tb_objects,demo,fast) $(call tb_rtl,,aries,lcb)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/demo-router: $(call tb_objects,demo_router-proto,fast) $(call tb_rtl,-proto,proto,device)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/router-speed: $(call tb_objects,router_speed,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

# $(call soak,suffix): the delivery test without sanitizers
define soak
build/bin/router-soak$(1): $(call tb_objects,test_router_delivery$(1),lto)
	$$(call link,$$(TB_LINK_WITH_lto),$$(TB_LIBS))
endef
$(eval $(call soak,)) $(foreach m,$(TB_MACHINES),$(eval $(call soak,-$(m))))

# $(call loaded,machine,suffix,module): a router or tile in lockstep under traffic
define loaded
build/cosim/$(1)/loaded-$(3): $(call tb_objects,loaded$(2),fast) $(call tb_rtl,$(2),$(1),$(3))
	$$(call link,g++ -Wl$$(COMMA)--wrap=tile -Wl$$(COMMA)--defsym=loaded_cosim=$(3)_cosim,$$(TB_RTL_LIBS))
endef
$(foreach x,tile router,$(eval $(call loaded,aries,,$(x))) \
    $(foreach m,$(TB_MACHINES),$(eval $(call loaded,$(m),-$(m),$(x)))))

# What a module gets inside two LCBs, or a router, under traffic.
RECORD_LINK   := lane_rx lane_train lane_tx lcb lcb_clock lcb_credit lcb_fault lcb_link lcb_regs lcb_rx lcb_tx
RECORD_ROUTER := column_buffer column_credit column_packets input_queue inq_store output_mux route row_buffer \
    stage_queue subswitch tile_ctl vc_room
RECORDED      := $(RECORD_LINK) $(RECORD_ROUTER)

build/tb/fast/recorded/%.o: tb/record.c
	$(call compile,$(CLANG) $(C23) -O2 $(INCLUDES) -DRECORDED=$*)

# $(call record,link or router,module)
define record
build/cosim/aries/record-$(2): build/tb/fast/recorded/$(2).o $(call tb_objects,record_$(1),fast) $(call tb_rtl,,aries,$(2))
	$$(call link,g++ -Wl$$(COMMA)--wrap=$(2) -Wl$$(COMMA)--wrap=$(2)_reset,$$(TB_RTL_LIBS))
endef
$(foreach x,$(RECORD_LINK),$(eval $(call record,link,$(x))))
$(foreach x,$(RECORD_ROUTER),$(eval $(call record,router,$(x))))

# And what it gets in tests of its own: UNIT_<module>; the machine is theirs.
UNIT_lcb           := test_link_registers
UNIT_lcb_regs      := test_link_bus
UNIT_lcb_credit    := test_link_room
UNIT_lcb_link      := test_link_bringup
UNIT_lcb_axis      := test_link_axis
UNIT_lane_rx       := test_link_words
UNIT_lane_train    := test_link_train
UNIT_lcb_tx        := test_link_window
UNIT_inq_store     := test_router_store
UNIT_input_queue   := test_router_input
UNIT_row_buffer    := test_router_queue
UNIT_stage_queue   := test_router_queue
UNIT_column_buffer := test_router_queue
UNIT_column_credit := test_router_queue
UNIT_column_packets := test_router_queue
UNIT_output_mux    := test_router_output
UNIT_reg_port      := test_router_port
UNIT_route         := test_router_draw
UNIT_subswitch     := test_router_crossing
UNIT_tile_ctl      := test_router_ctl
UNIT_tile          := test_router_delivery-proto test_router_registers-proto
UNIT_router        := test_router_join-proto test_router_delivery-proto test_router_registers-proto
UNIT_link_port     := test_device_port-proto
UNIT_device        := test_device-proto
unit_machine = $(or $(patsubst -%,%,$(call tb_suffix,$(firstword $(UNIT_$(1))))),aries)
# those of the lines above: the environment has variables, too
UNIT_MODULES := $(foreach v,$(filter-out UNIT_MODULES,$(filter UNIT_%,$(.VARIABLES))),$(if $(filter file,$(origin $(v))),$(v:UNIT_%=%)))
UNITS := $(foreach x,$(UNIT_MODULES),$(UNIT_$(x):%=$(call unit_machine,$(x))/unit-$(x)/%))

# $(call unit,machine,suffix,module,test)
define unit
build/cosim/$(1)/unit-$(3)/$(4): build/tb/fast/recorded/$(3).o build/tb/fast/record_test.o $(call tb_objects,$(4),fast) $(call tb_rtl,$(2),$(1),$(3))
	$$(call link,g++ $$(patsubst %,-Wl$$(COMMA)--wrap=%,$(3) $(3)_reset main tap_done),$$(TB_RTL_LIBS))
endef
unit_of = $(call unit,$(1),$(call tb_suffix,$(3)),$(patsubst unit-%,%,$(2)),$(3))
$(foreach x,$(UNITS),$(eval $(call unit_of,$(word 1,$(subst /, ,$(x))),$(word 2,$(subst /, ,$(x))),$(word 3,$(subst /, ,$(x))))))

# What make cosim and make test play, too, to modules most of whose outputs never move under random inputs. Those of aries
# have a recorder of their own for link_port.
$(eval $(call unit,aries,,link_port,test_device_port))
PLAYED := $(addprefix aries/record-,lane_rx lane_train lcb lcb_clock lcb_link lcb_rx) aries/unit-lcb_axis/test_link_axis \
    aries/unit-link_port/test_device_port

# $(call recorders,list): those of MODULE among them
recorders = $(addprefix build/cosim/,$(filter $(dir $(COSIM_NAME))record-$(MODULE) $(dir $(COSIM_NAME))unit-$(MODULE)/%,$(1)))
_mutate: $(call recorders,$(RECORDED:%=aries/record-%) $(UNITS))
_cosim: $(call recorders,$(PLAYED))

.PHONY: _demo _campaign
_demo: build/bin/demo build/bin/demo-router
	@build/bin/demo SEED=$(SEED)
	@echo; build/bin/demo-router SEED=$(SEED)

_campaign: build/bin/campaign build/bin/campaign-rtl build/tb/test_link_epochs build/bin/episodes build/tb/test_device_episodes-proto
	@build/bin/episodes EPISODES=100000 JOBS=$(J) SEED=$(SEED)
	@build/tb/test_device_episodes-proto EPISODES=1000 JOBS=$(J) SEED=$(SEED)
	@build/tb/test_link_epochs ALL=1 SEED=$(SEED)
	@build/bin/campaign-rtl --rtl --micropackets $(RTL_MICROPACKETS) --pieces 50 \
	    --jobs $(J) --seed $(SEED) --json build/reports/campaign-rtl.json
	@build/bin/campaign --micropackets $(MICROPACKETS) --pieces 2000 --jobs $(J) \
	    --seed $(SEED) --json build/reports/campaign.json
