# SPDX-License-Identifier: Apache-2.0
#
# build.mk - the programs of tb/: tests with sanitizers, long runs without.
#
#   tb/*/*.c          --gcc, C11, sanitizers---> build/tb/c11/  --> build/tb/test_*
#   tb/*/*.c, hls/*.c --clang, C23, sanitizers-> build/tb/san/  --> build/tb/test_*
#   tb/*/*.c, hls/*.c --clang, C23, -O2--------> build/tb/fast/ --> build/tb/test_*, build/bin/demo, all that runs RTL beside it
#   tb/*/*.c, hls/*.c --clang, C23, -O3 -flto--> build/tb/lto/  --> build/bin/campaign and others: long runs, native alone
#
# What a test_*.c is linked with follows from its room: TB_OF_<room>. Lines of its own has only a test that is different:
#
#   test_<x>_AS    the set of objects it is made of, if not the one of its room and machine
#   test_<x>_ON    the machines it is built for, if not the one of its room: test_<x> for aries, test_<x>-<machine> for
#                  others, whose objects are in build/tb/<set>-<machine>/
#   test_<x>_SRC   what it is linked with beside the harness, if not what its room says
#
# <x>_ROOM: a program that is no test, and the room whose tests are linked with the same.

TB_ROOMS := example golden link link/unit link/episode axi router router/unit device device/episode nic nic/unit nic/initiator \
    nic/target nic/netlink chip chip/abuse board
