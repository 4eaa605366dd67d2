#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh - installs what the build needs (Debian packages) and says so first; silent when nothing
# is missing. Without rights to install, or with SETUP=no, prints the line to run and exits 1.
# Each package is known by one file or command that it brings, so that the check takes no time and
# other ways to install the same tool count as well.
set -eu

missing=

case ${SETUP:-yes} in
yes | no) ;;
*) echo "setup: SETUP is yes or no, not \"$SETUP\"" >&2 && exit 1 ;;
esac

has_command() {
    command -v "$1" >/dev/null 2>&1
}

has_file() {
    # the names may be patterns: one match is enough
    for file in "$@"; do
        [ -e "$file" ] && return 0
    done
    return 1
}

need() {
    package=$1
    shift
    "$@" || missing="$missing $package"
}

# what scripts/python.sh and cocotb want of python3: it makes environments, and is there as a library
makes_environments() {
    python3 -c 'import ensurepip, venv' 2>/dev/null
}

has_libpython() {
    python3 - 2>/dev/null <<'END'
import os, sys, sysconfig
name, folder = sysconfig.get_config_var("INSTSONAME"), sysconfig.get_config_var("LIBDIR")
sys.exit(not (".so" in name and os.path.exists(os.path.join(folder, name))))
END
}

llvm=/usr/lib/llvm-19
need git has_command git
need make has_command make
need g++ has_command g++
need zlib1g-dev has_file /usr/include/zlib.h
need verilator has_command verilator
need yosys has_command yosys-smtbmc
need iverilog has_command iverilog
need clang-19 has_command clang-19
need llvm-19-dev has_file $llvm/include/llvm-c/Core.h
need libclang-19-dev has_file $llvm/include/clang-c/Index.h
need libclang-rt-19-dev has_file $llvm/lib/clang/19/lib/linux/libclang_rt.asan-*.a
need clang-tidy-19 has_command clang-tidy-19
need clang-format-19 has_command clang-format-19
need z3 has_command z3
need nextpnr-ice40 has_command nextpnr-ice40
need fpga-icestorm has_command icepack
need shellcheck has_command shellcheck
need gnuplot-nox has_command gnuplot
need graphviz has_command dot
need python3-venv makes_environments
need libpython3-dev has_libpython
# large networks in several processes
need libopenmpi-dev has_command mpicc
need openmpi-bin has_command mpirun
need libcjson-dev has_file /usr/include/cjson/cJSON.h

[ -n "$missing" ] || exit 0
missing=${missing# }
line="apt-get install -y --no-install-recommends $missing"

if [ "${SETUP:-yes}" = no ]; then
    echo "setup: packages are missing and SETUP=no; as root run: $line" >&2
    exit 1
fi
if ! has_command apt-get; then
    echo "setup: no apt-get here; install by your own means: $missing" >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    root=
elif has_command sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    root="sudo"
else
    echo "setup: packages are missing and there is no root or sudo; as root run: $line" >&2
    exit 1
fi

echo "setup: installing $missing"
# env: sudo does not pass variables on; the lists may be old or empty on a fresh machine
$root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
    echo "setup: apt-get update had errors; going on with the lists there are" >&2
# shellcheck disable=SC2086 # one word per package
if ! $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 $missing; then
    echo "setup: apt-get failed; to see why, as root run: $line" >&2
    exit 1
fi
echo "setup: done"
