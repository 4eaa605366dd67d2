#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# prove.sh - proofs about the link and the router with yosys-smtbmc and z3.
#
# Each property set is a prover of hls/link/formal, hls/router/formal, hls/chip/formal,
# hls/nic/formal, hls/bgl/formal or hls/lib/formal, a module in C: rtlgen lowers it together with the
# blocks it is about, Yosys turns the Verilog into SMT-LIB, z3 decides. By induction: the assertions
# hold in the first DEPTH clocks after reset, and whenever they held for DEPTH clocks they hold in
# the next one; what memories return is left open, which proves more than needed (in store they are registers); covers are reached within
# 20 clocks. Bounded: they hold in the first DEPTH clocks, and every cover is reached within them, so DEPTH is enough.
#
# Results: build/prove/entry/set-*.json, each {set, module, machine, method, depth, proved, covers, covers_reached,
# seconds}, and with those of prove-rtl.sh together build/reports/prove.json; a counterexample as waveform in
# PROOFS (build/prove). Environment: RTLGEN, HLS (hls: the tree that is lowered), PROOFS.
set -euo pipefail

usage() {
    cat <<'END'
usage: prove.sh [SET ...]

  rx_buffer  lcb_rx never overflows its buffer nor overwrites a flit in it      induction
  tx_window  lcb_tx keeps base <= resend <= next and what waits for its ack     induction
  claims     what lcb_rx, lcb_tx and lane_tx assume of lcb_link and each       induction
             other, the four joined: nothing is left at a new epoch, words keep pace
  credit     lcb_credit never promises more space than the peer has,            induction
             to packets announced ahead neither, and across a link's death
  pair       two LCBs over a channel that drops and corrupts micropackets:      bounded
             every flit once, in order; naks, timeouts, sequence wrap reached
  pkt_window  pkt_tx keeps base <= resend <= next                              induction
  pkt_credit  pkt_credit charges no VC beyond what it is lent, and all that    induction
             it charges stands somewhere
  speculation  inq_store behind a link in packet mode: no flit is written over  induction
             another, credit given back is what good packets took (proto24, packets of 4)
  tap        maint_tap asks the bus once for each good request, gives back     induction
             what it took, and shares the wires to the link with the router
  store      inq_store: every block of the buffer has one owner,            induction
             no flit is written over another (proto, half its buffer)
  tags       orb: every tag is in one place, no list of them overflows        induction
             (proto, 4 tags)
  ids        ssid: every id is in one place, no list of them overflows        bounded
             (proto, 4 ids)
  segments   rat: no address leaves outside of a segment of the packet's   induction
             domain with that right, whatever two bits of a word of its
             tables are wrong (2 MDDs, 2 vMDHs)
  room       every queue of beats: none gets one that it has no place for,  induction
             whatever its sender does within the rule of room
  contexts   rat, npt: every context finds its place                        induction
  promises   tarb: no request is begun that may find no tag in orb            induction
  runs       nic_fma: every run that waits is decided while tarb has room,    induction
             whatever the driver disables and enables (2 descriptors)
  division   div.inc: what was taken of the dividend is quotient * divisor +    induction
             remainder, for integers of any size with division.smt2
  bgl_tokens  the chunks of each VC of a Blue Gene/L link are conserved,       induction
             whatever acks are lost or repeated
  bgl_sender  no packet is begun without tokens, none that enters a ring         induction
             takes the last place; a grant that lapses changes nothing
  bgl_numbers  its packets are accepted once and in order, whatever is lost       induction
  bgl_queue   a VC FIFO of VC 0 or 1 is never written beyond its end             induction
  bgl_bubble  nor is one of VC 2 or 3, whatever the lengths of its packets       induction
  bgl_valid   what a VC FIFO passes on ends with a good valid byte only if it    induction
             was accepted with one
END
}

fail() {
    echo "prove.sh: $*" >&2
    exit 1
}

cover_depth=20 # of those by induction

# set: prover, machine, method, depth, blocks that it instantiates
declare -A property=(
    [rx_buffer]="link/formal/prove_rx aries induction 2"
    [tx_window]="link/formal/prove_tx aries induction 3"
    [claims]="link/formal/prove_claims aries induction 4"
    [credit]="link/formal/prove_credit formal induction 2"
    [pair]="link/formal/prove_pair formal bounded 46 link/micropacket/lcb_tx link/micropacket/lcb_rx"
    [pkt_window]="link/formal/prove_pkt_window proto24 induction 1"
    [pkt_credit]="link/formal/prove_pkt_credit proto24 induction 1"
    [speculation]="router/formal/prove_speculation proto24 induction 1"
    [tap]="chip/formal/prove_tap yarc induction 1"
    [store]="router/formal/prove_store proto induction 1"
    [tags]="nic/formal/prove_tags proto induction 1"
    [ids]="nic/formal/prove_ids proto bounded 8"
    [segments]="nic/formal/prove_segments proto induction 1"
    [room]="nic/formal/prove_room aries induction 1"
    [contexts]="nic/formal/prove_contexts proto induction 1"
    [promises]="nic/formal/prove_promises proto induction 1"
    [runs]="nic/formal/prove_runs proto induction 26"
    [bgl_tokens]="bgl/formal/prove_bgl_tokens bgl induction 1"
    [bgl_sender]="bgl/formal/prove_bgl_sender bgl induction 1"
    [bgl_numbers]="bgl/formal/prove_bgl_numbers bgl induction 1"
    [bgl_queue]="bgl/formal/prove_bgl_queue bgl induction 1"
    [bgl_bubble]="bgl/formal/prove_bgl_bubble bgl induction 1"
    [bgl_valid]="bgl/formal/prove_bgl_valid bgl induction 1"
    [division]="lib/formal/prove_division aries induction 1"
)

