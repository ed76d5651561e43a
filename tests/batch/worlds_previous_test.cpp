// SPDX-License-Identifier: MIT
//
// Calls of many worlds that go on from the records of the call before, as it left them in its output: hysteresis and
// bodies at rest. Each world has the records and the result of calls of its own, byte for byte, also where the call
// before has truncated it or left it out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <tbb/task_arena.h>

#include "support/batch_scene.hpp"
#include "support/compound_scene.hpp"
#include "support/surface_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kWorlds = 60;
constexpr std::uint32_t kBefore = 3;  // bodies that all worlds share before theirs
constexpr std::uint32_t kBehind = 2;

// Worlds of some bodies, one of many, whose pairs ascend.
struct WorldScene {
    BatchScene scene;
    std::vector<std::uint64_t> pairs{0};
    std::vector<std::uint64_t> bodies{kBefore};

    std::span<const Pair> of(std::size_t w) const {
        return std::span<const Pair>(scene.pairs).subspan(pairs[w], pairs[w + 1] - pairs[w]);
    }
};

WorldScene make_scene(std::uint64_t seed) {
    WorldScene s;
    BatchRandom random(seed);
    for (std::uint32_t w = 0; w < kWorlds; ++w)
        s.bodies.push_back(s.bodies.back() + (w == 17 ? 200 : random.below(12)));
    const auto end = static_cast<std::uint32_t>(s.bodies.back());
    s.scene = make_bad_batch_scene(seed, end + kBehind, 1);
    s.scene.pairs.clear();
    for (std::uint32_t w = 0; w < kWorlds; ++w) {
        std::vector<std::uint32_t> all{0, 1, 2};
        for (auto i = static_cast<std::uint32_t>(s.bodies[w]); i < s.bodies[w + 1]; ++i) all.push_back(i);
        for (std::uint32_t i = 0; i < kBehind; ++i) all.push_back(end + i);
        const auto own = [&](std::uint32_t i) { return i >= kBefore && i < end; };
        for (const std::uint32_t a : all) {
            for (const std::uint32_t b : all) {
                if (a < b && (own(a) || own(b)) && random.below(12) != 0) s.scene.pairs.push_back({a, b});
            }
        }
        s.pairs.push_back(s.scene.pairs.size());
    }
    return s;
}

// Puts shapes from `first` on, so many, in place of one body of `part`.
void replace_hulls(WorldScene& s, std::uint32_t first, std::uint32_t shapes, std::uint32_t part) {
    BatchRandom random(9);
    for (Body& body : s.scene.bodies) {
        if (random.below(part) == 0 && body.hull != 0xFFFFFFFFU) body.hull = first + random.below(shapes);
    }
}

WorldScene compound_worlds() {
    WorldScene s = make_scene(62);
    const auto plain = static_cast<std::uint32_t>(s.scene.hulls.size());
    s.scene.hulls = with_compounds(s.scene.hulls, 3, 12, 6);
    replace_hulls(s, plain, 12, 4);
    return s;
}

WorldScene ground_worlds() {
    WorldScene s = make_scene(63);
    const auto plain = static_cast<std::uint32_t>(s.scene.hulls.size());
    const Surface surfaces[] = {rough_ground(8, 0.25F, 0.1F, 4), rough_ground(1, 6, 0, 5)};
    s.scene.hulls = s.scene.hulls.append(surface_set(surfaces).hulls);
    replace_hulls(s, plain, 2, 10);
    return s;
}

// World w alone: its bodies, then those that all share.
struct Alone {
    std::vector<Body> bodies;
    std::vector<std::uint8_t> unmoved;
    std::vector<Pair> pairs;
};

Alone alone(const WorldScene& s, std::size_t w, std::span<const std::uint8_t> unmoved) {
    Alone a;
    const std::uint64_t first = s.bodies[w], last = s.bodies[w + 1], end = s.bodies.back();
    std::vector<std::uint32_t> index(s.scene.bodies.size());
    const auto body = [&](std::uint64_t i) {
        index[i] = static_cast<std::uint32_t>(a.bodies.size());
        a.bodies.push_back(s.scene.bodies[i]);
        a.unmoved.push_back(unmoved[i]);
    };
    for (std::uint64_t i = first; i < last; ++i) body(i);
    for (std::uint64_t i = 0; i < kBefore; ++i) body(i);
    for (std::uint64_t i = end; i < end + kBehind; ++i) body(i);
    for (const Pair& p : s.of(w)) a.pairs.push_back({index[p.a], index[p.b]});
    return a;
}

