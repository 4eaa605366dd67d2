# SPDX-License-Identifier: Apache-2.0
#
# host.mk - programs of a modelled machine's nodes: machined, the library with the uGNI names, their tests.
#
#   hls/*/*.c, sim/host/machined/chips.c of protoxc --clang, C23, -O3 -flto, llvm-link, opt, clang--> build/machined/chips.o
#   the rest of sim/host/machined, sim/host        --gcc, C11--> build/bin/machined
#   chip.v of proto, Verilated, with the same      --> build/bin/machined-rtl
#   sim/host/ugni                                  --gcc, C11--> build/lib/libugni.so, libpmi.so, pkgconfig/

CHIPS       := $(patsubst %,sim/host/machined/%.c,chips chips_axi chips_signals)
MACHINED_BC := $(patsubst %.c,build/tb/lto-protoxc/%.o,$(call machine_c,protoxc) $(CHIPS) sim/host/machined/chips_native.c)

# one object, so that what calls what is known before it is made to code
build/machined/chips.o: $(MACHINED_BC)
	@echo "  join    $@"; mkdir -p $(@D)
	@llvm-link-19 $^ -o $@.all.bc
	@opt-19 -passes='internalize,globaldce' -internalize-public-api-list=$(CHIPS_API) $@.all.bc -o $@.opt.bc
	@clang-19 -O3 $(TUNE) -g1 -c $@.opt.bc -o $@.part && mv $@.part $@

CHIPS_API := chips_sizes,chips_new,chips_free,chips_clock,chips_clocks,chips_busy,chips_address,chips_host,chips_room,chips_irq,chips_counts,chips_errors,chips_marks,chips_signal,chips_signal_name

# ---- the machine -----------------------------------------------------------------------------------

HOST_DRIVER  := driver driver_engines driver_handles driver_pages driver_posts driver_rings names ptags spans fma
MACHINED     := $(HOST_DRIVER:%=host/%) $(patsubst %,host/machined/%,machined memory programs requests datagrams rdma trace) base/args base/program
# waveforms are written by the library that Verilator brings
FST_DIR = $(shell verilator --getenv VERILATOR_ROOT)/include/gtkwave
build/machined/%.o:
	@echo "  cc      $@"; mkdir -p $(@D); $(CC_HOST) -w -O2 -I$(FST_DIR) -DFST_CONFIG_INCLUDE='"fst_config.h"' -c $(FST_DIR)/$*.c -o $@
build/sim/host/machined/trace.o: sim/host/machined/trace.c
	$(call compile,$(CC_HOST) $(C11) -O2 -I. -isystem $(FST_DIR))
build/bin/machined: $(MACHINED:%=build/sim/%.o) build/sim/engine/checks.o build/machined/chips.o $(addprefix build/machined/,fstapi.o fastlz.o lz4.o)
	$(call link,$(CC_HOST),-lpthread -lz)

# the same over the Verilog of proto's chip
build/bin/machined-rtl: $(MACHINED:%=build/sim/%.o) build/sim/engine/checks.o $(addprefix build/machined/,fstapi.o fastlz.o lz4.o) \
    $(patsubst %.c,build/tb/fast-proto/%.o,$(call machine_c,proto) $(CHIPS) sim/host/machined/chips_rtl.c) $(call tb_rtl,-proto,proto,chip)
	$(call link,g++,-lpthread -lz)

NICBENCH     := $(HOST_DRIVER:%=host/%) host/nicbench/nicbench base/args base/program
build/bin/nicbench: $(NICBENCH:%=build/sim/%.o) build/sim/engine/checks.o build/machined/chips.o
	$(call link,$(CC_HOST))

# ---- the library -------------------------------------------------------------------------------------

UGNI := $(patsubst sim/%.c,%,$(filter-out %/pmi.c %/time.c,$(wildcard sim/host/ugni/*.c))) host/fma
# what clients see are the interface's names alone
build/ugni/%.o: sim/%.c
	$(call compile,$(CC_HOST) $(C11) -O2 -fPIC -I.)
build/ugni-san/%.o: sim/%.c
	$(call compile,$(CLANG) $(C11) -O1 $(SANITIZE) -I.)

build/lib/libugni.so: $(UGNI:%=build/ugni/%.o) sim/host/ugni/names.map
	$(call link,$(CC_HOST) -shared -Wl$(COMMA)-soname$(COMMA)libugni.so.0 -Wl$(COMMA)--version-script=sim/host/ugni/names.map,-lpthread)
	@ln -sf libugni.so build/lib/libugni.so.0
build/lib/libpmi.so: build/ugni/host/ugni/pmi.o
	$(call link,$(CC_HOST) -shared -Wl$(COMMA)-soname$(COMMA)libpmi.so.0)
	@ln -sf libpmi.so build/lib/libpmi.so.0

build/lib/libheddle_time.so: build/ugni/host/ugni/time.o
	$(call link,$(CC_HOST) -shared,-ldl)

# ---- tests: the library with sanitizers, the machine without --------------------------------------------

HOST_TEST := $(UGNI:%=build/sim-san/%.o) build/sim-san/host/test/pairs.o build/sim-san/host/test/amo_model.o $(SIM_SAN_HARNESS)
HOST_TESTS := test_ugni test_ugni_messages test_ugni_errors test_ugni_death
$(HOST_TESTS:%=build/tb/%): build/tb/%: build/sim-san/host/test/%.o $(HOST_TEST) | build/bin/machined
	$(call link,$(CLANG) $(SANITIZE),-lcjson -lm -lpthread)
TB_TESTS += $(HOST_TESTS:%=build/tb/%)

# ---- what clients are compiled with: build/lib/pkgconfig, build/include/gni_pub.h, pmi.h --------------------

HOST_PC = @mkdir -p $(@D); printf 'Name: %s\nDescription: %s\nVersion: 1.0\nCflags: -I%s\nLibs: -L%s -l%s\n' \
    $(1) '$(2)' $(CURDIR)/build/include $(CURDIR)/build/lib $(3) >$@
build/lib/pkgconfig/cray-ugni.pc:
	$(call HOST_PC,cray-ugni,Generic Network Interface over a modelled NIC,ugni)
build/lib/pkgconfig/cray-pmi.pc:
	$(call HOST_PC,cray-pmi,rank and size of a process,pmi)
build/include/%.h: sim/host/ugni/%.h
	@mkdir -p $(@D); cp $< $@
.PHONY: _ugni
_ugni: build/lib/libugni.so build/lib/libpmi.so build/lib/pkgconfig/cray-ugni.pc build/lib/pkgconfig/cray-pmi.pc \
    build/include/gni_pub.h build/include/pmi.h build/include/heddle.h build/lib/libheddle_time.so ; @:

# the example of a user's program
build/bin/put_word: build/sim/host/example/put_word.o build/lib/libugni.so
	@echo "  link    $@"; mkdir -p $(@D); $(CC_HOST) $< -Lbuild/lib -lugni -Wl,-rpath,'$$ORIGIN/../lib' -o $@.part && mv $@.part $@
