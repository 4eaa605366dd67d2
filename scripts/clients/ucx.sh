#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ucx.sh build|test - UCX of Debian's source package, unchanged, over the library with the uGNI names.
#
# build: fetches the package, configures it --with-ugni and builds it with its own tests, under build/clients/; what is there is kept.
# test [FILTER]: runs those tests whose name has ugni on a machine of two native chips; build/reports/clients.json.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly TOP=$PWD CLIENTS=$PWD/build/clients
readonly SOURCE=$CLIENTS/ucx
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
    sed 's/^Types: .*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >apt/etc/src.sources
    local options=(-o APT::Sandbox::User=root -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$CLIENTS/apt/etc"
        -o Dir::State::lists="$CLIENTS/apt/lists" -o Dir::Cache="$CLIENTS/apt/cache")
    apt-get "${options[@]}" update >fetch.log 2>&1 || fail "apt-get update: build/clients/fetch.log"
    apt-get "${options[@]}" source --download-only "ucx=$VERSION-1" >>fetch.log 2>&1 || fail "apt-get source: build/clients/fetch.log"
    dpkg-source -x "ucx_$VERSION-1.dsc" ucx.part >>fetch.log 2>&1 || fail "dpkg-source: build/clients/fetch.log"
    mv ucx.part ucx
    cd "$TOP"
}

build() {
    needs
    fetch
    [ -e "$SOURCE/done" ] && return
    say "builds $VERSION in build/clients/ucx: 12 minutes of two processors, once; build/clients/build.log"
    export PKG_CONFIG_PATH=$TOP/build/lib/pkgconfig
    cd "$SOURCE"
    mkdir -p debian
    touch debian/compat
    {
        [ -e configure ] || ./autogen.sh
        [ -e Makefile ] || ./configure --with-ugni --enable-mt --enable-gtest --without-java --without-go --without-verbs \
            --without-rdmacm --without-knem --disable-doxygen-doc --prefix="$CLIENTS/ucx-install" CFLAGS='-w -O2' CXXFLAGS='-w -O2 -Wno-error'
        nice -n 15 make -j"${J:-2}" CFLAGS='-w -O2 -Wno-error' CXXFLAGS='-w -O2 -Wno-error'
    } >"$CLIENTS/build.log" 2>&1 || fail "it does not build: build/clients/build.log"
    touch "$SOURCE/done"
    cd "$TOP"
}

case ${1:-} in
build) build ;;
*) fail "ucx.sh build" ;;
esac
