#pragma once
// error_catalogue: the codes that compile-time messages carry, one per kind of mistake. docs/errors has a page for each.
// Nothing includes this header but programs that list the codes.

namespace toroid {

/// A kind of mistake: its code, as in `toroid E012: ...`, and what it means.
struct error_entry {
    const char* code;
    const char* meaning;
};

/// All codes in order. A code never changes its meaning; codes of kinds that no longer exist are not given again.
inline constexpr error_entry error_catalogue[] = {
    {"E001", "the compiler is not in C++20 mode"},
    {"E002", "the compiler is too old"},
    {"E003", "the CUDA backend is included without nvcc"},
    {"E004", "the code is compiled for a GPU that is older than the program's target"},
    {"E005", "a symbol is not one letter"},
    {"E006", "an extent leaves the form that extents have"},
    {"E007", "an extent is divided by zero"},
    {"E008", "a check never holds"},
    {"E009", "a check contradicts an earlier one"},
    {"E010", "a check is given a bool instead of a condition"},
    {"E011", "a symbol is determined by no input"},
    {"E012", "extents do not broadcast"},
    {"E013", "the inner extents of a matmul differ"},
    {"E014", "a reshape changes the number of elements"},
    {"E015", "operands of a concat differ in another axis"},
    {"E016", "the parts of a split or chunk are not the whole"},
    {"E017", "an axis that is squeezed is not 1"},
    {"E018", "an expand asks for fewer axes or for smaller extents"},
    {"E019", "an axis is out of range"},
    {"E020", "axes repeat, or are no permutation"},
    {"E021", "a tensor has the wrong rank"},
    {"E022", "a maximum or minimum is taken over nothing"},
    {"E023", "an operation does not take this dtype"},
    {"E024", "an option of an operation has an invalid value"},
    {"E025", "a tensor belongs to no trace"},
    {"E026", "tensors of two traces meet in one operation"},
    {"E027", "the result of a model is not made of tensors"},
    {"E028", "an output is not produced by the model"},
    {"E029", "a member of a model is unknown"},
    {"E030", "operator() of a model cannot be traced"},
    {"E031", "a label or a parameter's name is too long"},
    {"E032", "the result has no output of this name"},
    {"E033", "a fusion contract is broken"},
    {"E034", "an ops handler omits an operation, or names it twice"},
    {"E035", "a backend does not consume a line"},
    {"E036", "the parameters of a CUDA kernel do not fit"},
    {"E037", "the arena, or a buffer, exceeds 2^63 - 1 bytes"},
    {"E038", "a parameter has a symbolic extent"},
};

} // namespace toroid
