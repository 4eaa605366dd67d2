# SPDX-License-Identifier: Apache-2.0
#
# sim.mk - the programs of sim/ and their tests.
#
#   sim/*/*.c                       --gcc, C11------> build/sim/*/*.o, build/sim-san/*/*.o (clang, sanitizers)
#   sim/net/machine.c               --clang, C23----> build/sim/<machine>/net/machine.o
#   net/machine.c, engine/router_model.c, engine/maint_model.c, hls/router/*.c, hls/link/*.c, of one machine
#                                   --clang, C23----> build/sim/<machine>/*/*.bc
#   all of them together            --llvm-link, ranges.awk, opt, clang -O2--> build/sim/<machine>.o, only sim's own names are left global
#
# deadlock needs no router: build/sim/<machine>/net/machine.o alone.

SIM_GRAPH    := base/args base/program base/parallel $(addprefix net/,topology families tables walk deadlock dragonfly torus clos)

# networks of SeaStar chips
SIM_SEASTAR  := seastar/torus3 seastar/waits

sim_flags = -DMACHINE_$(shell tr a-z A-Z <<<'$(1)')=1 -DSIM_MACHINE=$(1)

build/sim/%.o: sim/%.c
	$(call compile,$(CC_HOST) $(C11) -O2 -I.)

build/sim-san/%.o: sim/%.c
	$(call compile,$(CLANG) $(C11) -O1 $(SANITIZE) -I.)

build/sim-san/tb/%.o: tb/%.c
	$(call compile,$(CLANG) $(C11) -O1 $(SANITIZE) -I.)

define sim_machine
build/sim/$(1)/%.o: sim/%.c
	$$(call compile,$$(CLANG) $$(C23) -O2 -I. -Ihls $(call sim_flags,$(1)))

build/sim-san/$(1)/%.o: sim/%.c
	$$(call compile,$$(CLANG) $$(C23) -O1 $$(SANITIZE) -I. -Ihls $(call sim_flags,$(1)))
endef
$(foreach m,$(SIM_MACHINES),$(eval $(call sim_machine,$(m))))

SIM_MACHINE_O := $(SIM_MACHINES:%=build/sim/%/net/machine.o)

build/bin/deadlock: $(SIM_GRAPH:%=build/sim/%.o) build/sim/bgl/channels.o build/sim/bgl/fast/shape.o $(SIM_SEASTAR:%=build/sim/%.o) build/sim/deadlock/deadlock_main.o $(SIM_MACHINE_O)
	$(call link,$(CC_HOST))

# ---- routers --------------------------------------------------------------------------------------

# sim/engine/fast/fast.c takes in some of them
SIM_HLS       := $(filter-out %/route.c %/router.c %/tile.c %/tile_ctl.c,$(call room_c,router))
$(foreach m,$(SIM_MACHINES),$(eval SIM_HLS_$(m) := $(filter-out $(OMIT_$(m)),$(call room_c,link)) hls/chip/link_port.c))
SIM_HLS_gemini += $(addprefix hls/chip/maint/,maint_axil.c maint_bus.c supervisor.c) hls/axi/axil_regs.c

# all of a machine in one object, of which sim/ sees two names; what calls what is known before it is made to code
define sim_router
build/sim/$(1)/%.bc: sim/%.c
	$$(call compile,$$(CLANG) $$(C23) -O2 -Xclang -disable-llvm-passes -emit-llvm $$(TUNE) -I. -Ihls $(call sim_flags,$(1)))

build/sim/$(1)/hls/%.bc: hls/%.c
	$$(call compile,$$(CLANG) $$(C23) -O2 -Xclang -disable-llvm-passes -emit-llvm $$(TUNE) -Ihls $(call sim_flags,$(1)))