// Steps of all worlds, and of each alone, from the records of the step before.
template <class Record>
class Steps {
public:
    Steps(WorldScene s, std::uint32_t threads, bool rename)
        : s_(std::move(s)), rename_(rename), options_(s_.scene.options()), results_(kWorlds) {
        options_.threads = threads;
        options_.hysteresis = 0.02F;
    }

    WorldScene& scene() { return s_; }

    // Returns how many pairs were kept.
    std::uint64_t step(const std::vector<std::uint8_t>& unmoved, double room, std::span<const std::uint8_t> active) {
        std::vector<std::uint64_t> records{3};
        for (std::size_t w = 0; w < kWorlds; ++w)
            records.push_back(records.back() + static_cast<std::uint64_t>(room * static_cast<double>(s_.of(w).size())));
        std::vector<Record> out(records.back());
        const std::vector<WorldResult> before = results_;
        WorldRanges ranges{s_.pairs, records, {}, active};
        if (rename_) ranges.bodies = s_.bodies;
        CallInputs inputs;
        inputs.previous = PreviousContacts::compact(std::span<const Record>(out_));
        if (!records_.empty()) {
            ranges.previous_records = records_;
            ranges.previous_results = results_;  // which this call overwrites
            inputs.unmoved = unmoved;
        }
        tbb::task_arena arena(8);
        WorldsResult all;
        arena.execute([&] {
            all = collide_worlds<Record>(s_.scene.hulls, s_.scene.view(), s_.scene.pairs, ranges, options_, out,
                                         results_, workspace_, inputs);
        });
        EXPECT_TRUE(all.status || all.status.code == Status::truncated) << all.status.what << " " << all.status.where;
        for (std::size_t w = 0; w < kWorlds; ++w) {
            if (active.empty() || active[w] != 0) compare(w, records, out, unmoved, before[w]);
        }
        records_ = records;
        out_ = out;
        return all.counters.unmoved_pairs;
    }

private:
    // The records of world w in the step before, ascending by the indices that it has alone.
    std::vector<Record> previous_of(std::size_t w, std::uint64_t count) const {
        if (records_.empty()) return {};
        std::vector<Record> own(out_.begin() + static_cast<std::ptrdiff_t>(records_[w]),
                                out_.begin() + static_cast<std::ptrdiff_t>(records_[w] + count));
        std::stable_sort(own.begin(), own.end(), [](const Record& a, const Record& b) {
            return Pair{a.pair[0], a.pair[1]} < Pair{b.pair[0], b.pair[1]};
        });
        return own;
    }

    void compare(std::size_t w, std::span<const std::uint64_t> records, const std::vector<Record>& out,
                 const std::vector<std::uint8_t>& unmoved, const WorldResult& before) {
        const Alone a = alone(s_, w, unmoved);
        const std::vector<Record> previous = previous_of(w, before.written);
        CallInputs inputs;
        inputs.previous = PreviousContacts::compact(std::span<const Record>(previous));
        // If the step before had not all records of the world, nothing stands.
        const bool whole = before.status == Status::ok && before.by_status[0] + before.by_status[1] != 0;
        if (!records_.empty() && whole) inputs.unmoved = rename_ ? a.unmoved : unmoved;
        std::vector<Record> expected(records[w + 1] - records[w]);
        const BodyView bodies = rename_ ? BodyView(std::span<const Body>(a.bodies)) : s_.scene.view();
        const CompactResult r =
            collide_compact<Record>(s_.scene.hulls, bodies, rename_ ? std::span<const Pair>(a.pairs) : s_.of(w),
                                    options_, expected, own_, inputs);
        ASSERT_TRUE(r.status || r.status.code == Status::truncated) << r.status.what;
        EXPECT_EQ(results_[w].status, r.status.code) << w;
        EXPECT_EQ(results_[w].required, r.required) << w;
        EXPECT_EQ(results_[w].touching, r.touching) << w;
        EXPECT_EQ(results_[w].points, r.points) << w;
        EXPECT_EQ(results_[w].hash, r.hash) << w;
        EXPECT_TRUE(std::equal(r.by_kind, r.by_kind + kContactKindCount, results_[w].by_kind)) << w;
        EXPECT_TRUE(std::equal(r.by_status, r.by_status + kStatusCount, results_[w].by_status)) << w;
        ASSERT_EQ(results_[w].written, r.written) << w;
        if (r.written == 0) return;  // memcmp takes no null pointer
        ASSERT_EQ(std::memcmp(out.data() + records[w], expected.data(), r.written * sizeof(Record)), 0) << w;
    }

    WorldScene s_;
    bool rename_;
    Options options_;
    std::vector<WorldResult> results_;
    std::vector<std::uint64_t> records_;
    std::vector<Record> out_;
    Workspace workspace_, own_;
};

