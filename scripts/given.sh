# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# given.sh - read by scripts that take words from outside, before they do anything with them: a name may end up in a
# command of Yosys, a number in arithmetic of the shell, and both can run commands. Each function ends the script, in
# one line, unless all its words are what they should be. Empty words are none of these.

names() { wanted 'a name is wanted, of letters, digits and _' '^[A-Za-z0-9_]+$' "$@"; }

# as "aries/lcb_tx"
paths_of_names() { wanted 'names are wanted, of letters, digits and _, with / between them' '^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*$' "$@"; }

numbers() { wanted 'a number is wanted, in at most 18 digits' '^(0|[1-9][0-9]{0,17})$' "$@"; }

# of files, where a tool that they go to knows no quotes
plain_paths() { wanted 'a path is wanted, of letters, digits and _ . + / -' '^[A-Za-z0-9_.+/][A-Za-z0-9_.+/-]*$' "$@"; }

# wanted WHAT PATTERN WORD...
wanted() {
    local what=$1 pattern=$2 word LC_ALL=C
    shift 2
    for word in "$@"; do
        if [[ ! $word =~ $pattern ]]; then
            printf '%s: "%s": %s\n' "${0##*/}" "${word//[[:cntrl:]]/ }" "$what" >&2
            exit 1
        fi
    done
}