TB_MACHINES := gemini yarc proto
$(if $(wildcard tb/*.c),$(error $(wildcard tb/*.c): no room of tb/, so nothing is made of it))

# $(call tb_bench,rooms): what stands beside the tests there; $(call tb_blocks,folders): of hls/
tb_bench  = $(patsubst %.c,%,$(foreach r,$(1),$(filter-out tb/$(r)/test_%,$(wildcard tb/$(r)/*.c))))
tb_blocks = $(patsubst %.c,%,$(wildcard $(1:%=hls/%/*.c)))
NIC_ROOMS := nic nic/initiator nic/target nic/netlink
TB_GOLDEN_LINK    := tb/golden/link tb/golden/lane tb/golden/ledger
TB_GOLDEN_ROUTER  := tb/golden/router tb/golden/packet tb/golden/maxflow
TB_GOLDEN_NIC     := $(patsubst %.c,%,$(wildcard tb/golden/nic*.c))
TB_OF_example        := $(call tb_bench,base example) $(call tb_blocks,example)
TB_OF_golden         := $(call tb_bench,base golden)
TB_OF_link           := $(call tb_bench,base link) $(TB_GOLDEN_LINK) $(call tb_blocks,link)
TB_OF_link/unit      := $(call tb_bench,base link/unit) $(TB_GOLDEN_LINK) $(call tb_blocks,link)
TB_OF_link/episode   := $(TB_OF_link) $(call tb_bench,link/episode)
TB_OF_axi            := $(call tb_bench,base axi) $(TB_GOLDEN_LINK) $(call tb_blocks,link axi)
TB_OF_router         := $(call tb_bench,base router) $(TB_GOLDEN_ROUTER) $(call tb_blocks,router)
TB_OF_router/unit    := $(call tb_bench,base router/unit) $(call tb_blocks,router)
TB_OF_device         := $(call tb_bench,base link router router/unit device) $(TB_GOLDEN_LINK) $(TB_GOLDEN_ROUTER) \
    $(call tb_blocks,link router $(NIC_ROOMS) device)
TB_OF_device/episode := $(TB_OF_device) $(call tb_bench,link/episode device/episode)
TB_OF_nic/unit       := $(call tb_bench,base nic/unit) tb/nic/host $(TB_GOLDEN_NIC) $(call tb_blocks,$(NIC_ROOMS))
$(foreach r,initiator target netlink,$(eval TB_OF_nic/$(r) := $(TB_OF_nic/unit) $(call tb_bench,nic/$(r))))
TB_OF_nic            := $(call tb_bench,base nic router router/unit) tb/axi/axi_rules $(TB_GOLDEN_NIC) $(TB_GOLDEN_ROUTER) \
    $(call tb_blocks,$(NIC_ROOMS) router)
TB_OF_chip           := $(call tb_bench,base link router router/unit nic chip) tb/axi/axi_rules $(TB_GOLDEN_LINK) $(TB_GOLDEN_ROUTER) \
    $(TB_GOLDEN_NIC) $(call tb_blocks,link router $(NIC_ROOMS) device)
TB_OF_chip/abuse     := $(TB_OF_chip) $(call tb_bench,chip/abuse)
TB_OF_board          := $(call tb_bench,base) tb/board/session tb/board/rows $(call tb_blocks,link router $(NIC_ROOMS) device board)
TB_ON_board          := proto
TB_ON_chip           := proto
TB_ON_chip/abuse     := proto
TB_ON_nic            := proto
$(foreach r,unit initiator target netlink,$(eval TB_ON_nic/$(r) := aries proto))
$(foreach r,$(NIC_ROOMS) nic/unit,$(eval TB_AS_$(r) := fast))
TB_ON_device         := proto
TB_ON_device/episode := proto

test_amo_fp_SRC           := tb/golden/nic_amo hls/nic/target/amo_fp
test_crc_AS               := c11
test_device_load_AS       := fast
test_device_rows_AS       := fast
test_nic_amo_AS           := c11
test_nic_crc_AS           := c11
test_device_episodes_AS   := fast
test_link_blocks_AS       := fast
test_link_channel_AS      := c11
test_link_channel_SRC     := tb/link/channel tb/golden/link tb/golden/lane
test_link_claims_AS       := fast
test_link_epochs_AS       := fast
test_link_loop_AS         := fast
test_link_exchange_AS     := fast
test_link_million_AS      := fast
test_link_rate_AS         := fast
test_link_watch_AS        := fast
test_nic_handover_AS      := fast
test_nic_limits_AS        := fast
test_nic_program_AS       := fast
test_nic_rate_AS          := fast
test_nic_strangers_AS     := fast
test_chip_AS              := fast
test_chip_attacks_AS      := fast
test_nic_abuse_AS         := fast
test_chip_bits_AS         := fast
test_chip_rate_AS         := fast
test_chip_reset_AS        := fast
test_chip_deadlock_AS     := fast
test_chip_latency_AS      := fast
test_router_adaptive_AS   := fast
test_router_bits_AS       := fast
test_router_fair_AS       := fast
test_router_shares_AS     := fast
test_router_hang_AS       := fast
test_router_join_AS       := fast
test_router_latency_AS    := fast
test_router_maintenance_AS := fast
test_router_throughput_AS := fast

# those that depend on sizes
$(foreach t,vc_queue backlog subswitch output_mux inq_store input_queue route router_codes router_golden router_delivery router_throughput \
    router_maintenance,$(eval test_$(t)_ON := aries $(TB_MACHINES)))
# under sanitizers: optimised C leaves what it likes between the fields
test_nic_zero_ON          := proto
test_nic_rate_ON          := aries proto
test_nic_strangers_ON     := aries proto
test_nic_errors_ON        := aries proto
test_nic_limits_ON        := aries proto
test_nic_wide_ON          := aries proto
test_nic_gets_ON          := aries proto
test_device_load_ON       := aries proto
test_device_rows_ON       := aries
test_chip_ON              := aries proto
test_router_golden_ON     += p16 a16
test_subswitch_ON         += a16
test_input_queue_ON       += a16
test_router_delivery_ON   += p16 a16
test_router_shares_ON     := aries gemini yarc p16 a16
test_router_hang_ON       := p16
test_router_bits_ON       := p16 yarc
test_router_join_ON       := aries proto
test_route_draw_ON        := aries proto
test_reg_port_ON          := aries gemini
test_amo_fp_ON            := aries

# "tb/link/test_x": its room; the machines it is for
TB_FILES := $(patsubst %.c,%,$(foreach r,$(TB_ROOMS),$(wildcard tb/$(r)/test_*.c)))
tb_room  = $(patsubst tb/%/,%,$(dir $(1)))
tb_on    = $(or $($(notdir $(1))_ON),$(TB_ON_$(tb_room)),aries)
TESTS    := $(foreach f,$(TB_FILES),$(patsubst %-aries,%,$(addprefix $(notdir $(f))-,$(call tb_on,$(f)))))
TB_TESTS := $(TESTS:%=build/tb/%)

build/tb/c11/%.o: %.c
	$(call compile,$(CC_HOST) $(C11) -O2 $(SANITIZE) -I.)

# Sanitizers look at each block once: at those of the NIC in proto, at others in aries, and in proto what depends on sizes. In
# further machines undefined behaviour traps; so it does in lockstep, where every module of aries is.
TB_TRAP_ON    := gemini yarc p16 a16
TB_FLAGS_san  = -O1 $(SANITIZE)
TB_FLAGS_fast = -O2 $(if $(filter $(TB_TRAP_ON),$(1)),$(TRAP))
TB_FLAGS_lto  = -O3 -flto

# $(call tb_rules,set of objects,suffix,machine)
define tb_rules
build/tb/$(1)$(2)/%.o: %.c
	$$(call compile,$$(CLANG) $$(C23) $$(call TB_FLAGS_$(1),$(3)) $$(INCLUDES) $(call machine_flags,$(3)))
endef
$(foreach set,san fast lto,$(eval $(call tb_rules,$(set),,aries)))
$(foreach set,san fast lto,$(foreach m,$(TB_MACHINES) p16 a16,$(eval $(call tb_rules,$(set),-$(m),$(m)))))

# "test_x-gemini": the source tb/<room>/test_x, the suffix -gemini
tb_base    = $(firstword $(subst -, ,$(1)))
tb_suffix  = $(patsubst $(call tb_base,$(1))%,%,$(1))
tb_as      = $(or $($(call tb_base,$(1))_AS),$(if $(filter $(TB_TRAP_ON:%=-%),$(call tb_suffix,$(1))),fast),$\
                 $(if $(call tb_suffix,$(1)),san,$(TB_AS_$(call tb_room,$(call tb_file,$(1))))),san)
tb_file    = $(patsubst %.c,%,$(wildcard $(addsuffix /$(call tb_base,$(1)).c,$(TB_ROOMS:%=tb/%) tb/programs tb/lockstep)))
# $(call tb_objects,program,set of objects)
tb_with    = $(or $(if $($(1)_SRC),tb/base/harness $($(1)_SRC)),$(TB_OF_$(or $($(1)_ROOM),$(call tb_room,$(2)))))
tb_sources = $(call tb_file,$(1)) $(call tb_with,$(call tb_base,$(1)),$(call tb_file,$(1)))
tb_objects = $(patsubst %,build/tb/$(2)$(call tb_suffix,$(1))/%.o,$(tb_sources))

TB_LIBS := -lcjson -lm
TB_LINK_WITH_c11  = $(CC_HOST) $(SANITIZE)
TB_LINK_WITH_san  = $(CLANG) $(SANITIZE)
TB_LINK_WITH_fast = $(CLANG)
TB_LINK_WITH_lto  = $(CLANG) -O3 -flto

# $(call tb_test,program,set of objects)
define tb_test
build/tb/$(1): $(call tb_objects,$(1),$(2))
	$$(call link,$$(TB_LINK_WITH_$(2)),$$(TB_LIBS))
endef
$(foreach t,$(TESTS),$(eval $(call tb_test,$(t),$(call tb_as,$(t)))))

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
$(foreach m,$(TB_MACHINES),$(eval $(call tb_shim,-$(m),$(m))))

# $(call tb_rtl,suffix,machine,module): a module's RTL and what drives it; tb_waves: RTL that writes waveforms
tb_rtl = build/tb/fast$(1)/$(3)_shim.o build/verilated/$(2)/$(3)/model.o build/verilated/libverilated.a
tb_waves = $(patsubst %model.o,%waves.o,$(tb_rtl))
TB_RTL_LIBS := $(TB_LIBS) -lz -lpthread

demo_ROOM          := link
campaign_ROOM      := link
demo_router_ROOM   := device
router_speed_ROOM  := router
loaded_ROOM        := router
loaded_chip_ROOM   := chip
loaded_device_ROOM := device
record_link_ROOM   := link
record_router_ROOM := router
chip_tables_ROOM   := chip
demo_nic_ROOM      := chip

build/bin/campaign: $(call tb_objects,campaign,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

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

build/bin/chip-tables: $(call tb_objects,chip_tables-proto,fast)
	$(call link,$(TB_LINK_WITH_fast),$(TB_LIBS))

build/bin/router-speed: $(call tb_objects,router_speed,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

# random programs of NICs, and those of two chips, without sanitizers
build/bin/nic-soak: $(call tb_objects,test_nic_program-proto,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
build/bin/chip-soak: $(call tb_objects,test_chip-proto,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
# abuse of NICs, 20,000 episodes
build/bin/nic-abuse: $(call tb_objects,test_nic_abuse-proto,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))
# attacks on two chips of aries, with eight NICs
build/bin/chip-resets: $(call tb_objects,test_chip_reset,lto)
build/bin/chip-attacks: $(call tb_objects,test_chip_attacks,lto)
	$(call link,$(TB_LINK_WITH_lto),$(TB_LIBS))

# $(call soak,suffix): the delivery test without sanitizers
define soak
build/bin/router-soak$(1): $(call tb_objects,test_router_delivery$(1),lto)
	$$(call link,$$(TB_LINK_WITH_lto),$$(TB_LIBS))
endef
$(eval $(call soak,)) $(foreach m,$(TB_MACHINES),$(eval $(call soak,-$(m))))

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
    $(foreach m,$(TB_MACHINES),$(eval $(call loaded,$(m),-$(m),$(x)))))

# two chips of proto in lockstep under traffic
build/cosim/proto/loaded-chip: $(call tb_objects,loaded_chip-proto,fast) $(call tb_rtl,-proto,proto,chip)
	$(call link,g++,$(TB_RTL_LIBS))

# two devices of aries in lockstep under traffic
build/cosim/aries/loaded-device: $(call tb_objects,loaded_device,fast) $(call tb_rtl,,aries,device)
	$(call link,g++,$(TB_RTL_LIBS))

# What a module gets inside two LCBs, or a router, under traffic.
RECORD_LINK   := lane_rx lane_train lane_tx lcb lcb_clock lcb_credit lcb_fault lcb_link lcb_regs lcb_rx lcb_tx
RECORD_ROUTER := column_buffer column_credit input_queue inq_store output_mux route row_buffer \
    stage_queue subswitch tile_ctl vc_room backlog
RECORDED      := $(RECORD_LINK) $(RECORD_ROUTER)

build/tb/recorded/%.o: tb/lockstep/record.c
	$(call compile,$(CLANG) $(C23) -O2 $(INCLUDES) -DRECORDED=$*)

# $(call record,link or router,module)
define record
build/cosim/aries/record-$(2): build/tb/recorded/$(2).o $(call tb_objects,record_$(1),fast) $(call tb_rtl,,aries,$(2))
	$$(call link,g++ -Wl$$(COMMA)--wrap=$(2) -Wl$$(COMMA)--wrap=$(2)_reset,$$(TB_RTL_LIBS))
endef
$(foreach x,$(RECORD_LINK),$(eval $(call record,link,$(x))))
$(foreach x,$(RECORD_ROUTER),$(eval $(call record,router,$(x))))

# And what it gets in tests of its own: UNIT_<module>; the machine is theirs.
UNIT_lcb           := test_link_registers
UNIT_lcb_regs      := test_lcb_regs
UNIT_lcb_credit    := test_lcb_credit
UNIT_lcb_link      := test_lcb_link
UNIT_lcb_axis      := test_lcb_axis
UNIT_axil_regs     := test_axil_regs
UNIT_byte_pack     := test_byte_pack
UNIT_byte_unpack   := test_byte_unpack
UNIT_lcb_bytes     := test_lcb_bytes
UNIT_lane_rx       := test_lane_tx_rx
UNIT_lane_train    := test_lane_train
UNIT_lcb_tx        := test_lcb_tx_window
UNIT_inq_store     := test_inq_store
UNIT_input_queue   := test_input_queue
UNIT_row_buffer    := test_vc_queue
UNIT_stage_queue   := test_vc_queue
UNIT_column_buffer := test_vc_queue
UNIT_column_credit := test_vc_queue
UNIT_output_mux    := test_output_mux
UNIT_reg_port      := test_reg_port
UNIT_route         := test_route_draw
UNIT_backlog       := test_backlog
UNIT_subswitch     := test_subswitch
UNIT_tile_ctl      := test_tile_ctl
UNIT_tile          := test_router_delivery-proto test_router_registers-proto
UNIT_router        := test_router_join-proto test_router_delivery-proto test_router_registers-proto
UNIT_link_port     := test_link_port-proto
UNIT_device        := test_device-proto
UNIT_ssid          := test_ssid
UNIT_orb           := test_orb test_valve
$(foreach x,free closed over stale,$(eval UNIT_ssid_$(x)_list := test_ssid))
$(foreach x,free_list quarantine refusals flags,$(eval UNIT_orb_$(x) := test_orb))
UNIT_pio           := test_pio test_fma_stream
UNIT_nic_fma       := test_nic_fma test_fma_stream
UNIT_fma_packet    := test_nic_fma test_fma_stream
UNIT_tarb          := test_tarb
UNIT_ntt           := test_ntt
UNIT_beat_queue    := test_beat_queue
UNIT_beat_queue2   := test_beat_queue test_pack
UNIT_beat_store    := test_unpack
UNIT_pack          := test_pack
UNIT_unpack        := test_unpack
UNIT_nl_entry      := test_netlink
UNIT_nl_send       := test_netlink test_netlink_bits
UNIT_nl_receive    := test_netlink test_netlink_bits
UNIT_netlink       := test_netlink test_netlink_bits
UNIT_cq            := test_cq
UNIT_rat           := test_rat test_valve
UNIT_npt           := test_npt
UNIT_order         := test_order
UNIT_write_queue   := test_parb
UNIT_write_lines   := test_parb
UNIT_read_lines    := test_parb
UNIT_parb_queue    := test_parb
UNIT_amo_queue     := test_amo
UNIT_amo_lines     := test_amo
UNIT_amo_retire    := test_amo
UNIT_amo_fp        := test_amo_fp
UNIT_parb          := test_parb
UNIT_amo           := test_amo
UNIT_axi_write     := test_axi_master
UNIT_axi_read      := test_axi_master
UNIT_axi_master    := test_axi_master
UNIT_nic_regs      := test_nic_regs
UNIT_nic_initiator := test_nic_put test_nic_wide test_nic_errors
UNIT_nic_memory    := test_nic_put test_target
UNIT_nic_target    := test_nic_put test_nic_wide test_nic_errors test_target
UNIT_nic           := test_nic_put test_nic_gets test_nic_wide test_nic_errors
unit_machine = $(or $(patsubst -%,%,$(call tb_suffix,$(firstword $(UNIT_$(1))))),aries)
# those of the lines above: the environment has variables, too
UNIT_MODULES := $(foreach v,$(filter-out UNIT_MODULES,$(filter UNIT_%,$(.VARIABLES))),$(if $(filter file,$(origin $(v))),$(v:UNIT_%=%)))
UNITS := $(foreach x,$(UNIT_MODULES),$(UNIT_$(x):%=$(call unit_machine,$(x))/unit-$(x)/%))

# $(call unit,machine,suffix,module,test)
define unit
build/cosim/$(1)/unit-$(3)/$(4): build/tb/recorded/$(3).o build/tb/fast/tb/lockstep/record_test.o $(call tb_objects,$(4),fast) $(call tb_rtl,$(2),$(1),$(3))
	$$(call link,g++ $$(patsubst %,-Wl$$(COMMA)--wrap=%,$(3) $(3)_reset main tap_done),$$(TB_RTL_LIBS))
endef
unit_of = $(call unit,$(1),$(call tb_suffix,$(3)),$(patsubst unit-%,%,$(2)),$(3))
$(foreach x,$(UNITS),$(eval $(call unit_of,$(word 1,$(subst /, ,$(x))),$(word 2,$(subst /, ,$(x))),$(word 3,$(subst /, ,$(x))))))

# What make cosim and make test play, too, to modules most of whose outputs never move under random inputs. Those of aries
# have a recorder of their own for link_port.
$(eval $(call unit,aries,,link_port,test_link_port))
PLAYED := $(addprefix aries/record-,lane_rx lane_train lcb lcb_clock lcb_link lcb_rx) aries/unit-lcb_axis/test_lcb_axis \
    $(addprefix aries/unit-,axil_regs/test_axil_regs byte_pack/test_byte_pack byte_unpack/test_byte_unpack lcb_bytes/test_lcb_bytes) \
    aries/unit-link_port/test_link_port \
    $(addprefix aries/unit-,amo_fp/test_amo_fp cq/test_cq pio/test_pio nic_fma/test_nic_fma fma_packet/test_nic_fma unpack/test_unpack \
    beat_store/test_unpack nl_receive/test_netlink netlink/test_netlink axi_write/test_axi_master \
    nic_regs/test_nic_regs nic/test_nic_put nic_initiator/test_nic_put nic_memory/test_nic_put nic_target/test_nic_put)

# $(call recorders,list): those of MODULE among them
recorders = $(addprefix build/cosim/,$(filter $(dir $(COSIM_NAME))record-$(MODULE) $(dir $(COSIM_NAME))unit-$(MODULE)/%,$(1)))
_mutate: $(call recorders,$(RECORDED:%=aries/record-%) $(UNITS))
_cosim: $(call recorders,$(PLAYED))

.PHONY: _demo _campaign
_demo: build/bin/demo build/bin/demo-router build/bin/demo-nic
	@build/bin/demo SEED=$(SEED)
	@echo; build/bin/demo-router SEED=$(SEED)
	@echo; build/bin/demo-nic SEED=$(SEED)

_campaign: build/bin/campaign build/bin/campaign-rtl build/tb/test_link_epochs build/bin/episodes build/tb/test_device_episodes-proto
	@build/bin/episodes EPISODES=100000 JOBS=$(J) SEED=$(SEED)
	@build/tb/test_device_episodes-proto EPISODES=1000 JOBS=$(J) SEED=$(SEED)
	@build/tb/test_link_epochs ALL=1 SEED=$(SEED)
	@build/bin/campaign-rtl --rtl --micropackets $(RTL_MICROPACKETS) --pieces 50 \
	    --jobs $(J) --seed $(SEED) --json build/reports/campaign-rtl.json
	@build/bin/campaign --micropackets $(MICROPACKETS) --pieces 2000 --jobs $(J) \
	    --seed $(SEED) --json build/reports/campaign.json
