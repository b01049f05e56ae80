// Tests of <toroid/storage/file.hpp>.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include <toroid/storage/file.hpp>

#include "support.hpp"

using namespace toroid;
using namespace toroid::detail;
using tests::outcome_of;
using tests::read_bytes;
using tests::temporary_directory;
using tests::write_bytes;

static_assert(std::is_convertible_v<const char*, file_path> && std::is_convertible_v<const char (&)[4], file_path>);
static_assert(std::is_convertible_v<std::string, file_path> && std::is_convertible_v<std::string_view, file_path>);
static_assert(std::is_convertible_v<const std::filesystem::path&, file_path>);
static_assert(!std::is_convertible_v<int, file_path>);

TEST_CASE("a path is the string that it is given") {
    CHECK(file_path("a/b").string() == "a/b");
    CHECK(file_path(std::string("a/b")).string() == "a/b");
    CHECK(file_path(std::string_view("a/b/c").substr(0, 3)).string() == "a/b");
    CHECK(file_path(std::filesystem::path("a") / "b").string() == "a/b");
    CHECK(std::string(file_path("a/b").c_str()) == "a/b");
}

TEST_CASE("input_file: reads at an offset") {
    const temporary_directory directory;
    write_bytes(directory / "f", "0123456789");
    const input_file file(directory / "f");
    CHECK(file.size() == 10);
    std::string text(4, ' ');
    file.read(3, text.data(), 4);
    CHECK(text == "3456");
    file.read(10, text.data(), 0);
    CHECK(text == "3456");
}

TEST_CASE("input_file: keeps no descriptor for a child process") {
    const temporary_directory directory;
    write_bytes(directory / "f", "x");
    const int probe = ::open((directory / "f").c_str(), O_RDONLY | O_CLOEXEC);
    ::close(probe); // the next descriptor to be given out
    const input_file file(directory / "f");
    CHECK((::fcntl(probe, F_GETFD) & FD_CLOEXEC) != 0);
}

TEST_CASE("input_file: what cannot be opened") {
    const temporary_directory directory;
    const auto missing = outcome_of([&] { input_file file(directory / "missing"); });
    CHECK(missing.code == error_code::io_error);
    CHECK(missing.message ==
          (directory / "missing").string() + ": cannot be opened: No such file or directory; check the path");
    CHECK(outcome_of([&] { input_file file(directory.path()); }).says("is not a regular file"));
    CHECK(outcome_of([] { input_file file("/dev/zero"); }).says("is not a regular file"));
    // A pipe without a writer must not block.
    REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
    CHECK(outcome_of([&] { input_file file(directory / "pipe"); }).says("is not a regular file"));
    CHECK(outcome_of([&] { input_file file(directory / "two\nlines"); }).is_one_line());
}

TEST_CASE("input_file: a file that shrinks gives an error, one that is replaced keeps its content") {
    const temporary_directory directory;
    write_bytes(directory / "f", "0123456789");
    const input_file file(directory / "f");
    std::filesystem::resize_file(directory / "f", 6);
    std::string text(10, ' ');
    const auto shrunk = outcome_of([&] { file.read(0, text.data(), 10); });
    CHECK(shrunk.code == error_code::io_error);
    CHECK(shrunk.says("byte 6: the file ends here, 4 bytes early"));

    write_bytes(directory / "g", "other file");
    std::filesystem::rename(directory / "g", directory / "f");
    file.read(0, text.data(), 6);
    CHECK(text.substr(0, 6) == "012345");
}

TEST_CASE("replacing_file: old or new, nothing between and nothing left") {
    const temporary_directory directory;
    write_bytes(directory / "f", "old");
    {
        replacing_file file(directory / "f");
        file.write("new ", 4);
        CHECK(read_bytes(directory / "f") == "old");
        CHECK(directory.file_count() == 2);
    }
    CHECK(read_bytes(directory / "f") == "old");
    CHECK(directory.file_count() == 1);
    {
        replacing_file file(directory / "f");
        replacing_file rival(directory / "f"); // two writers do not meet in one temporary file
        file.write("new ", 4);
        rival.write("rival", 5);
        file.write("content", 7);
        file.commit();
    }
    CHECK(read_bytes(directory / "f") == "new content");
    CHECK(directory.file_count() == 1);
}

TEST_CASE("replacing_file: errors") {
    const temporary_directory directory;
    const auto missing = outcome_of([&] { replacing_file file(directory / "none/f"); });
    CHECK(missing.code == error_code::io_error);
    CHECK(missing.says("none/f: cannot create"));
    CHECK(missing.says("No such file or directory"));
    // A directory of that name cannot be replaced; the temporary file goes away.
    std::filesystem::create_directory(directory / "d");
    const auto occupied = outcome_of([&] {
        replacing_file file(directory / "d");
        file.write("x", 1);
        file.commit();
    });
    CHECK(occupied.says("cannot replace it: Is a directory"));
    CHECK(directory.file_count() == 1);
}
