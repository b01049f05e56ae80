#!/usr/bin/env bash
# The digits example on good and bad input: bad input ends in one message on stderr and exit code 1.
#
#     digits_errors.sh DIGITS SOURCE_DIR
set -u

digits=$1
source_dir=$2
good_weights=$source_dir/examples/digits/weights.safetensors
good_data=$source_dir/examples/digits/test.safetensors
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# rejects NAME REGEX ARGUMENTS...
rejects() {
    local name=$1 regex=$2
    shift 2
    timeout 60 "$digits" "$@" >out 2>err
    local code=$?
    [ $code -eq 1 ] || fail "$name: exit code $code instead of 1"
    [ ! -s out ] || fail "$name: something was printed on stdout: $(head -1 out)"
    # A message that lists differences goes on in indented lines.
    [ "$(grep -vc '^  ' err)" -eq 1 ] || fail "$name: not one message on stderr: $(cat err)"
    grep -qE -e "^digits: $regex" err || fail "$name: the message is not '$regex': $(cat err)"
}

# accepts NAME REGEX ARGUMENTS...
accepts() {
    local name=$1 regex=$2
    shift 2
    timeout 60 "$digits" "$@" >out 2>err || fail "$name: exit code $?: $(cat err)"
    [ ! -s err ] || fail "$name: something was printed on stderr: $(cat err)"
    grep -qE -e "$regex" out || fail "$name: no line matches '$regex'"
}

#=== files ===#

python3 - "$good_weights" "$good_data" <<'PYTHON' || exit 1
import json, struct, sys

ITEM = {"U8": 1, "F32": 4, "I64": 8}

def write(path, tensors):
    header, data = {}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)

def zeros(dtype, *shape):
    count = 1
    for extent in shape:
        count *= extent
    return dtype, list(shape), bytes(count * ITEM[dtype])

def data(path, images, labels):
    write(path, {"images": images, "labels": labels})

data("one.safetensors", zeros("U8", 1, 64), zeros("U8", 1))
data("full.safetensors", zeros("U8", 4096, 64), zeros("U8", 4096))
data("too_many.safetensors", zeros("U8", 4097, 64), zeros("U8", 4097))
data("none.safetensors", zeros("U8", 0, 64), zeros("U8", 0))
data("narrow.safetensors", zeros("U8", 3, 63), zeros("U8", 3))
data("cubes.safetensors", zeros("U8", 3, 8, 8), zeros("U8", 3))
data("floats.safetensors", zeros("F32", 3, 64), zeros("U8", 3))
data("long_labels.safetensors", zeros("U8", 3, 64), zeros("I64", 3))
data("few_labels.safetensors", zeros("U8", 3, 64), zeros("U8", 2))
data("label_ten.safetensors", zeros("U8", 3, 64), ("U8", [3], bytes([0, 10, 9])))
data("bright.safetensors", ("U8", [1, 64], bytes(63) + bytes([17])), zeros("U8", 1))
write("no_labels.safetensors", {"images": zeros("U8", 3, 64)})

layers = {"fc1.weight": zeros("F32", 256, 64), "fc1.bias": zeros("F32", 256),
          "fc2.weight": zeros("F32", 10, 256), "fc2.bias": zeros("F32", 10)}
write("transposed.safetensors", {**layers, "fc1.weight": zeros("F32", 64, 256)})
write("wide.safetensors", {**layers, "fc2.bias": zeros("I64", 10)})
write("missing.safetensors", {name: value for name, value in layers.items() if name != "fc2.bias"})
write("extra.safetensors", {**layers, "fc3.bias": zeros("F32", 10)})

with open(sys.argv[2], "rb") as file:
    good = file.read()
def raw(path, content):
    with open(path, "wb") as file:
        file.write(content)

raw("empty.safetensors", b"")
raw("header_cut.safetensors", good[:40])
raw("data_cut.safetensors", good[:-1])
raw("data_long.safetensors", good + b"x")
raw("huge_header.safetensors", struct.pack("<Q", 2**63) + good[8:])
raw("zip.safetensors", b"PK\x03\x04" + good)
def hostile(name, text):
    raw(name, struct.pack("<Q", len(text)) + text + bytes(16))
