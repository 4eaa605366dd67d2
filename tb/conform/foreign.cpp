// SPDX-License-Identifier: Apache-2.0
/*
 * foreign.cpp - the only file of conform that sees Verilator; foreign.h says what it does.
 */
#include "tb/conform/foreign.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "Vconform_dut.h"
#include "verilated.h"
#include "verilated_fst_c.h"

namespace
{

struct instance {
    std::unique_ptr<Vconform_dut> top;
    bool stepped;
};

std::unique_ptr<VerilatedContext> context;
std::vector<std::unique_ptr<instance>> instances;
std::unique_ptr<VerilatedFstC> fst;
uint64_t clocks;
int reset = 2;     // what has none begins at random
std::string ended; // where a $finish stands

bool all_stepped()
{
    for (const auto &i : instances)
        if (!i->stepped)
            return false;
    return true;
}

/* Behind the rising edge of all: the waveform, and the falling edge. */
void end_clock()
{
    if (fst)
        fst->dump(clocks * 2);
    for (const auto &i : instances) {
        i->top->clk = 0;
        i->top->eval();
        i->stepped = false;
    }
    if (fst)
        fst->dump(clocks * 2 + 1);
    clocks++;
}

} // namespace

/* The runtime is compiled with VL_USER_FINISH; $stop and $fatal come here, too, by way of its vl_stop. */
void vl_finish(const char *file, int line, const char *)
{
    ended = std::string(file) + ":" + std::to_string(line);
    Verilated::threadContextp()->gotFinish(true);
}

extern "C" void *foreign_new(const char *name)
{
    if (!context) {
        context = std::make_unique<VerilatedContext>();
        context->traceEverOn(true);
        context->randReset(reset);
        context->randSeed(1);
        context->fatalOnError(false);
        clocks = 0;
    }
    Verilated::threadContextp(context.get());
    auto made = std::make_unique<instance>();
    made->top = std::make_unique<Vconform_dut>(context.get(), name);
    made->top->clk = 0;
    made->top->rst = 0;
    made->top->eval();
    instances.push_back(std::move(made));
    return instances.back().get();
}

extern "C" void foreign_zeros(void)
{
    reset = 0;
}

extern "C" void foreign_step(void *of, bool rst, const uint32_t *in, uint32_t *out)
{
    instance *i = static_cast<instance *>(of);
    i->top->rst = rst;
    memcpy(i->top->in.data(), in, sizeof i->top->in);
    i->top->clk = 1;
    i->top->eval();
    memcpy(out, i->top->out.data(), sizeof i->top->out);
    i->stepped = true;
    if (all_stepped())
        end_clock();
}

extern "C" void foreign_trace(const char *file, uint64_t clock)
{
    clocks = clock;
    fst = std::make_unique<VerilatedFstC>();
    for (const auto &i : instances)
        i->top->trace(fst.get(), 99);
    fst->open(file);
}

extern "C" void foreign_trace_end(void)
{
    if (fst)
        fst->close();
    fst.reset();
}

extern "C" const char *foreign_ended(void)
{
    return context && context->gotFinish() ? ended.c_str() : nullptr;
}

extern "C" void foreign_free(void)
{
    foreign_trace_end();
    for (const auto &i : instances)
        i->top->final();
    instances.clear();
    context.reset();
}