template <class Record>
void expect_steps(WorldScene s, std::uint32_t threads, bool rename) {
    BatchRandom random(77);
    Steps<Record> steps(std::move(s), threads, rename);
    std::vector<std::uint8_t> active(kWorlds);
    for (std::uint8_t& x : active) x = random.below(4) != 0 ? 1 : 0;
    std::vector<Body>& bodies = steps.scene().scene.bodies;
    std::vector<std::uint8_t> unmoved(bodies.size(), 1);
    std::uint64_t kept = 0;
    for (int step = 0; step < 5; ++step) {
        kept += steps.step(unmoved, step == 1 ? 0.2 : 8, step == 2 ? active : std::vector<std::uint8_t>());
        if (testing::Test::HasFatalFailure()) return;
        unmoved.assign(bodies.size(), 1);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (random.below(4) != 0) continue;
            unmoved[i] = 0;
            for (float& x : bodies[i].position) x += random.uniform(-0.02F, 0.02F);
        }
    }
    std::printf("%llu pairs kept\n", static_cast<unsigned long long>(kept));
    EXPECT_GT(kept, 3000U);
}

TEST(BatchWorldsPrevious, RecordsAndBodiesAtRestAreThoseOfEachWorldAlone) {
    for (const std::uint32_t threads : {1U, 8U}) {
        for (const bool rename : {false, true}) expect_steps<Manifold4>(make_scene(61), threads, rename);
    }
    expect_steps<Manifold16>(make_scene(61), 8, true);
}

TEST(BatchWorldsPrevious, AlsoOfCompoundsAndSurfaces) {
    expect_steps<Manifold4>(compound_worlds(), 8, true);
    expect_steps<Manifold4>(ground_worlds(), 1, true);
    expect_steps<Manifold4>(ground_worlds(), 8, false);
}

void expect_refused(const CallStatus& status, const char* what, std::uint64_t where) {
    EXPECT_EQ(status.code, Status::bad_argument);
    EXPECT_STREQ(status.what, what);
    EXPECT_EQ(status.where, where);
}

TEST(BatchWorldsPrevious, BadOnesAreRefused) {
    const WorldScene s = make_scene(61);
    std::vector<Manifold4> first(s.scene.pairs.size()), out(first.size());
    std::vector<WorldResult> before(kWorlds), results(kWorlds);
    Workspace workspace;
    const auto call = [&](const WorldRanges& ranges, const CallInputs& inputs, std::span<Manifold4> to,
                          std::span<WorldResult> each) {
        return collide_worlds<Manifold4>(s.scene.hulls, s.scene.view(), s.scene.pairs, ranges, s.scene.options(), to,
                                         each, workspace, inputs)
            .status;
    };
    WorldRanges ranges{s.pairs, s.pairs};
    ASSERT_TRUE(call(ranges, {}, first, before));
    CallInputs inputs;
    const std::vector<std::uint8_t> unmoved(s.scene.bodies.size(), 1);
    inputs.unmoved = unmoved;
    inputs.previous = PreviousContacts::compact(std::span<const Manifold4>(first));
    expect_refused(call(ranges, inputs, out, results), "inputs.unmoved: a call of worlds needs worlds.previous_records",
                   unmoved.size());
    ranges.previous_records = s.pairs;
    expect_refused(call(ranges, inputs, out, results), "worlds.previous_results needs as many as results, or none", 0);
    ranges.previous_results = before;
    EXPECT_TRUE(call(ranges, inputs, out, results));
    std::vector<WorldResult> wrong = before;
    wrong[17].written = s.of(17).size() + 1;
    ranges.previous_results = wrong;
    expect_refused(call(ranges, inputs, out, results), "worlds.previous_results: more records than room", 17);
    ranges.previous_results = before;
    inputs.previous.count = 5;
    expect_refused(call(ranges, inputs, out, results), "worlds.previous_records ends behind inputs.previous",
                   s.pairs.back());
    inputs.previous = PreviousContacts::dense(std::span<const Manifold4>(first));
    expect_refused(call(ranges, inputs, out, results), "worlds.previous_records: inputs.previous is dense", 0);
    ASSERT_GT(before[17].written, 10U);
    std::swap(first[s.pairs[17] + 3], first[s.pairs[17] + 4]);
    inputs.previous = PreviousContacts::compact(std::span<const Manifold4>(first));
    expect_refused(call(ranges, inputs, out, results), "inputs.previous: the records of a world do not ascend by pair",
                   s.pairs[17] + 4);
}

}  // namespace
}  // namespace lanefold::test
