# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# tap.sh - for tests to source: a line of TAP for each thing that is asked.
# shellcheck disable=SC2034 # failed is for who sources it

number=0 # lines so far
failed=0 # 1: one was not ok

# check NAME COMMAND...: that the command's exit status is 0
check() {
    local name=$1
    shift
    number=$((number + 1))
    if "$@"; then
        echo "ok $number - $name"
    else
        failed=1
        echo "not ok $number - $name"
    fi
}

# expect NAME STATUS PATTERN COMMAND...: exit status and a pattern in the output
expect() {
    local name=$1 status=$2 pattern=$3 got=0 output
    shift 3
    number=$((number + 1))
    output=$("$@" 2>&1) || got=$?
    if [ "$got" -eq "$status" ] && tr '\n' ' ' <<<"$output" | grep -q -e "$pattern"; then
        echo "ok $number - $name"
    else
        failed=1
        echo "not ok $number - $name # status $got; $(head -n 1 <<<"$output")"
    fi
}
