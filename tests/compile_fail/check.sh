#!/usr/bin/env bash
# Checks that one program is rejected, and for the right reason.
#
#     check.sh FILE COMPILER_ID COMPILER FLAGS...
#
# FILE compiles with -DTOROID_GOOD and does not compile without it; the compiler's output then matches each of its lines
#     // expect: <extended regular expression>
#     // expect(GNU): ...      for g++ only
#     // expect(Clang): ...    for clang only
# The first error is where the message is, few frames from the user, and as docs/errors shows it: catalogue.py, which also
# says what the other lines mean. `// wrong flags: -std=c++17` is for the compilation that must fail.
set -u

here=$(dirname "$0")

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
read -r -a wrong_flags < <(sed -n -E "s@^// wrong flags(\($compiler_id\))?: ?(.*[^ ]) *\$@\2@p" "$file")
good=$("$@" -DTOROID_GOOD "$file" 2>&1) || fail 'does not compile with -DTOROID_GOOD' "$good"
bad=$("$@" ${wrong_flags+"${wrong_flags[@]}"} "$file" 2>&1) && fail 'compiles, but must not'

for regex in "${expected[@]}"; do
    # Not in the quoted source, which may contain the text of a message that was never given.
    grep -E ': (fatal )?(error|note|warning):|required from|instantiation of' <<<"$bad" | grep -qE -e "$regex" ||
        fail "is rejected, but not with: $regex" "$bad"
done
problems=$(python3 "$here/catalogue.py" verify "$file" "$compiler_id" "$1" <<<"$bad") || fail "$problems" "$bad"
