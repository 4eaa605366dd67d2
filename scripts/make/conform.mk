# SPDX-License-Identifier: Apache-2.0
#
# conform.mk - what scripts/conform.sh links with somebody's Verilog: build/conform/<machine>/<block>.a, all of the bench
# but the model itself.
#
#   build/rtl/<machine>/<block>.json --ports.py--> build/conform/<machine>/<block>_ports.h

CONFORM_lcb     := tb/models/channel tb/models/traffic tb/golden/link/link tb/golden/link/lane $(patsubst %.c,%,$(filter-out $(OMIT_aries),$(call room_c,link)))
CONFORM_router  := $(patsubst %,tb/%,base/dut base/info $(addprefix system/router/router_,bench traffic tables cases)) \
    $(patsubst %.c,%,$(filter-out %/test_%,$(wildcard tb/golden/router/*.c)) $(call room_c,router))
CONFORM_nic     := $(patsubst %.c,%,$(filter-out tb/conform/% $(OMIT_proto),$(conform_nic_LINK)))
CONFORM_BENCHES := proto/nic aries/lcb proto/lcb $(foreach m,$(ROUTERS) p16,$(m)/router)

# what has the ports of a block, if it is not of its name
CONFORM_PORTS_nic := endpoint

# $(call conform,machine,suffix,block)
define conform
build/conform/$(1)/$(3)_ports.h: build/rtl/$(1)/$(or $(CONFORM_PORTS_$(3)),$(3)).json tb/conform/ports.py
	@mkdir -p $$(@D); tb/conform/ports.py c $$< >$$@.part && mv $$@.part $$@

build/conform/$(1)/$(3)/%.o: tb/conform/%.c build/conform/$(1)/$(3)_ports.h
	$$(call compile,$$(CLANG) $$(C23) -O2 $$(INCLUDES) $(call machine_flags,$(1)) -Ibuild/conform/$(1))

build/conform/$(1)/$(3).a: \
    $(patsubst tb/conform/%.c,build/conform/$(1)/$(3)/%.o,$(filter-out %/test_conform_$(3).c,$(wildcard tb/conform/*.c tb/conform/$(3)/*.c))) \
    $(patsubst %,build/tb/fast$(2)/%.o,tb/base/harness sim/base/args sim/base/program $(CONFORM_$(3)))
	@rm -f $$@.part; ar rcs $$@.part $$^ && mv $$@.part $$@
endef
$(foreach x,$(CONFORM_BENCHES),$(eval $(call conform,$(patsubst %/,%,$(dir $(x))),$\
    $(patsubst %/,-%,$(filter-out aries/,$(dir $(x)))),$(notdir $(x)))))

# Without RTL there is nothing to check, and conform.sh prints the ports.
.PHONY: _conform_programs
_conform_programs: $(if $(RTL),$(patsubst %,build/conform/%.a,$(filter $(MACHINE)/$(BLOCK),$(CONFORM_BENCHES))) \
    build/verilated/cxx-waves build/verilated/libverilated.a) ; @:

# what scripts/test/test-conform.sh needs
CONFORM_TESTED := build/conform/aries/lcb.a build/conform/proto/router.a build/verilated/cxx build/verilated/cxx-waves build/verilated/libverilated.a \
    build/verilated/aries/lcb/model.o build/verilated/proto/router/model.o
# and with nobody's name, in make soak: a NIC takes minutes
CONFORM_LONG := $(CONFORM_TESTED) build/conform/proto/nic.a build/verilated/proto/endpoint/model.o
