#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# python.sh [NAME] - makes build/NAME, a private Python environment with the packages of constraints/NAME.txt, if there is
# none or the list has changed; silent otherwise. NAME is python (if none is given), pnr or newer. Nothing outside of build/ is touched.
set -eu

cd "$(dirname "$0")/.."
case ${1:-python} in
python) size="50 MB" ;;
pnr) size="300 MB" ;;
newer) size="40 MB" ;;
*) echo "python.sh: there are python, pnr and newer, not \"$1\"" >&2 && exit 1 ;;
esac
list=constraints/${1:-python}.txt
env=build/${1:-python}

if [ -e "$env/made-of" ] && cmp -s "$list" "$env/made-of"; then
    exit 0
fi
echo "python: making $env from $list (some $size are downloaded)"
rm -rf "$env"
mkdir -p build
# --copies: the environment must not change with the python3 that PATH names
if ! python3 -m venv --copies "$env"; then
    echo "python: python3 cannot make an environment: install python3-venv, or run make setup" >&2
    exit 1
fi
# what has come, of how much; all of what pip says is in the log
log=build/${1:-python}-pip.log
if ! { "$env/bin/pip" --disable-pip-version-check install --no-deps --no-compile -r "$list" 2>&1 || echo "pip failed"; } | tee "$log" |
    awk -v of="$size" '/^ *(Downloading|Using cached) .*\([0-9.]+ [kM]B\)/ {
            bytes = $(NF - 1); sub(/\(/, "", bytes); sum += $NF ~ /kB/ ? bytes / 1000 : bytes
            name = $(NF - 2); sub(/.*\//, "", name); sub(/-[0-9].*/, "", name)
            if (int(sum) > shown) {
                printf "python: %d of some %s: %s\n", sum, of, name; fflush()
                shown = int(sum)
            }
        }
        /^pip failed$/ { failed = 1 }
        END { exit failed }'; then
    rm -rf "$env"
    echo "python: pip could not install $list: is there a network, or a package index (PIP_INDEX_URL)? See $log" >&2
    exit 1
fi
cp "$list" "$env/made-of"
