// SPDX-License-Identifier: MIT
//
// Memory that runs out while hulls and surfaces are built: every single allocation of a build fails once, alone and
// with all that follow. A build gives a right result or a failure that says so, keeps no memory, and the next build has
// the same bytes. Nothing is printed. The C library's functions are replaced, because operator new ends there.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <gtest/gtest.h>
#include <unistd.h>

#include <lanefold/height_field.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/surface.hpp>

#include "support/hulls.hpp"
#include "support/meshes.hpp"

// NOLINTBEGIN(readability-identifier-naming): names of the C library.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}
// NOLINTEND(readability-identifier-naming)

namespace {

std::atomic<bool> counting = false;
std::atomic<std::int64_t> made = 0;           // allocations asked for since counting began
std::atomic<std::int64_t> live = 0;           // blocks not yet freed
std::atomic<std::int64_t> first_failing = 0;  // from 1; 0: none fails
std::atomic<std::int64_t> last_failing = 0;

bool fails() {
    if (!counting) return false;
    const std::int64_t number = ++made;
    return number >= first_failing && number <= last_failing;
}

void* counted(void* block) {
    if (block != nullptr) ++live;
    return block;
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library has its own names.
extern "C" {
void* malloc(std::size_t size) { return fails() ? nullptr : counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return fails() ? nullptr : counted(__libc_calloc(count, size)); }
void* realloc(void* block, std::size_t size) {
    if (fails()) return nullptr;
    if (block == nullptr) return counted(__libc_realloc(block, size));
    return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    return fails() ? nullptr : counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
    void* const block = memalign(alignment, size);
    if (block == nullptr) return 12;  // ENOMEM
    *out = block;
    return 0;
}
void free(void* block) {
    if (block != nullptr) --live;
    __libc_free(block);
}
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

namespace lanefold::test {
namespace {

struct Build {
    const char* name;
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets;
    BuildOptions options;
};

Build make_build(const char* name, const std::vector<Points>& hulls, const BuildOptions& options) {
    Build b{name, {}, {0}, options};
    for (const Points& p : hulls) {
        b.points.insert(b.points.end(), p.begin(), p.end());
        b.offsets.push_back(b.points.size());
    }
    return b;
}

std::vector<Build> builds() {
    Random random(4711, 1);
    BuildOptions one;
    one.threads = 1;
    BuildOptions centred = one;
    centred.origin = Origin::centre_of_mass;
    BuildOptions budget = one;
    budget.max_vertices = 12;
    BuildOptions parallel;
    parallel.threads = 4;
    const Points box = box_points(1.0, 0.7, 0.5);
    const Points prism = prism_points(9, 1.0, 0.5);
    const Points rock = make_points(Shape::rock, random);
    const Points flat(rock.begin(), rock.begin() + 3);
    return {make_build("box", {box}, one),
            make_build("prism, about its centre of mass", {prism}, centred),
            make_build("rock, at most 12 vertices", {rock}, budget),
            make_build("two hulls", {box, prism}, one),
            make_build("three hulls, one of them flat", {box, flat, prism}, one),
            make_build("three hulls on four threads", {box, prism, box}, parallel)};
}

std::int64_t kept = 0;  // blocks that the last build did not give back; 0 for one on several threads

enum class End { built, failed, told, thrown };

// Builds with the allocations [first, last] failing.
End build_with(const Build& b, std::int64_t first, std::int64_t last, std::uint64_t fingerprint, bool can_be_built) {
    first_failing = first;
    last_failing = last;
    made = 0;
    const std::int64_t before = live;
    End end = End::thrown;
    {
        BuildResult result;
        counting = true;
        try {
            result = build_hulls(b.points, b.offsets, b.options);
            end = result ? End::built : End::failed;
        } catch (const std::bad_alloc&) {
            end = End::thrown;
        }
        counting = false;
        if (end == End::built) {
            EXPECT_TRUE(can_be_built) << b.name;
            EXPECT_EQ(result.hulls.fingerprint(), fingerprint) << b.name << ", allocation " << first;
        }
        if (end == End::failed) {
            for (const HullReport& r : result.failures) {
                if (r.error == HullError::internal && std::strcmp(r.what, "out of memory") == 0) end = End::told;
            }
            EXPECT_EQ(result.hulls.size(), 0U);
            if (can_be_built) {
                EXPECT_EQ(end, End::told) << b.name << ", allocation " << first;
            }
        }
    }
    // Threads that ended keep what they were given for the next one.
    kept = b.options.threads == 1 ? live - before : 0;
    return end;
}

// Standard error goes into a file, whose length is the number of bytes that were printed.
class Listener {
public:
    Listener() : file_(std::tmpfile()), before_(::dup(2)) {
        std::fflush(stderr);
        ::dup2(::fileno(file_), 2);
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() {
        ::dup2(before_, 2);
        ::close(before_);
        std::fclose(file_);
    }
    long heard() const {
        std::fflush(stderr);
        return static_cast<long>(::lseek(::fileno(file_), 0, SEEK_END));
    }

private:
    std::FILE* file_;
    int before_;
};

TEST(BuilderMemory, EveryAllocationMayFail) {
    const Listener standard_error;
    for (const Build& b : builds()) {
        const BuildResult right = build_hulls(b.points, b.offsets, b.options);
        const auto can_be_built = static_cast<bool>(right);
        const std::uint64_t fingerprint = right.hulls.fingerprint();
        const End whole = build_with(b, 0, 0, fingerprint, can_be_built);
        EXPECT_EQ(whole, can_be_built ? End::built : End::failed) << b.name;
        const std::int64_t allocations = made;
        EXPECT_GT(allocations, 20) << b.name;
        int ends[4] = {};
        for (std::int64_t n = 1; n <= allocations; ++n) {
            for (const std::int64_t last : {n, std::int64_t{1} << 60}) {
                const End end = build_with(b, n, last, fingerprint, can_be_built);
                ++ends[static_cast<int>(end)];
                EXPECT_EQ(kept, 0) << b.name;
                // Only the list of failures itself, which is asked for first.
                if (end == End::thrown) {
                    EXPECT_EQ(n, 1) << b.name;
                }
            }
            ASSERT_FALSE(HasFailure()) << b.name << ", allocation " << n;
        }
        EXPECT_EQ(standard_error.heard(), 0) << b.name;
        const BuildResult after = build_hulls(b.points, b.offsets, b.options);
        EXPECT_EQ(static_cast<bool>(after), can_be_built);
        EXPECT_EQ(after.hulls.fingerprint(), fingerprint);
        std::printf(
            "%s: %lld allocations; with one or more failing %d built, %d failed alike, %d out of memory, %d "
            "thrown\n",
            b.name, static_cast<long long>(allocations), ends[0], ends[1], ends[2], ends[3]);
        EXPECT_GT(ends[static_cast<int>(End::told)], allocations / 2) << b.name;
        EXPECT_LE(ends[static_cast<int>(End::thrown)], 2) << b.name;
    }
}

// Builds with each allocation failing, alone and with all that follow.
template <class Build>
void fail_each(const Build& build) {
    const std::uint64_t fingerprint = build().surface.fingerprint();
    std::int64_t allocations = 0;
    std::int64_t told = 0;
    for (std::int64_t first = 0; first <= allocations; ++first) {
        for (const bool all : {false, true}) {
            first_failing = first;
            last_failing = all && first > 0 ? INT64_MAX : first;
            made = 0;
            const std::int64_t before = live;
            {
                counting = true;
                const SurfaceResult result = build();
                counting = false;
                if (first == 0) allocations = made;
                EXPECT_TRUE(result ? result.surface.fingerprint() == fingerprint
                                   : result.status.code == Status::out_of_memory && result.surface.empty())
                    << "allocation " << first;
                told += result ? 0 : 1;
            }
            EXPECT_EQ(live, before) << "allocation " << first;
        }
    }
    EXPECT_GT(allocations, 3);
    EXPECT_GE(told, allocations);
}

TEST(BuilderMemory, EveryAllocationOfASurfaceMayFail) {
    const Listener standard_error;
    Mesh mesh = box_mesh({-2, -2, -1}, {2, 2, 0});
    mesh.add(box_mesh({-0.7F, -0.2F, 0}, {0.6F, 1.1F, 1}));
    mesh.add(grid_mesh(2, 0, 1), {5, 0, 0});
    mesh.add(grid_mesh(3, 0, 1), {6, 0, 0});
    fail_each([&] { return build_surface(mesh.points, mesh.triangles); });
    const std::vector<float> heights(12, 1.0F);
    const std::vector<std::uint8_t> holes(6, 0);
    const HeightSamples samples(heights.data(), 4);
    HeightFieldOptions options;
    options.rows = 3;
    options.columns = 4;
    options.holes = holes;
    fail_each([&] { return build_height_field({&samples, 1}, options); });
    EXPECT_EQ(standard_error.heard(), 0);
}

}  // namespace
}  // namespace lanefold::test
