# SPDX-License-Identifier: Apache-2.0
#
# fuzz.mk - the programs that tb/equiv/fuzz/fuzz.sh uses.

FUZZ_GEN := $(patsubst tb/equiv/fuzz/%.c,build/fuzz/obj/%.o,$(wildcard tb/equiv/fuzz/gen*.c))
FUZZ_BIN := build/bin/fuzzgen build/bin/fuzzglue build/bin/fuzzreduce build/bin/fuzzmutate \
    build/bin/fuzzrun

.PHONY: _fuzz_programs
_fuzz_programs: $(FUZZ_BIN) build/bin/rtlgen build/bin/rtlgen-test \
    build/verilated/libverilated.a build/fuzz/include/done ; @:

# Verilator 5.006 clears the wrong words of constants above 256 bits whose top words are zero
# (VL_CONSTHI_W_*, verilated_funcs.h): it counts them from the piece instead of from the whole, and
# writes behind the variable. A copy of its headers with that corrected.
build/fuzz/include/done: $(VERILATOR_INC)/verilated_funcs.h
	@rm -rf $(@D); mkdir -p $(dir $(@D)); cp -r $(VERILATOR_INC) $(@D)
	@sed 's/VL_C_END_(obits, VL_WORDS_I(lsb) + \([0-9]\))/VL_C_END_(obits - 32 * VL_WORDS_I(lsb), \1)/' \
	    $< >$(@D)/verilated_funcs.h
	@touch $@

build/fuzz/obj/run.o: tb/equiv/fuzz/run.c
	$(call compile,$(CLANG) $(C23) -O2 $(INCLUDES))

build/fuzz/obj/%.o: tb/equiv/fuzz/%.c
	$(call compile,$(CC_HOST) $(C11) -O1 -I.)

FUZZ_RUN_O := build/fuzz/obj/run.o $(patsubst %,build/tb/%.o,base/info sim/base/args sim/base/program lockstep/native lockstep/states lockstep/stimulus)

build/fuzz/run.a: $(FUZZ_RUN_O)
	@rm -f $@.part; ar rcs $@.part $^ && mv $@.part $@

FUZZ_ARGS := build/sim/base/args.o build/sim/base/program.o

build/bin/fuzzgen: $(FUZZ_GEN) $(FUZZ_ARGS)
	$(call link,$(CC_HOST))

build/bin/fuzzrun: $(FUZZ_RUN_O) build/fuzz/run.a
	@echo "  link    $@"; g++ -rdynamic $(filter %.o,$^) -lcjson -ldl -o $@.part && mv $@.part $@

build/bin/fuzzglue: build/fuzz/obj/glue.o build/tb/base/info.o $(FUZZ_ARGS)
	$(call link,$(CC_HOST),-lcjson)

build/bin/fuzzmutate: $(patsubst tb/equiv/fuzz/%.c,build/fuzz/obj/%.o,$(wildcard tb/equiv/fuzz/mutate*.c)) $(FUZZ_ARGS)
	$(call link,$(CC_HOST))

build/bin/fuzzreduce: build/fuzz/obj/reduce.o $(FUZZ_ARGS)
	$(call link,$(CC_HOST))
