#!/usr/bin/env bash
# Checks in the machine code that kernels are vectorised: the loops of a fused f32 chain with exp and tanh do their
# arithmetic in whole registers and call nothing, for AVX2 and for AVX-512.
#
#     vectorised.sh SOURCE COMPILER FLAGS...
set -uo pipefail

source=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$@" -O2 -c "$source" -o "$work/object.o" || exit 1
objdump -d --no-show-raw-insn -C "$work/object.o" >"$work/listing" || exit 1

failed=0
for level in 'avx2 ymm' 'avx512 zmm'; do
    read -r isa register <<<"$level"
    # The functions of this instruction set's driver: the specialisation's name is the enumerator or its number.
    number=1
    [ "$isa" = avx512 ] && number=2
    awk -v pattern="loop_driver<\\(toroid::isa\\)$number>" '
        /^[0-9a-f]+ <.*>:$/ { inside = ($0 ~ pattern) && ($0 ~ /run/) }
        inside && /^ / { print }' "$work/listing" >"$work/$isa"
    instructions=$(wc -l <"$work/$isa")
    packed=$(grep -cE "v(add|sub|mul|div|fmadd[0-9]*|fnmadd[0-9]*|fmsub[0-9]*)ps .*%$register" "$work/$isa")
    calls=$(grep -E '\scall' "$work/$isa" | grep -vcE 'stack_chk|vzeroupper')
    echo "$isa: $instructions instructions, $packed packed operations on $register registers, $calls calls"
    if [ "$instructions" -eq 0 ]; then
        echo "  no code of loop_driver for $isa was found"
        failed=1
    elif [ "$packed" -lt 20 ] || [ "$calls" -ne 0 ]; then
        grep -E '\scall' "$work/$isa"
        failed=1
    fi
done
exit $failed