build/sim/$(1).bc: $$(patsubst hls/%.c,build/sim/$(1)/hls/%.bc,$$(SIM_HLS) $$(SIM_HLS_$(1))) \
    build/sim/$(1)/net/machine.bc build/sim/$(1)/engine/router_model.bc build/sim/$(1)/engine/maint_model.bc build/sim/$(1)/engine/fast/fast.bc sim/engine/ranges.awk
	@echo "  join    $$@"
	@llvm-link-19 $$(filter %.bc,$$^) -o $$@.all
	@set -o pipefail; llvm-dis-19 $$@.all -o - | awk -f sim/engine/ranges.awk | \
	    opt-19 -passes=internalize -internalize-public-api-list=machine_$(1),router_$(1) - -o $$@.part
	@mv $$@.part $$@

build/sim/$(1).o: build/sim/$(1).bc $(SIM_PROFILE_$(1))
	@echo "  cc      $$@"
	@clang-19 -O2 $$(TUNE) $$(SIM_PROFILE_$(1):%=-fprofile-use=%) -g1 -c $$< -o $$@.part
	@echo "clang-19 -O2 $$(TUNE) $$(SIM_PROFILE_$(1):%=-fprofile-use=%)" >build/sim/$(1).flags
	@mv $$@.part $$@
endef
SIM_PROFILE_a16 := build/sim/a16.profile
$(foreach m,$(SIM_MACHINES),$(eval $(call sim_router,$(m))))

SIM_NETWORK := $(filter-out net/deadlock,$(SIM_GRAPH)) \
    $(addprefix engine/,flows traffic ranks/packets ranks/ranks ranks/border nic router_models checked network network_stats)

