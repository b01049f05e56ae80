"""Runs the front ends of compilers on a source and counts: instructions, template instantiations, time and memory.

The commands that a compiler driver would start are taken from the driver and run one by one, so that instructions are
those of the compiler proper. They run in a fixed environment, without address randomisation, and with relative paths:
then a count repeats within some 0.01 %, whatever else the machine does.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "compile_time"
STANDARD = ["-std=c++20"]
INCLUDE = ["-I../../../include"]
# One architecture and no PTX beside it: what nvcc makes of -arch=sm_90a takes nearly twice as long.
NVCC = ["-gencode", "arch=compute_90a,code=sm_90a", "-x", "cu"]
ENVIRONMENT = {
    name: os.environ[name] for name in ("PATH", "CPLUS_INCLUDE_PATH", "TMPDIR") if name in os.environ
} | {"LC_ALL": "C", "HOME": "/nonexistent"}
VALGRIND = ["setarch", "-R", "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]

COMPILERS = {"g++": "g++", "clang": "clang++-16", "nvcc": "nvcc"}
# The front ends whose instructions are counted, and the compiler that starts each. cicc is the device side of nvcc:
# front end and code generation.
FRONT_ENDS = {"g++": "g++", "clang": "clang", "cudafe++": "nvcc", "cicc": "nvcc"}

LIMIT = re.compile(r"\b(limit|exceed\w*|too (many|deep|complex))\b")


class Rejected(Exception):
    """The compiler stops at a limit; the text is its first error."""


def try_run(command, folder=FOLDER):
    """A command that may fail: its returncode, and all that it wrote as stdout."""
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def failure(command, output):
    """Rejected where a compiler stopped at a limit, else the end of the program: a wrong source is no result."""
    # valgrind repeats the command, in which clang has an -ferror-limit.
    lines = [line for line in output.splitlines() if not re.match(r"(==|--)\d+\1 ", line)] or ["no message"]
    if LIMIT.search("\n".join(lines)):
        return Rejected(next((line for line in lines if "error:" in line), lines[0]))
    return SystemExit("\n".join([shlex.join(command), *lines[:20]]))


def run(command, folder=FOLDER):
    """Standard output and error of a command that has to succeed."""
    done = try_run(command, folder)
    if done.returncode != 0:
        raise failure(command, done.stdout)
    return done.stdout


def available(compiler):
    return shutil.which(COMPILERS[compiler]) is not None


def version(compiler):
    """What tells one build of a compiler from another."""
    lines = run([COMPILERS[compiler], "--version"]).splitlines()
    found = [line for line in lines if re.search(r"\d+\.\d+", line)]
    return (found[-1] if compiler == "nvcc" else found[0]).strip()


def driver(compiler, source, defines, flags=()):
    """The command line of a user, up to what is to be made of the source."""
    more = NVCC if compiler == "nvcc" else []
    return [COMPILERS[compiler], *STANDARD, *more, *defines, *INCLUDE, *flags, source]


def instructions(front_end, source, defines):
    """Instructions that a front end executes, or raises Rejected."""
    compiler = FRONT_ENDS[front_end]
    if compiler == "nvcc":
        return refs(nvcc_step(front_end, source, defines, " ".join(VALGRIND)))
    stage = "-S" if compiler == "g++" else "-c"
    words = driver(compiler, source, defines, ["-###", stage, "-o", os.devnull])
    lines = run(words).splitlines()
    command = next(line for line in lines if ("cc1plus" in line if compiler == "g++" else '"-cc1"' in line))
    return counted(shlex.split(command))


def cudafe_seconds(source, defines):
    """Processor time of nvcc's front end for the host."""
    output = nvcc_step("cudafe++", source, defines, "TIMEFORMAT='processor %U %S'; time")
    return sum(map(float, re.search(r"processor ([\d.]+) ([\d.]+)", output).groups()))


def nvcc_step(program, source, defines, prefix):
    """What a program writes that nvcc starts, with `prefix` before it; the steps up to there are run as well."""
    with tempfile.TemporaryDirectory() as folder:
        link = pathlib.Path(folder)
        for name in ("include", "examples"):
            (link / name).symlink_to(FOLDER.parents[2] / name)
        work = link / "tests/benchmarks/compile_time"
        work.mkdir(parents=True)
        for file in FOLDER.glob("*.?pp"):
            shutil.copy(file, work)
        dry = run(driver("nvcc", source, defines, ["--dryrun", "--keep", "-c", "-o", "object.o"]), work)
        settings = ""
        for line in dry.splitlines():
            step = line.removeprefix("#$ ")
            if re.match(r"\w+=", step):
                name, value = step.split("=", 1)
                settings += f"export {name}={shlex.quote(value.strip())}\n"
                continue
            if re.match(rf'"?[^ ]*{re.escape(program)}"? ', step):
                return run(["bash", "-c", f"{settings}{prefix} {step}"], work)
            run(["bash", "-c", settings + step], work)
    raise SystemExit(f"nvcc starts no {program}")


def counted(command, folder=FOLDER):
    return refs(run(VALGRIND + command, folder))


def refs(output):
    return int(re.search(r"I +refs: +([\d,]+)", output)[1].replace(",", ""))


def instantiations(source, defines):
    """Classes and functions that clang instantiates from templates."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ["-ftime-trace", "-ftime-trace-granularity=0", "-c", "-o", f"{folder}/object.o"]
        run(driver("clang", source, defines, flags))
        events = json.loads((pathlib.Path(folder) / "object.json").read_text(encoding="utf-8"))["traceEvents"]
    return sum(event["name"] in ("InstantiateClass", "InstantiateFunction") for event in events)


def resources(command, folder=FOLDER):
    """(seconds of processor time, peak MiB of the largest process) of a command and what it starts."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            raise failure(command, output.read().decode(errors="replace"))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compile_resources(compiler, source, defines, runs=3):
    """(least seconds of processor time, peak MiB) of a user's call of the compiler."""
    command = driver(compiler, source, defines, ["-c", "-o", os.devnull])
    measured = [resources(command) for _ in range(runs)]
    return min(seconds for seconds, _ in measured), max(peak for _, peak in measured)


def text_bytes(compiler, source, defines):
    """Bytes of machine code that the source becomes with -O2: on the GPU for nvcc, else on the CPU."""
    with tempfile.TemporaryDirectory() as folder:
        stage = "-cubin" if compiler == "nvcc" else "-c"
        run(driver(compiler, source, defines, ["-O2", stage, "-o", f"{folder}/object"]))
        sections = run(["readelf", "-SW", f"{folder}/object"])
    sizes = re.findall(r"\] (\.text\S*) +PROGBITS +\w+ +\w+ +(\w+)", sections)
    return sum(int(size, 16) for _, size in sizes)
