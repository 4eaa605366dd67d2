# SPDX-License-Identifier: Apache-2.0
#
# tb.mk - the programs of tb/: tests with sanitizers, long runs without.
#
#   tb/**/*.c          --gcc, C11, sanitizers---> build/tb/c11/  --> build/tb/test_*
#   tb/**/*.c, hls/**/*.c --clang, C23, sanitizers-> build/tb/san/  --> build/tb/test_*
#   tb/**/*.c, hls/**/*.c --clang, C23, -O2--------> build/tb/fast/ --> build/tb/test_*, build/bin/demo, all that runs RTL beside it
#   tb/**/*.c, hls/**/*.c --clang, C23, -O3 -flto--> build/tb/lto/  --> build/bin/campaign and others: long runs, native alone
#
# What each is linked with follows from its includes, what a test is built for from its first comment: links.py, which leaves
# both in build/make/tests.mk.
#
#   <x>_LINK       a program and the C that it needs, without endings
#   TESTS          test_<x> for aries, test_<x>-<machine> for others, whose objects are in build/tb/<set>-<machine>/
#   <test>_SET     the set of objects that it is made of: san, fast, c11
#   UNIT_<module>  tests in which a module gets what it shall get in lockstep, too

LINKED := $(shell scripts/make/links.py build/make/tests.mk || echo failed)
$(if $(LINKED),$(error the programs of tb/ are not known))
include build/make/tests.mk
TB_TESTS := $(TESTS:%=build/tb/%)

build/tb/c11/%.o: %.c
	$(call compile,$(CC_HOST) $(C11) -O2 $(SANITIZE) -I.)

TB_FLAGS_san  = -O1 $(SANITIZE)
TB_FLAGS_fast = -O2 $(TUNE) $(if $(filter $(UNSANITIZED),$(1)),$(TRAP))
TB_FLAGS_lto  = -O3 -flto $(TUNE)

# $(call tb_rules,set of objects,suffix,machine)
define tb_rules
build/tb/$(1)$(2)/%.o: %.c
	$$(call compile,$$(CLANG) $$(C23) $$(call TB_FLAGS_$(1),$(3)) $$(INCLUDES) $(call machine_flags,$(3)))
endef
$(foreach set,san fast lto,$(eval $(call tb_rules,$(set),,aries)))
$(foreach set,san fast lto,$(foreach m,$(filter-out aries,$(MACHINES)),$(eval $(call tb_rules,$(set),-$(m),$(m)))))

# "test_x-gemini": the program test_x, the suffix -gemini
tb_base    = $(firstword $(subst -, ,$(1)))
tb_suffix  = $(patsubst $(call tb_base,$(1))%,%,$(1))
# $(call tb_objects,program,set of objects); $(call linked,program,sets and suffix): any C that a program's includes need
tb_machine = $(or $(patsubst -%,%,$(call tb_suffix,$(1))),aries)
tb_objects = $(patsubst %,build/tb/$(2)$(call tb_suffix,$(1))/%.o,\
    $(filter-out $(OMIT_$(call tb_machine,$(1))),$($(call tb_base,$(1))_LINK)))

TB_LIBS := -lcjson -lm
OTHER_ROUTERS := $(filter-out aries,$(ROUTERS))
TB_LINK_WITH_c11  = $(CC_HOST) $(SANITIZE)
TB_LINK_WITH_san  = $(CLANG) $(SANITIZE)
TB_LINK_WITH_fast = $(CLANG)
TB_LINK_WITH_lto  = $(CLANG) -O3 -flto $(TUNE)

# $(call tb_test,program,set of objects)
define tb_test
build/tb/$(1): $(call tb_objects,$(1),$(2))
	$$(call link,$$(TB_LINK_WITH_$(2)),$$(TB_LIBS))
endef
$(foreach t,$(TESTS),$(eval $(call tb_test,$(t),$($(t)_SET))))

# ---- demo and campaign -----------------------------------------------------------------------------

# Shims of their own: those for lockstep of any module are built to watch memories. What they do takes no time but in
# runs that are long; those of a router and what has one in it, 50,000 lines, one a register, take minutes to optimise.
# $(call tb_shim,suffix,machine)
define tb_shim
build/tb/fast$(1)/%_shim.o: build/rtl/$(2)/%_shim.c
	$$(call compile,$$(CLANG) $$(C23) -O0 $$(INCLUDES) $(call machine_flags,$(2)) -I$$(<D))
