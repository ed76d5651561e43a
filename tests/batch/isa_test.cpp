// SPDX-License-Identifier: MIT
//
// Instruction sets: names, detection rules, choice, LANEFOLD_ISA, and that the forced set runs. LANEFOLD_ISA is read
// once per process, so its tests start this program again as a child.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <lanefold/detail/chunk.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "isa/detection.hpp"

namespace lanefold {
namespace {

constexpr Isa kAll[] = {Isa::scalar, Isa::sse2, Isa::sse4_2, Isa::avx2, Isa::avx512, Isa::neon};

TEST(Isa, NamesRoundTrip) {
    const char* names[] = {"scalar", "sse2", "sse4.2", "avx2", "avx512", "neon"};
    for (std::size_t i = 0; i < std::size(kAll); ++i) {
        EXPECT_STREQ(to_string(kAll[i]), names[i]);
        EXPECT_EQ(parse_isa(names[i]), kAll[i]);
    }
    EXPECT_EQ(parse_isa("automatic"), Isa::automatic);
    EXPECT_EQ(parse_isa("auto"), Isa::automatic);
    EXPECT_STREQ(to_string(Isa::automatic), "automatic");
    for (const char* wrong : {"", "AVX2", "sse4_2", "avx2 ", "avx-512", "best"}) {
        EXPECT_EQ(parse_isa(wrong), std::nullopt) << wrong;
    }
}

TEST(Isa, ListIsNeverEmptyAndAscending) {
    const std::span<const Isa> isas = available_isas();
    ASSERT_FALSE(isas.empty());
    EXPECT_EQ(isas[0], Isa::scalar);
    for (std::size_t i = 1; i < isas.size(); ++i) EXPECT_LT(isas[i - 1], isas[i]);
    for (const Isa isa : kAll) {
        const bool listed = std::find(isas.begin(), isas.end(), isa) != isas.end();
        EXPECT_EQ(is_available(isa), listed) << to_string(isa);
        EXPECT_EQ(available_isa_names().find(to_string(isa)) != std::string::npos, listed) << to_string(isa);
    }
    EXPECT_FALSE(is_available(Isa::automatic));
}

TEST(Isa, TableIsThatOfTheSet) {
    constexpr unsigned kWidths[] = {1, 4, 4, 8, 16, 4};
    for (const Isa isa : kAll) {
        const detail::KernelTable* table = detail::kernel_table(isa);
        if (!is_available(isa)) {
            EXPECT_EQ(table, nullptr) << to_string(isa);
            EXPECT_EQ(isa_width(isa), 0U);
            continue;
        }
        ASSERT_NE(table, nullptr) << to_string(isa);
        EXPECT_EQ(table->isa, isa);
        EXPECT_EQ(table->width, kWidths[static_cast<std::size_t>(isa)]) << to_string(isa);
        EXPECT_EQ(isa_width(isa), table->width);
    }
}

#if defined(__x86_64__)
TEST(Isa, DetectionAgreesWithTheCompilersRuntime) {
    EXPECT_EQ(detail::machine_can_run(Isa::sse4_2), __builtin_cpu_supports("sse4.2") != 0);
    EXPECT_EQ(detail::machine_can_run(Isa::avx2), __builtin_cpu_supports("avx2") != 0);
    const bool avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
                        __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                        __builtin_cpu_supports("avx512vl") != 0;
    EXPECT_EQ(detail::machine_can_run(Isa::avx512), avx512);
    EXPECT_FALSE(detail::machine_can_run(Isa::neon));
}
#endif

// A machine with all features.
detail::CpuLeaves complete() {
    detail::CpuLeaves l;
    l.max_leaf = 7;
    l.leaf1_ecx = l.leaf1_edx = l.leaf7_ebx = 0xFFFFFFFFU;
    l.xcr0 = 0xFFFF;
    return l;
}

TEST(Isa, DetectionNeedsTheOperatingSystem) {
    using detail::x86_can_run;
    for (const Isa isa : {Isa::scalar, Isa::sse2, Isa::sse4_2, Isa::avx2, Isa::avx512}) {
        EXPECT_TRUE(x86_can_run(isa, complete())) << to_string(isa);
    }
    detail::CpuLeaves no_save = complete();  // XSAVE not enabled by the system
    no_save.leaf1_ecx &= ~(1U << 27);
    no_save.xcr0 = 0;
    EXPECT_TRUE(x86_can_run(Isa::sse4_2, no_save));
    EXPECT_FALSE(x86_can_run(Isa::avx2, no_save));
    EXPECT_FALSE(x86_can_run(Isa::avx512, no_save));

    detail::CpuLeaves no_zmm = complete();  // YMM saved, masks and ZMM not
    no_zmm.xcr0 = 0x7;
    EXPECT_TRUE(x86_can_run(Isa::avx2, no_zmm));
    EXPECT_FALSE(x86_can_run(Isa::avx512, no_zmm));
    for (const std::uint64_t missing : {0x20U, 0x40U, 0x80U}) {
        detail::CpuLeaves part = complete();
        part.xcr0 &= ~missing;
        EXPECT_FALSE(x86_can_run(Isa::avx512, part)) << missing;
    }
}

TEST(Isa, DetectionNeedsEveryFlag) {
    using detail::x86_can_run;
    for (const unsigned bit : {16U, 17U, 28U, 30U, 31U, 5U}) {
        detail::CpuLeaves l = complete();
        l.leaf7_ebx &= ~(1U << bit);
        EXPECT_FALSE(x86_can_run(Isa::avx512, l)) << bit;
        EXPECT_EQ(x86_can_run(Isa::avx2, l), bit != 5) << bit;
    }
    for (const unsigned bit : {0U, 9U, 19U, 20U, 23U}) {
        detail::CpuLeaves l = complete();
        l.leaf1_ecx &= ~(1U << bit);
        EXPECT_FALSE(x86_can_run(Isa::sse4_2, l)) << bit;
        EXPECT_FALSE(x86_can_run(Isa::avx2, l)) << bit;
        EXPECT_TRUE(x86_can_run(Isa::sse2, l)) << bit;
    }
    EXPECT_TRUE(x86_can_run(Isa::scalar, detail::CpuLeaves{}));
    EXPECT_FALSE(x86_can_run(Isa::sse2, detail::CpuLeaves{}));
}

TEST(Isa, UnavailableIsRefusedWithTheList) {
    unsigned refused = 0;
    for (const Isa isa : kAll) {
        const IsaChoice choice = choose_isa(isa);
        if (is_available(isa)) {
            EXPECT_TRUE(static_cast<bool>(choice.status));
            EXPECT_EQ(choice.isa, isa);
            continue;
        }
        ++refused;
        EXPECT_EQ(choice.status.code, Status::bad_argument);
        const std::string what = choice.status.what;
        EXPECT_NE(what.find(to_string(isa)), std::string::npos) << what;
        EXPECT_NE(what.find(available_isa_names()), std::string::npos) << what;
    }
    EXPECT_GE(refused, 1U) << "no machine has both AVX and NEON";
    const IsaChoice nonsense = choose_isa(static_cast<Isa>(77));
    EXPECT_EQ(nonsense.status.code, Status::bad_argument);
    EXPECT_NE(std::string(nonsense.status.what).find(available_isa_names()), std::string::npos);
}

TEST(Isa, ForcedSetIsTheOneThatRan) {
    const HullSet none;
    const std::array<Body, 2> bodies = {Body{{0, 0, 0}, 0, {0, 0, 0, 1}}, Body{{1, 0, 0}, 0, {0, 0, 0, 1}}};
    const std::array<Pair, 1> pairs = {Pair{0, 1}};
    std::array<Manifold4, 1> out{};
    Workspace workspace;
    for (const Isa isa : available_isas()) {
        Options options;
        options.isa = isa;
        const BatchResult result = collide_serial(none, std::span<const Body>(bodies), pairs, options, out, workspace);
        EXPECT_TRUE(static_cast<bool>(result.status)) << result.status.what;
        EXPECT_EQ(result.isa, isa);
        EXPECT_EQ(out[0].status, Status::bad_hull);
    }
    for (const Isa isa : kAll) {
        if (is_available(isa)) continue;
        Options options;
        options.isa = isa;
        const BatchResult result = collide_serial(none, std::span<const Body>(bodies), pairs, options, out, workspace);
        EXPECT_EQ(result.status.code, Status::bad_argument);
    }
}

// How this program was started; main sets it.
std::string& program() {
    static std::string path;
    return path;
}

// The result of choose_isa(automatic) in a child process with this LANEFOLD_ISA: "ok NAME" or "refused TEXT".
// LANEFOLD_TEST_EMULATOR is the command that runs programs of another architecture (qemu-aarch64-static).
std::string choice_with(const char* value) {
    const char* emulator = std::getenv("LANEFOLD_TEST_EMULATOR");
    const std::string command = std::string("LANEFOLD_ISA='") + value + "' " + (emulator == nullptr ? "" : emulator) +
                                " '" + program() + "' --print-automatic-choice";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return "popen failed";
    std::string text;
    std::array<char, 256> buffer{};
    while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr) text += buffer.data();
    pclose(pipe);
    return text;
}

TEST(IsaEnvironment, EveryAvailableNameIsTaken) {
    for (const Isa isa : available_isas()) {
        EXPECT_EQ(choice_with(to_string(isa)), std::string("ok ") + to_string(isa));
    }
}

TEST(IsaEnvironment, EmptyAndAutoMeanTheBest) {
    const std::string best = std::string("ok ") + to_string(available_isas().back());
    EXPECT_EQ(choice_with(""), best);
    EXPECT_EQ(choice_with("auto"), best);
    EXPECT_EQ(choice_with("automatic"), best);
}

TEST(IsaEnvironment, UnknownNameIsRefusedWithTheList) {
    const std::string text = choice_with("mmx");
    EXPECT_EQ(text.find("refused "), 0U) << text;
    EXPECT_NE(text.find("LANEFOLD_ISA"), std::string::npos) << text;
    EXPECT_NE(text.find("'mmx'"), std::string::npos) << text;
    EXPECT_NE(text.find(available_isa_names()), std::string::npos) << text;
}

TEST(IsaEnvironment, UnavailableNameIsRefusedWithTheList) {
    const char* missing = is_available(Isa::neon) ? "avx2" : "neon";
    const std::string text = choice_with(missing);
    EXPECT_EQ(text.find("refused "), 0U) << text;
    EXPECT_NE(text.find("LANEFOLD_ISA"), std::string::npos) << text;
    EXPECT_NE(text.find(missing), std::string::npos) << text;
    EXPECT_NE(text.find(available_isa_names()), std::string::npos) << text;
}

}  // namespace
}  // namespace lanefold

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--print-automatic-choice") {
        const lanefold::IsaChoice choice = lanefold::choose_isa(lanefold::Isa::automatic);
        if (choice.status) {
            std::printf("ok %s", lanefold::to_string(choice.isa));
        } else {
            std::printf("refused %s", choice.status.what);
        }
        return 0;
    }
    lanefold::program() = argv[0];
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
