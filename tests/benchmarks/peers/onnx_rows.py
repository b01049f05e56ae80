"""ONNX Runtime, CPU provider, 2 threads, all optimisations, inputs and outputs bound to memory allocated before."""

import sys

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from protocol import FLAT, SQUARE, WIDE, gemm_shape, ramp, serve

HALF = ("half", np.float32(0.5))
ONE = ("one", np.float32(1))
QUARTER = ("quarter", np.float32(0.25))
TWO = ("two", np.float32(2))
POINTWISE = [("Mul", "x half", "a"), ("Add", "a one", "b")]


def session(nodes, inputs, output, constants=()):
    """A call of the graph. nodes: (op, inputs, output, attributes...); inputs: name -> array; output: shape of y."""
    made = []
    for op, arguments, result, *attributes in nodes:
        made.append(helper.make_node(op, arguments.split(), [result], **(attributes[0] if attributes else {})))
    graph = helper.make_graph(
        made,
        "row",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, x.shape) for name, x in inputs.items()],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, output)],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 2
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    run = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    binding = run.io_binding()
    kept = [ort.OrtValue.ortvalue_from_numpy(x) for x in inputs.values()]
    for name, value in zip(inputs, kept):
        binding.bind_ortvalue_input(name, value)
    y = ort.OrtValue.ortvalue_from_shape_and_type(list(output), np.float32)
    binding.bind_ortvalue_output("y", y)

    def call():
        run.run_with_iobinding(binding)

    call.keeps = (kept, y)
    return call


def digits(batch):
    constants = [
        ("w1", ramp((256, 64))),
        ("b1", np.ones(256, np.float32)),
        ("w2", ramp((10, 256))),
        ("b2", np.ones(10, np.float32)),
    ]
    nodes = [
        ("Gemm", "x w1 b1", "a", {"transB": 1}),
        ("Relu", "a", "b"),
        ("Gemm", "b w2 b2", "c", {"transB": 1}),
        ("Softmax", "c", "y", {"axis": -1}),
    ]
    return session(nodes, {"x": ramp((batch, 64))}, (batch, 10), constants)


def gemm(m, n, k, b_transposed):
    """B is a constant, so that the session packs it once: weights, as its users have."""
    b = ramp((n, k)) if b_transposed else ramp((k, n))
    nodes = [("Gemm", "x b", "y", {"transB": int(b_transposed)})]
    return session(nodes, {"x": ramp((m, k))}, (m, n), [("b", b)])


ROWS = {
    "chain": lambda: session(
        POINTWISE + [("Mul", "b x", "c"), ("Sub", "c quarter", "d"), ("Relu", "d", "e"), ("Mul", "e two", "y")],
        {"x": ramp(FLAT)}, FLAT, [HALF, ONE, QUARTER, TWO]),
    "exp_tanh_chain": lambda: session(
        POINTWISE + [("Exp", "b", "c"), ("Mul", "c quarter", "d"), ("Sub", "d x", "e"), ("Tanh", "e", "y")],
        {"x": ramp(FLAT)}, FLAT, [HALF, ONE, QUARTER]),
    "softmax": lambda: session([("Softmax", "x", "y", {"axis": -1})], {"x": ramp(WIDE)}, WIDE),
    "layer_norm": lambda: session(
        [("LayerNormalization", "x scale shift", "y", {"axis": -1, "epsilon": 1e-5})], {"x": ramp(WIDE)}, WIDE,
        [("scale", np.ones(1024, np.float32)), ("shift", np.zeros(1024, np.float32))]),
    "column_sum": lambda: session(
        [("ReduceSum", "x axes", "y", {"keepdims": 0})], {"x": ramp(WIDE)}, (1024,), [("axes", np.array([0]))]),
    "transpose_add": lambda: session(
        [("Transpose", "x", "t", {"perm": [1, 0]}), ("Add", "t z", "y")], {"x": ramp(SQUARE), "z": ramp(SQUARE)}, SQUARE),
    "sum": lambda: session(
        [("ReduceSum", "x axes", "y", {"keepdims": 0})], {"x": ramp(FLAT)}, (), [("axes", np.array([0]))]),
    "digits_1": lambda: digits(1),
    "digits_256": lambda: digits(256),
}


def prepare(name):
    shape = gemm_shape(name)
    return gemm(*shape) if shape else ROWS[name]() if name in ROWS else None


if __name__ == "__main__":
    if "--version" in sys.argv:
        print(ort.__version__)
    else:
        serve(prepare)