build/tb/fast$(1)/lcb_shim.o build/tb/fast$(1)/tile_shim.o: build/tb/fast$(1)/%.o: build/rtl/$(2)/%.c
	$$(call compile,$$(CLANG) $$(C23) -O1 $$(INCLUDES) $(call machine_flags,$(2)) -I$$(<D))
endef
$(eval $(call tb_shim,,aries))
build/tb/fast/%_shim.o: build/rtl/example/%_shim.c
	$(call compile,$(CLANG) $(C23) -O0 $(INCLUDES) -I$(<D))
$(foreach m,$(OTHER_ROUTERS) bgl proto24 seastar2,$(eval $(call tb_shim,-$(m),$(m))))

# $(call tb_rtl,suffix,machine,module): a module's RTL and what drives it; tb_waves: RTL that writes waveforms
tb_rtl = build/tb/fast$(1)/$(3)_shim.o build/verilated/$(2)/$(3)/model.o build/verilated/libverilated.a
tb_waves = $(patsubst %model.o,%waves.o,$(tb_rtl))
TB_RTL_LIBS := $(TB_LIBS) -lz -lpthread

build/bin/campaign: $(call tb_objects,campaign,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

build/bin/campaign-seastar: $(call tb_objects,campaign-seastar,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

build/bin/portalperf: $(call tb_objects,portalperf-seastar2,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

build/bin/seastar-soak: $(call tb_objects,test_ss_programs-seastar2,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

build/bin/packet-campaign: $(call tb_objects,packet_campaign-proto24,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

build/bin/packet-campaign-rtl: $(call tb_objects,packet_campaign-proto24,fast) $(call tb_rtl,-proto24,proto24,lcb)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/episodes: $(call tb_objects,test_link_episodes,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

build/bin/campaign-rtl: $(call tb_objects,campaign,fast) $(call tb_rtl,,aries,lcb)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/demo: $(call tb_objects,demo,fast) $(call tb_waves,,aries,lcb)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/demo-router: $(call tb_objects,demo_router-proto,fast) $(call tb_waves,-proto,proto,device)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/demo-nic: $(call tb_objects,demo_nic-proto,fast) $(call tb_waves,-proto,proto,chip)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/demo-bgl: $(call tb_objects,demo_bgl-bgl,fast) $(call tb_waves,-bgl,bgl,bgl_node)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/demo-seastar: $(call tb_objects,demo_seastar-seastar2,fast) $(call tb_waves,-seastar2,seastar2,ss_chip)
	$(call link,g++,$(TB_RTL_LIBS))

build/bin/chip-tables: $(call tb_objects,chip_tables-proto,fast)
	$(call link,$(TB_LINK_WITH_fast),$(TB_LIBS))

build/bin/router-speed: $(call tb_objects,router_speed,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

# random programs of NICs, many transactions with events at their target, and programs of two chips, without sanitizers
build/bin/nic-soak: $(call tb_objects,test_nic_together-proto,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
build/bin/nic-soak-aries: $(call tb_objects,test_nic_together,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
build/bin/nic-events: $(call tb_objects,test_nic_targets-proto,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
build/bin/chip-soak: $(call tb_objects,test_chip-proto,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
# abuse of NICs: 20,000 episodes, and of aries, whose chips have four NICs each, 300
build/bin/nic-abuse: $(call tb_objects,test_nic_abuse-proto,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
build/bin/nic-abuse-aries: $(call tb_objects,test_nic_abuse,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
# attacks on two chips of aries, with eight NICs
build/bin/chip-resets: $(call tb_objects,test_chip_reset,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
build/bin/chip-attacks: $(call tb_objects,test_chip_attacks,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

# $(call soak,suffix): the delivery test without sanitizers
define soak
build/bin/router-soak$(1): $(call tb_objects,test_router_delivery$(1),lto)
	$$(call link,$$(TB_LINK_WITH_lto),$$(TB_LIBS))
endef
$(eval $(call soak,)) $(foreach m,$(OTHER_ROUTERS),$(eval $(call soak,-$(m))))

# $(call shares,suffix): shares of inputs and VCs, thousands of cases
define shares
build/bin/router-shares$(1): $(call tb_objects,test_router_shares$(1),lto)
	$$(call link,$$(TB_LINK_WITH_lto),$$(TB_LIBS))
endef
$(eval $(call shares,)) $(foreach m,gemini yarc p16 a16,$(eval $(call shares,-$(m))))

# $(call loaded,machine,suffix,module): a router or tile in lockstep under traffic
define loaded
build/cosim/$(1)/loaded-$(3): $(call tb_objects,loaded$(2),fast) $(call tb_rtl,$(2),$(1),$(3))
	$$(call link,g++ -Wl$$(COMMA)--wrap=tile -Wl$$(COMMA)--defsym=loaded_cosim=$(3)_cosim,$$(TB_RTL_LIBS))
endef
$(foreach x,tile router,$(eval $(call loaded,aries,,$(x))) \
    $(foreach m,$(OTHER_ROUTERS),$(eval $(call loaded,$(m),-$(m),$(x)))))

# two chips in lockstep under traffic
define loaded_chip
build/cosim/$(1)/loaded-chip: $(call tb_objects,loaded_chip-$(1),fast) $(call tb_rtl,-$(1),$(1),chip)
	$$(call link,g++,$$(TB_RTL_LIBS))
endef
$(foreach m,proto proto24,$(eval $(call loaded_chip,$(m))))

# two devices of aries in lockstep under traffic
build/cosim/aries/loaded-device: $(call tb_objects,loaded_device,fast) $(call tb_rtl,,aries,device)
	$(call link,g++,$(TB_RTL_LIBS))

# whole devices in lockstep inside a test: $(call within,machine,test)
define within
build/cosim/$(1)/within-$(2): $(call tb_objects,$(2)-$(1),fast) build/tb/fast-$(1)/tb/equiv/lockstep/within.o \
    $(call tb_rtl,-$(1),$(1),device)
	$$(call link,g++ $$(foreach f,device device_reset tap_done,-Wl$$(COMMA)--wrap=$$(f)),$$(TB_RTL_LIBS))
endef
$(eval $(call within,gemini,test_chip)) $(eval $(call within,yarc,test_boot))

# What a module gets inside two LCBs, or a router, under traffic.
RECORD_LINK   := lane_rx lane_train lane_tx lcb lcb_clock lcb_credit lcb_fault lcb_link lcb_regs lcb_rx lcb_tx
RECORD_ROUTER := column_buffer column_credit input_queue inq_store output_mux route row_buffer \
    stage_queue subswitch tile_ctl vc_room backlog
RECORDED      := $(RECORD_LINK) $(RECORD_ROUTER)

build/tb/recorded/%.o: tb/equiv/lockstep/record.c
	$(call compile,$(CLANG) $(C23) -O2 $(INCLUDES) -DRECORDED=$*)

# $(call record,link or router,module)
define record
build/cosim/aries/record-$(2): build/tb/recorded/$(2).o $(filter-out %/lockstep/record.o %/lockstep/record_test.o,$(call tb_objects,record_$(1),fast)) $(call tb_rtl,,aries,$(2))
	$$(call link,g++ -Wl$$(COMMA)--wrap=$(2) -Wl$$(COMMA)--wrap=$(2)_reset,$$(TB_RTL_LIBS))
endef
$(foreach x,$(RECORD_LINK),$(eval $(call record,link,$(x))))
$(foreach x,$(RECORD_ROUTER),$(eval $(call record,router,$(x))))

# And what it gets in tests of its own.
unit_machine = $(or $(if $(wildcard hls/example/$(1).c),example), $(patsubst -%,%,$(call tb_suffix,$(firstword $(UNIT_$(1))))),aries)
UNITS := $(foreach x,$(UNIT_MODULES),$(UNIT_$(x):%=$(call unit_machine,$(x))/unit-$(x)/%))

# $(call unit,machine,suffix,module,test)
define unit
build/cosim/$(1)/unit-$(3)/$(4): build/tb/recorded/$(3).o build/tb/fast/tb/equiv/lockstep/record_test.o $(call tb_objects,$(4),fast) $(call tb_rtl,$(2),$(1),$(3))
	$$(call link,g++ $$(patsubst %,-Wl$$(COMMA)--wrap=%,$(3) $(3)_reset main tap_done),$$(TB_RTL_LIBS))
endef
unit_of = $(call unit,$(1),$(call tb_suffix,$(3)),$(patsubst unit-%,%,$(2)),$(3))
$(foreach x,$(UNITS),$(eval $(call unit_of,$(word 1,$(subst /, ,$(x))),$(word 2,$(subst /, ,$(x))),$(word 3,$(subst /, ,$(x))))))

# What make cosim and make test play, too, to modules most of whose outputs never move under random inputs. Those of aries
# have a recorder of their own for link_port.
$(eval $(call unit,aries,,link_port,test_link_port))
BGL_PLAYED := $(patsubst %,bgl/unit-%/test_bgl_thread-bgl,bgl_node bgl_deframer bgl_resend bgl_vc_fifo bgl_lane_rx bgl_sender bgl_inject)
PLAYED := $(BGL_PLAYED) seastar2/unit-ss_nic/test_ss_generic-seastar2 $(addprefix aries/record-,lane_rx lane_train lcb lcb_clock lcb_link lcb_rx) aries/unit-lcb_axis/test_lcb_axis \
    $(addprefix aries/unit-,axil_regs/test_axil_regs byte_pack/test_byte_pack byte_unpack/test_byte_unpack lcb_bytes/test_lcb_bytes) \
    aries/unit-link_port/test_link_port proto24/unit-pkt_rx/test_packet_delivery-proto24 $(patsubst %,yarc/unit-%/test_maint-yarc,maint_tap maint_bus supervisor) \
    $(addprefix aries/unit-,amo_fp/test_amo_fp cq/test_cq pio/test_pio nic_fma/test_nic_fma fma_packet/test_nic_fma unpack/test_unpack \
    beat_store/test_unpack nl_receive/test_netlink netlink/test_netlink axi_write/test_axi_master \
    nic_regs/test_nic_regs bte/test_bte bte_receive/test_nic_send ce/test_ce iommu_looks/test_iommu nic/test_nic_put nic_initiator/test_nic_put nic_memory/test_nic_put nic_target/test_nic_put)

# $(call recorders,list): those of MODULE among them
recorders = $(addprefix build/cosim/,$(filter $(MODULE_SET)/record-$(MODULE) $(MODULE_SET)/unit-$(MODULE)/%,$(1)))
_mutate: $(call recorders,$(RECORDED:%=aries/record-%) $(UNITS))
_cosim: $(call recorders,$(PLAYED))

.PHONY: _demo _campaign _campaign_packet _campaign_seastar _campaign_bgl
_demo: build/bin/demo build/bin/demo-router build/bin/demo-nic build/bin/demo-bgl build/bin/demo-seastar build/bin/packet-campaign-rtl
	@build/bin/demo --seed $(SEED)
	@echo; build/bin/demo-router --seed $(SEED)
	@echo; build/bin/demo-nic --seed $(SEED)
	@echo; build/bin/demo-bgl --seed $(SEED)
	@echo; build/bin/demo-seastar --seed $(SEED)
	@echo; echo "Packet mode: two LCBs of proto24 as RTL, bit errors up to 1e-3, kinds of phits hit on purpose, lanes and links dying"
	@build/bin/packet-campaign-rtl --rtl --packets 20000 --pieces 20 --jobs $(J) --seed $(SEED) --json build/demo/packet.json

_campaign_packet: build/bin/packet-campaign build/bin/packet-campaign-rtl
	@build/bin/packet-campaign-rtl --rtl --packets $(RTL_PACKETS) --pieces 1000 --jobs $(J) --seed $(SEED) --json build/reports/packet-campaign-rtl.json
	@build/bin/packet-campaign --packets $(PACKETS) --pieces 20000 --jobs $(J) --seed $(SEED)

_campaign_seastar: build/bin/campaign-seastar
	@build/bin/campaign-seastar --micropackets 1e7 --pieces 200 --jobs $(J) --seed $(SEED) --json build/reports/campaign-seastar.json

_campaign_bgl: build/tb/test_bgl_campaign-bgl build/tb/test_bgl_episodes-bgl
	@build/tb/test_bgl_campaign-bgl --packets $(if $(filter command line,$(origin PACKETS)),$(PACKETS),1e8) --seed $(SEED)
	@build/tb/test_bgl_episodes-bgl --episodes 100000 --seed $(SEED)

_campaign: build/bin/campaign build/bin/campaign-rtl build/tb/test_link_epochs build/bin/episodes build/tb/test_device_episodes-proto
	@build/bin/episodes --episodes 100000 --jobs $(J) --seed $(SEED)
	@build/tb/test_device_episodes-proto --episodes 1000 --jobs $(J) --seed $(SEED)
	@build/tb/test_link_epochs --all --seed $(SEED)
	@build/bin/campaign-rtl --rtl --micropackets $(RTL_MICROPACKETS) --pieces 50 \
	    --jobs $(J) --seed $(SEED) --json build/reports/campaign-rtl.json
	@build/bin/campaign --micropackets $(MICROPACKETS) --pieces 2000 --jobs $(J) \
	    --seed $(SEED) --json build/reports/campaign.json
