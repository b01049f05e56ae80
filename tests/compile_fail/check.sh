#!/usr/bin/env bash
# Checks that one program is rejected, and for the right reason.
#
#     check.sh FILE COMPILER_ID COMPILER FLAGS...
#
# FILE compiles with -DTOROID_GOOD and does not compile without it; the compiler's output then matches each of its lines
#     // expect: <extended regular expression>
#     // expect(GNU): ...      for g++ only
#     // expect(Clang): ...    for clang only
set -u

file=$1
compiler_id=$2
shift 2

fail() {
    printf '%s: %s\n' "$file" "$1"
    [ $# -lt 2 ] || printf '%s\n' "$2"
    exit 1
}

mapfile -t expected < <(sed -n -E "s@^ *// expect(\($compiler_id\))?: ?(.*[^ ]) *\$@\2@p" "$file")
[ ${#expected[@]} -gt 0 ] || fail "has no line '// expect: <regex>' for $compiler_id"

export LC_ALL=C # ASCII quotation marks
good=$("$@" -fsyntax-only -DTOROID_GOOD "$file" 2>&1) || fail 'does not compile with -DTOROID_GOOD' "$good"
bad=$("$@" -fsyntax-only "$file" 2>&1) && fail 'compiles, but must not'

for regex in "${expected[@]}"; do
    # Not in the quoted source, which may contain the text of a message that was never given.
    grep -E ': (fatal )?(error|note|warning):|required from|instantiation of' <<<"$bad" | grep -qE -e "$regex" ||
        fail "is rejected, but not with: $regex" "$bad"
done
