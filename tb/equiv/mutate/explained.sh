#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# explained.sh - makes the errors of explained.txt, one at a time, and looks whether their test fails with a line that says what is
# wrong: clock, which, what was seen and what was expected. Prints each line. Works in build/explained; the tests are built before.
set -euo pipefail
cd "$(dirname "$0")/../../.."

work=build/explained
rm -rf "$work"
mkdir -p "$work"

# build TEST FILE.c: the test with the file in $work instead, by the commands that make has for both
build() {
    make --no-print-directory -n -W "$2" "build/tb/$1" |
        sed "s| -c $2 | -c $work/file.c |; s|build/tb/[a-z]*/${2%.c}\.o|$work/file.o|g; s|build/tb/$1|$work/test|g" >"$work/commands"
    bash -e "$work/commands" >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
}

errors=0
unexplained=0
while read -r test file; do
    [[ -n $test && $test != \#* ]] || continue
    read -r change
    read -r expected
    sed "$change" "$file" >"$work/file.c"
    ! cmp -s "$file" "$work/file.c" || { echo "explained.sh: $file: nothing is changed by $change" >&2 && exit 1; }
    build "$test" "$file"
    "$work/test" >"$work/lines" 2>/dev/null || true
    errors=$((errors + 1))
    echo "# $file: $change"
    if ! grep -m1 -E "^not ok .* # (clock [0-9]+: )?.*$expected" "$work/lines"; then
        echo "explained.sh: $file: $change: $test has no line with: $expected" >&2
        unexplained=$((unexplained + 1))
    fi
done <tb/equiv/mutate/explained.txt
echo "$((errors - unexplained)) of $errors errors explained"
[[ $unexplained -eq 0 ]]