hostile("not_json.safetensors", b"\xff" * 32)
hostile("nested.safetensors", b"[" * 100000)
hostile("overlap.safetensors", b'{"images":{"dtype":"U8","shape":[16],"data_offsets":[0,16]},'
        b'"labels":{"dtype":"U8","shape":[16],"data_offsets":[0,16]}}')
hostile("beyond.safetensors", b'{"images":{"dtype":"U8","shape":[1,64],"data_offsets":[0,64]}}')
hostile("overflow.safetensors", b'{"images":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,16]}}')
hostile("negative.safetensors", b'{"images":{"dtype":"U8","shape":[-1,64],"data_offsets":[0,16]}}')
PYTHON

#=== good input ===#

accepts 'the held-out images' '^accuracy +0\.961' "$good_weights" "$good_data"
grep -qE '^correct +346$' out || fail 'the held-out images: not 346 correct'
grep -qE '^kernel launches 3$' out || fail 'the held-out images: not 3 kernel launches'
grep -qE '^extern launches 2$' out || fail 'the held-out images: not 2 extern launches'
grep -qE '^arena +460800 bytes$' out || fail 'the held-out images: not 460800 bytes of arena'
accepts 'one image' '^images +1$' "$good_weights" one.safetensors
accepts 'the largest batch' '^images +4096$' "$good_weights" full.safetensors
accepts 'help' '^usage: digits' --help

#=== bad input ===#

rejects 'unknown option' "unknown option '--fast'" --fast
rejects 'three files' '3 files were given' a b c
rejects 'no weights' 'none\.st: ' none.st "$good_data"
rejects 'no data' 'none\.st: ' "$good_weights" none.st
rejects 'a folder as weights' '\.: ' . "$good_data"
rejects 'default paths from elsewhere' 'examples/digits/weights\.safetensors: '
rejects 'files swapped' '.*test\.safetensors: 6 differences from the model' "$good_data" "$good_weights"

rejects 'weights transposed' '.*fc1\.weight.* has shape \[64, 256\], the model wants \[256, 64\]' transposed.safetensors
rejects 'weights of another dtype' '.*fc2\.bias.* has dtype I64, the model wants F32' wide.safetensors
rejects 'a tensor missing' '.*has no tensor .*fc2\.bias' missing.safetensors
rejects 'a tensor too many' '.*has the tensor .*fc3\.bias' extra.safetensors

rejects 'batch breaks the check' 'the model checks B \(= 4097\) <= 4096' "$good_weights" too_many.safetensors
rejects 'no images' 'none\.safetensors: images has shape \[0, 64\]' "$good_weights" none.safetensors
rejects 'narrow images' '.*images has shape \[3, 63\], the model takes \[N, 64\]' "$good_weights" narrow.safetensors
rejects 'images of rank 3' '.*images has shape \[3, 8, 8\]' "$good_weights" cubes.safetensors
rejects 'images of floats' '.*images.* has dtype F32, not U8' "$good_weights" floats.safetensors
rejects 'labels of I64' '.*labels.* has dtype I64, not U8' "$good_weights" long_labels.safetensors
rejects 'too few labels' '.*images has shape \[3, 64\] and labels has shape \[2\]' "$good_weights" few_labels.safetensors
rejects 'no labels' '.*has no tensor .*labels' "$good_weights" no_labels.safetensors
rejects 'a label of ten' '.*labels holds the value 10 at position 1' "$good_weights" label_ten.safetensors
rejects 'a pixel of seventeen' '.*images holds the value 17 at position 63' "$good_weights" bright.safetensors

for name in empty header_cut data_cut data_long huge_header zip not_json nested overlap beyond overflow negative; do
    rejects "$name as data" "$name\\.safetensors: " "$good_weights" "$name.safetensors"
    rejects "$name as weights" "$name\\.safetensors: " "$name.safetensors" "$good_data"
done

[ $failures -eq 0 ] && echo 'every input was accepted or rejected as it must be'
exit $((failures != 0))
