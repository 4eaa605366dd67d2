#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ucx.sh plugin|library|build|test|kinds|perf - UCX of Debian's source package, unchanged, over the library with the uGNI names.
#
# plugin: fetches the package, configures it --with-ugni and compiles its ugni transport alone: a plug-in of the UCX that Debian has installed, which
#   MPI uses. A minute, under build/clients/; what is there is kept.
# library: the same, and its libraries and tools.
# build: the same, and its test program.
# test [FILTER]: runs those tests whose name has ugni on a machine of two native chips, all on one node and all on two, of UCP's each EVERYth (10);
#   build/reports/clients.json. A process of the test program has both ends of a test: HEDDLE_NODE=0 or 0,1.
# kinds: one test of each kind on two Verilated nodes, into the same report.
# perf: its ucx_perftest between two nodes: put, get, add, active messages, latency and rate; build/reports/perftest.json.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly TOP=$PWD CLIENTS=$PWD/build/clients
readonly SOURCE=$CLIENTS/ucx BEFORE=$CLIENTS/libucx_ugni.so PLUGIN=$CLIENTS/libuct_ugni.so REPORT=$TOP/build/reports/clients.json
# Without assertions, as Debian builds it: one of UCX's own looks through a pointer that its ugni transport leaves null.
readonly OPTIONS=(--with-ugni --enable-mt --enable-gtest --disable-assertions --disable-static --without-java --without-go --without-verbs --without-rdmacm
    --without-knem --without-cma --without-xpmem --without-cuda --without-rocm --disable-doxygen-doc --disable-numa)
readonly VERSION=1.13.1

say() { echo "ucx: $*"; }
fail() { echo "ucx: $*" >&2; exit 1; }

needs() {
    local tool
    for tool in apt-get dpkg-source autoreconf libtoolize pkg-config; do
        command -v "$tool" >/dev/null || fail "$tool is missing: packages dpkg-dev, autoconf, automake, libtool, pkg-config bring what is needed"
    done
    [ -e /usr/include/bfd.h ] || fail "bfd.h is missing: package binutils-dev brings it"
}

# Sources of the machine's own Debian, by a configuration of apt that is nobody else's.
fetch() {
    [ -d "$SOURCE" ] && return
    mkdir -p "$CLIENTS"/apt/{etc,lists/partial,cache/archives/partial}
    cd "$CLIENTS"
    say "fetches the source package ucx $VERSION (6 MB) and Debian's lists of sources"
    # either form that Debian writes: its own file, or lines of sources.list
    : >apt/etc/src.list
    if [ -e /etc/apt/sources.list.d/debian.sources ]; then
        sed 's/^Types: .*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >apt/etc/src.sources
    else
        sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >apt/etc/src.list
    fi
    local options=(-o APT::Sandbox::User=root -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$CLIENTS/apt/etc"
        -o Dir::State::lists="$CLIENTS/apt/lists" -o Dir::Cache="$CLIENTS/apt/cache")
    apt-get "${options[@]}" update >fetch.log 2>&1 || fail "apt-get update: build/clients/fetch.log"
    apt-get "${options[@]}" source --download-only "ucx=$VERSION-1" >>fetch.log 2>&1 || fail "apt-get source: build/clients/fetch.log"
    dpkg-source -x "ucx_$VERSION-1.dsc" ucx.part >>fetch.log 2>&1 || fail "dpkg-source: build/clients/fetch.log"
    mv ucx.part ucx
    cd "$TOP"
}

# steps LOG COMMAND...: what it prints goes to a log under build/clients
steps() {
    local log=$1
    shift
    "$@" >>"$CLIENTS/$log" 2>&1 || fail "it does not build: build/clients/$log"
}

configured() {
    needs
    fetch
    cd "$SOURCE"
    export PKG_CONFIG_PATH=$TOP/build/lib/pkgconfig
    [ -e config.status ] || say "configures $VERSION in build/clients/ucx, once; build/clients/build.log"
    mkdir -p debian
    touch debian/compat
    [ -e configure ] || steps build.log ./autogen.sh
    [ -e config.status ] || steps build.log ./configure "${OPTIONS[@]}" --prefix="$CLIENTS/ucx-install" CFLAGS='-w -O1' CXXFLAGS='-w -O0'
    cd "$TOP"
    # what is loaded before it: ucx_ugni.c says why
    [ "$BEFORE" -nt scripts/clients/ucx_ugni.c ] ||
        steps build.log gcc -std=c11 -Wall -Wextra -Werror -O2 -shared -fPIC -isystem "$SOURCE/src" scripts/clients/ucx_ugni.c -o "$BEFORE"
}

