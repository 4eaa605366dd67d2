#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# python.sh - makes build/python, the private Python environment with the packages of constraints/python.txt, if there
# is none or the list has changed; silent otherwise. Nothing outside of build/ is touched.
set -eu

cd "$(dirname "$0")/.."
list=constraints/python.txt
env=build/python

if [ -e $env/made-of ] && cmp -s $list $env/made-of; then
    exit 0
fi
echo "python: making $env from $list (some 30 MB are downloaded)"
rm -rf $env
mkdir -p build
# --copies: the environment must not change with the python3 that PATH names
if ! python3 -m venv --copies $env; then
    echo "python: python3 cannot make an environment: install python3-venv, or run make setup" >&2
    exit 1
fi
if ! $env/bin/pip --disable-pip-version-check install --quiet --no-deps -r $list; then
    rm -rf $env
    echo "python: pip could not install $list: is there a network, or a package index (PIP_INDEX_URL)?" >&2
    exit 1
fi
cp $list $env/made-of
