// SPDX-License-Identifier: MIT
//
// .npy files: lanefold reads NumPy's files, NumPy reads lanefold's, and a broken file is refused with its place.

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "console/failure.hpp"
#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "files/python_literal.hpp"
#include "support/program.hpp"

namespace lanefold::tools {
namespace {

using test::TemporaryFolder;
using test::write_bytes;

// The bytes of a .npy file with any version and header text.
std::string npy_bytes(int version, std::string header, const std::string& data) {
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xffU);
    return bytes + header + data;
}

template <class Call>
std::string failure_of(const Call& call) {
    try {
        call();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), ExitCode::bad_input);
        return failure.what();
    }
    return "no failure";
}

constexpr const char* kGoodHeader = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

TEST(PythonLiteral, NestedValueIsSpeltAsPythonDoes) {
    PythonValue value;
    ASSERT_TRUE(parse_python_literal(
        "{ \"descr\" :[('a','<f4',( 3 , )),('b' , [ ('c','|u1') ])],'x':True,'n':(12,7)}  \n", value));
    EXPECT_EQ(value.repr(), "{'descr': [('a', '<f4', (3,)), ('b', [('c', '|u1')])], 'x': True, 'n': (12, 7), }");
}

TEST(PythonLiteral, DamagedTextIsRefused) {
    for (const char* text : {"", "{", "{'a'", "{'a':", "{'a': 1", "(1", "[1, 2", "'a", "{1: 2}", "(1) 2", "1 1",
                             "True False", "nan", "-1", "(3)", "99999999999999999999999", "{'a': 'b\\n'}"}) {
        PythonValue value;
        EXPECT_FALSE(parse_python_literal(text, value)) << text;
    }
    PythonValue value;
    EXPECT_FALSE(parse_python_literal(std::string(100000, '('), value));
}

TEST(Npy, EveryFormatVersionIsRead) {
    const TemporaryFolder folder;
    const std::vector<float> values{1, 2, 3, 4, 5, 6};
    const std::string data(reinterpret_cast<const char*>(values.data()), 24);
    for (const int version : {1, 2, 3}) {
        write_bytes(folder / "a.npy", npy_bytes(version, kGoodHeader, data));
        const NpyReader file(folder / "a.npy");
        EXPECT_NO_THROW(file.expect_shape({2, kAnyLength}));
        EXPECT_EQ(file.read_all<float>(), values) << version;
    }
}

TEST(Npy, LongHeaderIsRead) {
    const TemporaryFolder folder;
    write_bytes(folder / "a.npy", npy_bytes(2, kGoodHeader + std::string(100000, ' '), std::string(24, '\0')));
    EXPECT_EQ(NpyReader(folder / "a.npy").read_all<float>(), std::vector<float>(6, 0.0F));
}