SIM_NETSIM  := $(SIM_NETWORK:%=build/sim/%.o) $(SIM_MACHINES:%=build/sim/%.o) build/sim/engine/checks.o \
    $(patsubst %.c,build/%.o,$(wildcard sim/netsim/*.c)) build/sim/engine/ranks/launch.o \
    build/sim/engine/tape.o build/sim/engine/checkpoint.o build/sim/engine/measure.o

SIM_NETSPEED := $(SIM_NETWORK:%=build/sim/%.o) $(SIM_MACHINES:%=build/sim/%.o) build/sim/engine/checks.o \
    $(patsubst %.c,build/%.o,$(wildcard sim/speed/*.c)) build/sim/engine/ranks/launch.o

# a16 is for speed: which branches it takes is counted in a small network, of the same clocks and so the same counts each time
build/sim/a16.train.o: build/sim/a16.bc
	@clang-19 -O2 $(TUNE) -fprofile-generate -c $< -o $@

build/sim/train: $(filter-out build/sim/a16.o,$(SIM_NETSPEED)) build/sim/a16.train.o build/sim/engine/ranks/one.o
	$(call link,clang-19 -fprofile-generate,-lm)

build/sim/a16.profile: build/sim/train
	@echo "  count   $@"
	@LLVM_PROFILE_FILE=$@.raw build/sim/train --load 0.5 --clocks 500 --json build/sim/train.json dragonfly16:5x1x8x4 >/dev/null
	@llvm-profdata-19 merge -o $@.part $@.raw
	@mv $@.part $@

# a checkpoint is of the program that wrote it: of these sources
SIM_SOURCES := $(sort $(wildcard hls/hls.h $(foreach f,common config router link chip,hls/$f/*.[ch] hls/$f/*/*.[ch] hls/$f/*.inc hls/$f/*/*.inc) $(foreach f,base net engine engine/ranks engine/fast,sim/$f/*.[ch])))
build/sim/engine/checkpoint.o: sim/engine/checkpoint.c $(SIM_SOURCES)
	$(call compile,$(CC_HOST) $(C11) -O2 -I. -DSIM_SOURCES='"$(shell cat $(SIM_SOURCES) | sha256sum | cut -c1-16)"')

# with MPI there are the same programs for several ranks
ifneq ($(shell command -v mpicc),)
SIM_MPI := build/bin/netsim-mpi build/bin/netspeed-mpi
SIM_BGL_MPI := build/bin/bglsim-mpi
build/sim/engine/ranks/mpi.o: sim/engine/ranks/mpi.c
	$(call compile,$(CC_HOST) $(C11) -O2 -I. $(patsubst -I%,-isystem %,$(shell mpicc --showme:compile)))

build/bin/netsim-mpi: $(SIM_NETSIM) build/sim/engine/ranks/mpi.o
	$(call link,$(CC_HOST),-lm $(shell mpicc --showme:link))

build/bin/netspeed-mpi: $(SIM_NETSPEED) build/sim/engine/ranks/mpi.o
	$(call link,$(CC_HOST),-lm $(shell mpicc --showme:link))
else
SIM_ALONE := @echo "  networks run in one process: there is no mpicc; libopenmpi-dev and openmpi-bin bring it"
endif

build/bin/netsim: $(SIM_NETSIM) build/sim/engine/ranks/one.o | $(SIM_MPI)
	$(call link,$(CC_HOST),-lm)
	$(SIM_ALONE)

build/bin/netcompare: $(SIM_NETWORK:%=build/sim/%.o) $(SIM_MACHINES:%=build/sim/%.o) \
    build/sim/engine/checks.o build/sim/engine/measure.o build/sim/compare/compare.o
	$(call link,$(CC_HOST),-lm)

build/bin/nethop: $(SIM_NETWORK:%=build/sim/%.o) $(SIM_MACHINES:%=build/sim/%.o) build/sim/engine/checks.o build/sim/compare/hop.o build/sim/compare/hop_packets.o
	$(call link,$(CC_HOST),-lm)

SIM_FAILOVER := blocks degraded desk faults l0 links plain supervisor words
build/bin/failover: $(SIM_NETWORK:%=build/sim/%.o) $(SIM_MACHINES:%=build/sim/%.o) build/sim/engine/checks.o build/sim/net/deadlock.o \
    build/sim/engine/ranks/one.o $(SIM_FAILOVER:%=build/sim/failover/%.o) build/sim/failover/failover.o
	$(call link,$(CC_HOST),-lm)

build/bin/netspeed: $(SIM_NETSPEED) build/sim/engine/ranks/one.o | $(SIM_MPI)
	$(call link,$(CC_HOST),-lm)

# ---- Blue Gene/L: the performance simulator shares nothing with hls/ ---------------------------------

SIM_BGL := $(patsubst sim/%.c,%,$(wildcard sim/bgl/*.c sim/bgl/fast/*.c)) base/args base/program engine/ranks/launch
build/bin/bglsim: $(SIM_BGL:%=build/sim/%.o) build/sim/engine/ranks/one.o | $(SIM_BGL_MPI)
	$(call link,$(CC_HOST),-lm -lpthread)

build/bin/bglsim-mpi: $(SIM_BGL:%=build/sim/%.o) build/sim/engine/ranks/mpi.o
	$(call link,$(CC_HOST),-lm -lpthread $(shell mpicc --showme:link))

# its test runs odd tori by this one
build/bin/bglsim-san: $(SIM_BGL:%=build/sim-san/%.o) build/sim-san/engine/ranks/one.o
	$(call link,$(CLANG) $(SANITIZE),-lm -lpthread)

# ---- tests ---------------------------------------------------------------------------------------

# the harness without networks
SIM_SAN_HARNESS := $(addprefix build/sim-san/,tb/base/harness.o base/args.o base/program.o)
SIM_SAN_GRAPH := $(SIM_GRAPH:%=build/sim-san/%.o) $(SIM_MACHINES:%=build/sim-san/%/net/machine.o)

build/tb/test_sim_deadlock: | build/bin/deadlock
build/tb/test_sim_topology build/tb/test_sim_roots build/tb/test_sim_deadlock: build/tb/%: build/sim-san/test/%.o \
    build/sim-san/tb/base/harness.o $(SIM_SAN_GRAPH)
	$(call link,$(CLANG) $(SANITIZE),-lcjson -lm)

# routers with sanitizers would take hours: this one is built as netsim is
build/sim/tb/%.o: tb/%.c
	$(call compile,$(CC_HOST) $(C11) -O2 -I.)

build/tb/test_sim_network: build/sim/test/test_sim_network.o build/sim/tb/base/harness.o \
    $(SIM_NETWORK:%=build/sim/%.o) build/sim/net/deadlock.o $(SIM_MACHINES:%=build/sim/%.o)
	$(call link,$(CC_HOST),-lcjson -lm)

build/tb/test_sim_netsim: build/sim-san/test/test_sim_netsim.o $(SIM_SAN_HARNESS) | build/bin/netsim
	$(call link,$(CLANG) $(SANITIZE),-lcjson -lm)

build/tb/test_bgl_agree-bgl: | build/bin/bglsim
build/tb/test_sim_bgl: build/sim-san/test/test_sim_bgl.o $(SIM_SAN_HARNESS) | build/bin/bglsim build/bin/bglsim-san
	$(call link,$(CLANG) $(SANITIZE),-lcjson -lm)

build/tb/test_ss_waits: build/sim-san/test/test_ss_waits.o $(patsubst %,build/sim-san/%.o,$(SIM_SEASTAR) base/args base/program tb/base/harness tb/golden/seastar/ss_head)
	$(call link,$(CLANG) $(SANITIZE),$(TB_LIBS))

build/tb/test_bgl_hints build/tb/test_bgl_channels: build/tb/%: build/sim/test/%.o build/sim/tb/base/harness.o \
    $(addprefix build/sim/,bgl/channels.o bgl/hints.o bgl/lines.o bgl/fast/shape.o base/args.o base/program.o)
	$(call link,$(CC_HOST),-lcjson -lm)

build/tb/test_sim_files: build/sim-san/test/test_sim_files.o $(SIM_SAN_HARNESS) | build/bin/netsim build/bin/deadlock
	$(call link,$(CLANG) $(SANITIZE),-lcjson -lm)

build/tb/test_sim_speed: build/sim-san/test/test_sim_speed.o $(SIM_SAN_HARNESS) | build/bin/netspeed
	$(call link,$(CLANG) $(SANITIZE),-lcjson -lm)

build/tb/test_sim_fast: build/sim/test/test_sim_fast.o build/sim/tb/base/harness.o \
    $(SIM_NETWORK:%=build/sim/%.o) $(SIM_MACHINES:%=build/sim/%.o)
	$(call link,$(CC_HOST),-lcjson -lm)

build/tb/test_sim_ranks: build/sim-san/test/test_sim_ranks.o $(SIM_SAN_HARNESS) | build/bin/netsim
	$(call link,$(CLANG) $(SANITIZE),-lcjson -lm)

build/tb/test_sim_compare: build/sim-san/test/test_sim_compare.o $(SIM_SAN_HARNESS) | build/bin/netcompare build/bin/nethop
	$(call link,$(CLANG) $(SANITIZE),-lcjson -lm)

build/tb/test_sim_failover: build/sim/test/test_sim_failover.o build/sim/tb/base/harness.o build/sim/engine/ranks/one.o \
    $(SIM_NETWORK:%=build/sim/%.o) build/sim/net/deadlock.o $(SIM_MACHINES:%=build/sim/%.o) $(SIM_FAILOVER:%=build/sim/failover/%.o) | build/bin/failover
	$(call link,$(CC_HOST),-lcjson -lm)

build/tb/test_sim_attack build/tb/test_sim_attack_lcb build/tb/test_sim_random: build/tb/%: build/sim/test/%.o build/sim/test/attack.o \
    build/sim/tb/base/harness.o build/sim/engine/ranks/one.o $(SIM_NETWORK:%=build/sim/%.o) build/sim/net/deadlock.o \
    $(SIM_MACHINES:%=build/sim/%.o) $(SIM_FAILOVER:%=build/sim/failover/%.o)
	$(call link,$(CC_HOST),-lcjson -lm)

TB_TESTS += build/tb/test_ss_waits build/tb/test_bgl_hints build/tb/test_bgl_channels build/tb/test_sim_bgl build/tb/test_sim_fast build/tb/test_sim_attack build/tb/test_sim_attack_lcb build/tb/test_sim_random build/tb/test_sim_failover build/tb/test_sim_ranks build/tb/test_sim_compare build/tb/test_sim_speed build/tb/test_sim_files build/tb/test_sim_topology build/tb/test_sim_roots build/tb/test_sim_deadlock build/tb/test_sim_network build/tb/test_sim_netsim