# Sets whose questions z3 decides faster with a solver of its own for each: bit by bit, with nothing learned from those before.
declare -A alone=([pkt_credit]=1 [bgl_numbers]=1 [bgl_queue]=1 [bgl_bubble]=1)

[[ ${1:-} != --help ]] || { usage && exit 0; }
cd "$(dirname "$0")/../../.."
. scripts/given.sh
sets=("$@")
[[ $# -gt 0 ]] || sets=(rx_buffer tx_window claims credit pair pkt_window pkt_credit speculation tap store tags ids segments room contexts promises runs bgl_tokens bgl_sender bgl_numbers bgl_queue bgl_bubble bgl_valid division)
for set in "${sets[@]}"; do
    [[ -n ${property[$set]:-} ]] || { usage >&2 && fail "no property set $set"; }
done
rtlgen=${RTLGEN:-build/bin/rtlgen}
hls=${HLS:-hls}
proofs=${PROOFS:-build/prove}
plain_paths "$rtlgen" "$hls" "$proofs"
[[ -x $rtlgen ]] || fail "$rtlgen is missing; run make prove, or set RTLGEN"
ulimit -v 8000000

# Lowers a prover into $work and writes its SMT-LIB: model MACHINE METHOD PROVER BLOCK...
model() {
    local flags=() sources=() block module=${3##*/} memories=memory_map
    [[ $1 == aries ]] || flags=(-D "MACHINE_${1^^}=1")
    [[ $2 == bounded ]] || memories="delete t:\$mem*; setundef -undriven -anyseq"
    for block in "${@:4}"; do
        sources+=("$hls/$block.c")
    done
    "$rtlgen" "-I$hls" "${flags[@]}" -o "$work" "${sources[@]}" "$hls/$3.c" || fail "rtlgen refused $3"
    cat >"$work/top.v" <<END
module top (input wire clk);
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;
    $module dut (.clk(clk), .rst(rst));
endmodule
END
    (
        cd "$work"
        yosys -q -l yosys.log -p "read_verilog -formal -DHLS_ASSERT top.v $(tr '\n' ' ' <"$module.f")
            hierarchy -check -top top; chformal -cover -remove top %n $module %d
            proc; flatten; setundef -undriven -anyseq; opt -full
            chformal -early; memory -nordff -nomap; $memories; opt -fast; check; dffunmap; write_smt2 -wires model.smt2" \
            >/dev/null 2>&1
    ) || fail "Yosys refused $3, see $work/yosys.log"
}

# One run of the solver; the log is kept: solve LOG ARGUMENT...
solve() {
    local log=$1
    shift
    [[ $log == cover ]] || set -- --dump-vcd "$work/trace.vcd" "$@"
    [[ -z ${alone[$set]:-} ]] || set -- --noincr "$@"
    yosys-smtbmc -s z3 --logic QF_BV --unroll --noprogress "$@" "$work/model.smt2" >"$work/$log.log" 2>&1
}

entries=$proofs/entry
mkdir -p "$entries"
failed=0
for set in "${sets[@]}"; do
    read -r prover machine method depth blocks <<<"${property[$set]}"
    module=${prover##*/}
    work=$proofs/$set
    rm -rf "$work"
    mkdir -p "$work"
    printf '%-10s %-9s depth %2d ... ' "$set" "$method" "$depth"
    started=$SECONDS
    # shellcheck disable=SC2086
    model "$machine" "$method" "$prover" $blocks
    proved=true
    covers=$(grep -c 'cover (' "$work/$module.v" || true)
    if [[ $method == induction ]]; then
        { solve step -i -t "$depth" && solve base --presat -t "$depth"; } || proved=false
        [[ $covers -eq 0 || $proved == false ]] || solve cover -c -t "$cover_depth" || proved=false
    else
        solve base --presat -t "$depth" || proved=false
        solve cover -c -t "$depth" || proved=false
    fi
    reached=0
    [[ ! -e $work/cover.log ]] || reached=$(grep -c 'Reached cover' "$work/cover.log" || true)
    seconds=$((SECONDS - started))
    if $proved; then
        echo "proved, $reached of $covers covers, $seconds s"
    else
        echo "NOT proved, $seconds s: see $work"
        grep -hE 'Assert failed|Unreached cover|Error' "$work"/*.log || true
        failed=1
    fi
    echo "{\"set\": \"$set\", \"module\": \"$module\", \"machine\": \"$machine\", \"method\": \"$method\", \"depth\": $depth, \"proved\": $proved, \"covers\": $covers, \"covers_reached\": $reached, \"seconds\": $seconds}" >"$entries/set-$set.json"
done
[[ $proofs != build/prove ]] || tb/equiv/prove/prove-report.sh
exit "$failed"