TEST(Npy, BrokenFilesAreRefusedWithFileAndReason) {
    struct Case {
        std::string bytes;
        const char* reason;
    };
    const std::string data(24, '\0');
    const Case cases[] = {
        {"", "not a .npy file"},
        {"\x93NUMP", "not a .npy file"},
        {std::string(100, 'x'), "not a .npy file"},
        {npy_bytes(4, kGoodHeader, data), "version 4.0"},
        {npy_bytes(1, kGoodHeader, data).substr(0, 40), "truncated"},
        {npy_bytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)", data), "Python dictionary"},
        {npy_bytes(1, "{'descr': '<f4', 'shape': (2, 3), }", data), "lacks a proper"},
        {npy_bytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': 6, }", data), "lacks a proper"},
        {npy_bytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': ('a',), }", data), "not numbers"},
        {npy_bytes(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", data),
         "element type is <f8, expected <f4"},
        {npy_bytes(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", data), "big endian"},
        {npy_bytes(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", data), "Fortran order"},
        {npy_bytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", data),
         "shape is (3, 2), expected (n, 3)"},
        {npy_bytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", data),
         "shape is (6,), expected (n, 3)"},
        {npy_bytes(1, kGoodHeader, data.substr(1)), "truncated"},
        {npy_bytes(1, kGoodHeader, data + "x"), "wrong size"},
        {npy_bytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6148914691236517205, 3), }", data),
         "impossibly large"},
        {npy_bytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9223372036854775807), }",
                   data),
         "impossibly large"},
        {npy_bytes(2, std::string("\xff\xff\xff\xff"), data).replace(8, 4, "\xff\xff\xff\x7f"), "damaged"},
    };
    const TemporaryFolder folder;
    for (const Case& c : cases) {
        write_bytes(folder / "bad.npy", c.bytes);
        const std::string what = failure_of([&] {
            const NpyReader file(folder / "bad.npy");
            file.expect_shape({kAnyLength, 3});
            file.read_all<float>();
        });
        EXPECT_NE(what.find(c.reason), std::string::npos) << what << "\nexpected: " << c.reason;
        EXPECT_NE(what.find("bad.npy"), std::string::npos) << what;
    }
    EXPECT_NE(failure_of([&] { NpyReader(folder / "none.npy"); }).find("No such file"), std::string::npos);
    EXPECT_NE(failure_of([&] { NpyReader(folder.path()); }).find("not a"), std::string::npos);
}

TEST(Npy, FileCutShortAfterOpeningIsAnError) {
    const TemporaryFolder folder;
    write_npy<float>(folder / "a.npy", std::vector<float>(100000, 1.0F), {100000});
    const NpyReader file(folder / "a.npy");
    file.expect_dtype<float>();
    std::filesystem::resize_file(folder / "a.npy", 1000);
    std::vector<float> out(100000);
    EXPECT_NE(failure_of([&] { file.read(0, std::span(out)); }).find("truncated"), std::string::npos);
}

TEST(NpyWriter, FileAppearsOnlyWhenCommitted) {
    const TemporaryFolder folder;
    {
        NpyWriter writer = NpyWriter::of<float>(folder / "a.npy", {3});
        writer.append(std::span<const float>(std::vector<float>(6, 1.0F)));
        EXPECT_FALSE(std::filesystem::exists(folder / "a.npy"));
    }
    EXPECT_TRUE(test::files_below(folder.path()).empty()) << "temporary files are left";
    NpyWriter writer = NpyWriter::of<float>(folder / "a.npy", {3});
    EXPECT_THROW(writer.append(std::span<const float>(std::vector<float>(4, 1.0F))), Failure);
    writer.append(std::span<const float>(std::vector<float>(6, 1.0F)));
    writer.append(std::span<const float>(std::vector<float>(3, 2.0F)));
    writer.commit();
    const NpyReader file(folder / "a.npy");
    file.expect_shape({3, 3});
    EXPECT_EQ(file.read_all<float>(), (std::vector<float>{1, 1, 1, 1, 1, 1, 2, 2, 2}));
    EXPECT_EQ(file.header().data_offset % 64, 0U);
}

TEST(AtomicFile, ExclusiveCommitHappensOnce) {
    const TemporaryFolder folder;
    EXPECT_TRUE(write_file_exclusive(folder / "a", "first"));
    EXPECT_FALSE(write_file_exclusive(folder / "a", "second"));
    EXPECT_EQ(read_file(folder / "a"), "first");
    write_file(folder / "a", "third");
    EXPECT_EQ(read_file(folder / "a"), "third");
    EXPECT_EQ(test::files_below(folder.path()).size(), 1U) << "temporary files are left";
}

TEST(AtomicFile, OnlyFilesOfDeadWritersAreStale) {
    const TemporaryFolder folder;
    const AtomicFile living(folder / "a");
    write_bytes(folder / ".b.0123456789abcdef.tmp", "left by a killed process");
    write_bytes(folder / "b.tmp", "somebody else's");
    EXPECT_EQ(remove_stale_temporaries(folder.path()), 1U);
    const auto left = test::files_below(folder.path());
    EXPECT_EQ(left.size(), 2U);
    EXPECT_EQ(left.count("b.tmp"), 1U);
}

bool numpy_is_there() { return std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") == 0; }

std::string python(const TemporaryFolder& folder, const std::string& code) {
    write_bytes(folder / "code.py", "import numpy as np, os\nos.chdir('" + folder.path().string() + "')\n" + code);
    const test::Outcome outcome = test::run_program("/usr/bin/python3", {(folder / "code.py").string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
}

TEST(NpyAgainstNumPy, ArraysGoBothWays) {
    if (!numpy_is_there()) GTEST_SKIP() << "needs /usr/bin/python3 with NumPy";
    const TemporaryFolder folder;
    std::vector<double> values(24);
    std::iota(values.begin(), values.end(), 0.5);
    write_npy<double>(folder / "ours.npy", values, {2, 4, 3});
    EXPECT_EQ(python(folder,
                     "a = np.load('ours.npy', mmap_mode='r')\n"
                     "print(a.dtype.str, a.shape, float(a[1, 2, 1]))\n"
                     "np.save('theirs.npy', np.arange(24, dtype='<f8').reshape(2, 4, 3) + 0.5)\n"
                     "np.lib.format.write_array(open('two.npy', 'wb'), np.array(a), version=(2, 0))\n"
                     "np.save('fortran.npy', np.asfortranarray(a))\n"
                     "np.save('empty.npy', np.zeros((0, 4, 3)))\n"),
              "<f8 (2, 4, 3) 19.5\n");
    EXPECT_EQ(NpyReader(folder / "theirs.npy").read_all<double>(), values);
    EXPECT_EQ(NpyReader(folder / "two.npy").read_all<double>(), values);
    EXPECT_TRUE(NpyReader(folder / "empty.npy").read_all<double>().empty());
    EXPECT_NE(failure_of([&] { NpyReader(folder / "fortran.npy").read_all<double>(); }).find("Fortran"),
              std::string::npos);
}

TEST(NpyAgainstNumPy, RecordTypesAreTheManifoldsByteForByte) {
    if (!numpy_is_there()) GTEST_SKIP() << "needs /usr/bin/python3 with NumPy";
    const TemporaryFolder folder;
    Manifold4 four{};
    four.pair[1] = 7;
    four.normal[2] = 0.25F;
    four.distance = -0.5F;
    four.total = 300;
    four.count = 2;
    four.status = Status::bad_hull;
    four.points[3].feature = 0xfffffff0U;
    Manifold16 sixteen{};
    sixteen.points[15].separation = 3.0F;
    NpyWriter writer4(folder / "four.npy", contacts_dtype(4), sizeof four, {});
    writer4.append(std::span<const Manifold4>(&four, 1));
    writer4.commit();
    NpyWriter writer16(folder / "sixteen.npy", contacts_dtype(16), sizeof sixteen, {});
    writer16.append(std::span<const Manifold16>(&sixteen, 1));
    writer16.commit();
    EXPECT_EQ(python(folder,
                     "a = np.load('four.npy', mmap_mode='r')\n"
                     "r = a[0]\n"
                     "print(a.dtype.itemsize, r['pair'][1], r['normal'][2], r['distance'], r['total'], r['count'],"
                     " r['status'], r['points'][3]['feature'])\n"
                     "b = np.load('sixteen.npy')\n"
                     "print(b.dtype.itemsize, b['points']['separation'][0, 15], ' '.join(b.dtype.names))\n"
                     "np.save('again.npy', a)\n"),
              "128 7 0.25 -0.5 300 2 3 4294967280\n"
              "384 3.0 pair normal distance feature_a feature_b total count kind status reserved points padding\n");
    // NumPy spells the type in the same way.
    EXPECT_NO_THROW(NpyReader(folder / "again.npy").expect_dtype(contacts_dtype(4), sizeof four));
}

}  // namespace
}  // namespace lanefold::tools
