#!/usr/bin/env bash
# Two libraries built from one source for different architectures live in one process: neither exports a kernel, and no
# name of toroid::cuda is defined by both. Runs them where there is a GPU for both.
#
#     check.sh BUILD_DIR NVCC [FLAGS OF NVCC...]
#
# CXX names the host compiler, by default g++.
set -uo pipefail

source=$(cd "$(dirname "$0")" && pwd)
build=$1
nvcc=$2
shift 2
cxx=${CXX:-g++}
mkdir -p "$build" && cd "$build" || exit 1

failed=0
complain() {
    echo "cuda_abi: $1" >&2
    failed=1
}

#=== build ===#

for pair in 'sm_80 sm_80' 'sm_90 sm_90a'; do
    read -r target arch <<<"$pair"
    "$nvcc" -ccbin "$cxx" -std=c++20 "-arch=$arch" "-DLIBRARY_TARGET=$target" -O2 -Xcompiler -fPIC,-Wall,-Wextra \
        "-I$source/../../../include" "$@" -c "$source/library.cu" -o "$target.o" || exit 1
done
# Where nvcc's own libraries are; nvcc itself may be a link or a script.
runtime=$("$nvcc" -dryrun -x cu /dev/null 2>&1 | sed -n 's/^#\$ LIBRARIES=.*"-L\([^"]*\)".*/\1/p')

# With `static`, each library brings a CUDA runtime of its own and hides it; with `shared`, one runtime knows the kernels of
# both. Users do either.
for cudart in static shared; do
    mkdir -p "$cudart"
    for target in sm_80 sm_90; do
        "$nvcc" -ccbin "$cxx" -shared -cudart "$cudart" "$target.o" -o "$cudart/libmodel_$target.so" \
            -Xlinker "-rpath=$runtime" || exit 1
    done
    "$cxx" -std=c++20 -O2 -Wall -Wextra "$source/main.cpp" -o "$cudart/main" "-L$cudart" -lmodel_sm_80 -lmodel_sm_90 \
        '-Wl,-rpath,$ORIGIN' || exit 1
done

#=== what is exported ===#

exported() { nm -DC --defined-only "$1" | cut -d ' ' -f 3- | LC_ALL=C sort -u; }
# nvcc names the function that launches a kernel after it, mangled: __device_stub__ZN6toroid...
kernels() { nm -C "$1" | sed -n 's/.*__device_stub__\(Z[A-Za-z0-9_]*\).*/_\1/p' | LC_ALL=C sort -u | c++filt; }
# Complains about the lines of its input, if there are any.
none() {
    local names
    names=$(head -n 5 | cut -c 1-200)
    [ -z "$names" ] || complain "$1:"$'\n'"$names"
}

for cudart in static shared; do
    for target in sm_80 sm_90; do
        library=$cudart/libmodel_$target.so
        exported "$library" >"$library.exported"
        kernels "$library" >"$library.kernels"
        grep -qx "run_$target" "$library.exported" || complain "$library does not export run_$target"
        [ "$(grep -c '::fused_kernel<' "$library.kernels")" -eq 2 ] || complain "$library does not show two kernels"
        none "$library exports kernels" < <(grep -Fx -f "$library.kernels" "$library.exported")
        none "$library exports stubs of kernels" < <(grep __device_stub__ "$library.exported")
        none "$library exports the CUDA runtime" < <(grep -E '^_*cuda[A-Z]|^cublas' "$library.exported")
        grep -q "toroid::cuda::v[0-9_]*_${target}0::" "$library.exported" || complain "$library exports no toroid::cuda"
        none "$library exports names of toroid::cuda without its architecture" \
            < <(grep -P "toroid::cuda::(?!v[0-9_]+_${target}0::)" "$library.exported")
    done
    LC_ALL=C comm -12 "$cudart"/libmodel_sm_{80,90}.so.exported >"$cudart/both"
    none 'both libraries define' < <(grep toroid::cuda "$cudart/both")
    echo "$cudart: names of toroid::cuda: $(grep -c toroid::cuda "$cudart/libmodel_sm_80.so.exported") and" \
        "$(grep -c toroid::cuda "$cudart/libmodel_sm_90.so.exported"), in both $(grep -c toroid::cuda "$cudart/both");" \
        "of toroid beside it in both $(grep toroid:: "$cudart/both" | grep -vc toroid::cuda)"
done
[ "$failed" -eq 0 ] || exit 1

#=== run ===#

capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1)
if [ -z "$capability" ]; then
    echo 'built, not run: no GPU'
elif [ "$capability" != 9.0 ]; then
    # Code for sm_90a runs there alone; code for sm_80 is translated.
    echo "built, not run: the GPU has compute capability $capability, not 9.0"
else
    for cudart in static shared; do "$cudart/main" || complain "$cudart/main failed"; done
fi
exit "$failed"