# Debian's libraries have assertions, for which some structures have a field more.
plugin() {
    configured
    [ -e "$PLUGIN" ] && return
    ldconfig -p | grep -q 'libuct\.so\.0 ' || fail "there is no libuct.so.0: package libucx0 brings it"
    say "compiles its transport"
    cd "$SOURCE"
    # shellcheck disable=SC2046 # flags
    steps build.log gcc -shared -fPIC -w -O2 -DHAVE_CONFIG_H -DENABLE_ASSERT=1 -I. -Isrc $(pkg-config --cflags cray-ugni cray-pmi) \
        src/uct/ugni/*/*.c -o "$PLUGIN" -l:libuct.so.0 -l:libucs.so.0 $(pkg-config --libs cray-ugni cray-pmi) -lm
    cd "$TOP"
}

# Its libraries and tools, its sources as they are.
library() {
    configured
    cd "$SOURCE"
    if [ ! -e done-library ]; then
        say "builds its libraries: some minutes, once; build/clients/build.log"
        local part
        for part in src/ucm src/ucs src/uct src/ucp src/tools/info src/tools/perf; do
            steps build.log make -C "$part" -j"${J:-2}" CFLAGS='-w -O1 -Wno-error' CXXFLAGS='-w -O1 -fno-exceptions -fno-rtti'
        done
        touch done-library
    fi
    cd "$TOP"
}

# Of its test program what is about the transports and UCP.
build() {
    library
    [ -e "$SOURCE/done-tests" ] && return
    say "builds its test program: some minutes, once; build/clients/test-build.log"
    local flags=(CFLAGS='-w -O0 -Wno-error' CXXFLAGS='-w -O0 -Wno-error')
    steps test-build.log make -C "$SOURCE/test/gtest/common/googletest" -j"${J:-2}" "${flags[@]}"
    # its own scale of time for slow machines: ten times the patience, a tenth of the repetitions
    steps test-build.log make -C "$SOURCE/test/gtest" common/gtest-test_helpers.o CFLAGS=-w CXXFLAGS='-w -O0 -Wno-error -D_BullseyeCoverage=1'
    steps test-build.log make -C "$SOURCE/test/gtest" -j"${J:-2}" gtest gtest_OBJECTS="$(objects | tr '\n' ' ')" "${flags[@]}"
    touch "$SOURCE/done-tests"
}

# Objects of the test program's common part, of UCT and of UCP: not UCP's that listen on TCP, measure, or want another transport.
objects() {
    local name
    for name in main test_gtest_cmn mem_buffer test_helpers test_obj_size test_watchdog test_perf test; do
        echo "common/gtest-$name.o"
    done
    for name in amo amo_add_xor amo_and_or amo_cswap amo_fadd_fxor amo_fand_for amo_swap event fence flush many2one_am md mem p2p_am \
        p2p_err p2p_mix p2p_rma pending progress uct_ep zcopy_comp peer_failure; do
        echo "uct/gtest-test_$name.o"
    done
    for name in atomic memheap rma tag tag_match; do
        echo "ucp/gtest-test_ucp_$name.o"
    done
    echo uct/gtest-uct_p2p_test.o uct/gtest-uct_test.o ucp/gtest-ucp_test.o ucp/gtest-ucp_datatype.o
}

# What UCX's programs over a machine want.
surroundings() {
    export PMI_GNI_PTAG=1 PMI_GNI_COOKIE=1 UCX_HANDLE_ERRORS=none UCX_MODULES='^cma' UCX_ADDRESS_VERSION=v2
    export LD_LIBRARY_PATH=$SOURCE/src/ucp/.libs:$SOURCE/src/uct/.libs:$SOURCE/src/ucs/.libs:$SOURCE/src/ucm/.libs:$TOP/build/lib
    export UCX_UGNI_RDMA_ALLOC=mmap,heap UCX_UGNI_SMSG_ALLOC=mmap,heap UCX_UGNI_UDT_ALLOC=mmap,heap
}

# machine native|rtl: one of two nodes until the script ends, or the next one begins.
machine() {
    local chips=()
    [ "$1" = native ] || chips=(--rtl)
    if [ -n "${machine_pid:-}" ]; then
        kill "$machine_pid"
        wait "$machine_pid" || fail "the machine has failed: build/clients/machine.log"
    fi
    export HEDDLE_MACHINE=/tmp/heddle-clients-$$
    build/bin/machined --socket "$HEDDLE_MACHINE" --quiet --log "$CLIENTS/machine.log" "${chips[@]}" &
    machine_pid=$!
    # shellcheck disable=SC2064 # this machine
    trap "kill $machine_pid" EXIT
    until [ -S "$HEDDLE_MACHINE" ]; do
        kill -0 "$machine_pid" 2>/dev/null || fail "the machine does not start"
        sleep 0.1
    done
}

# suite NODES PRELOADED NAME FILTER [EVERY]
suite() {
    local nodes=$1 preloaded=$2 name=$3 filter=$4
    shift 4
    [ -z "${WITHOUT:-}" ] || filter+="-$WITHOUT"
    HEDDLE_NODE=$nodes LD_PRELOAD=$preloaded \
        python3 scripts/clients/ucx_tests.py "$SOURCE/test/gtest/gtest" "$CLIENTS/test.log" "$REPORT" "$name" "$filter" "$@" || status=1
}

run_tests() {
    [ -e "$SOURCE/done-tests" ] || fail "UCX's tests are not built: ucx.sh build"
    local status=0 nodes say
    mkdir -p build/reports
    : >"$CLIENTS/test.log"
    rm -f "$REPORT"
    surroundings
    machine native
    for nodes in 0,1 0; do
        say=$([ "$nodes" = 0 ] && echo "one node" || echo "two nodes")
        if [ -n "${1:-}" ]; then
            suite "$nodes" "$BEFORE" "$1, $say" "$1"
            continue
        fi
        suite "$nodes" "" "ugni_udt, $say" 'ugni_udt/*'
        suite "$nodes" "$BEFORE" "ugni_smsg, $say" 'ugni_smsg/*'
        suite "$nodes" "$BEFORE" "ugni_rdma, $say" 'ugni_rdma/*'
        suite "$nodes" "$BEFORE" "ugni (UCP), $say" 'ugni/*' "${EVERY:-10}"
    done
    [ -n "${1:-}" ] || run_kinds
    return "$status"
}

# One test of each kind on Verilated chips.
run_kinds() {
    machine rtl
    suite 0,1 "$BEFORE" "each kind, Verilated chips" "$(printf 'ugni_rdma/uct_%s/0:' p2p_rma_test.{put_short,put_bcopy,put_zcopy,get_bcopy,get_zcopy} \
        amo_add_xor_test.{add64,xor64} amo_and_or_test.{add64,or64} amo_cswap_test.cswap64 amo_fadd_fxor_test.{fadd64,fxor64} \
        amo_fand_for_test.{fand64,for64} flush_test.put_bcopy_flush_ep_nb fence_test.add64)$(printf 'ugni_smsg/uct_p2p_am_%s/0:' \
        misc.am_max_short_multi test.am_bcopy test.am_zcopy)"
    suite 0,1 "" "datagrams, Verilated chips" 'ugni_udt/uct_p2p_am_misc.am_max_short_multi/0'
}

run_perf() {
    local program=$SOURCE/src/tools/perf/.libs/ucx_perftest
    [ -e "$program" ] || fail "ucx_perftest is not built: ucx.sh library"
    mkdir -p build/reports
    surroundings
    LD_PRELOAD=$BEFORE UCX_TLS=ugni python3 scripts/clients/ucx_perf.py "$program" build/bin/machined "$TOP/build/reports/perftest.json"
}

case ${1:-} in
plugin) plugin ;;
library) library ;;
build) build ;;
test) run_tests "${2:-}" ;;
kinds)
    status=0
    surroundings
    run_kinds
    exit "$status"
    ;;
perf) run_perf ;;
*) fail "ucx.sh plugin, ucx.sh library, ucx.sh build, ucx.sh test [FILTER], ucx.sh kinds, or ucx.sh perf" ;;
esac
