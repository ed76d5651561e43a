// SPDX-License-Identifier: MIT
//
// Streams, matching and captures through lanefold_stream.h give the bytes of the C++ calls.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include <lanefold_stream.h>
#include <lanefold/capture.hpp>
#include <lanefold/contact_stream.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>

#include "support/c_hulls.hpp"
#include "support/coherent_scene.hpp"

namespace lanefold::test {
namespace {

struct FreeStream {
    void operator()(lanefold_stream* stream) const { lanefold_stream_free(stream); }
};
using Stream = std::unique_ptr<lanefold_stream, FreeStream>;
struct FreeCapture {
    void operator()(lanefold_capture* capture) const { lanefold_capture_free(capture); }
};

template <class A, class B>
bool same_bytes(std::span<const A> a, const B* b, std::uint64_t count) {
    static_assert(sizeof(A) == sizeof(B));
    return a.size() == count && (a.empty() || std::memcmp(a.data(), b, a.size_bytes()) == 0);
}

class CStream : public testing::Test {
protected:
    CStream() : moving_(make_batch_scene(17, 60, 1500), 3, 0.01F, 0.02F), hulls_(c_hulls(scene().hulls)) {
        options_.margin = 0.05F;
        c_options_.margin = 0.05F;
        options_.hysteresis = c_options_.hysteresis;
    }

    const BatchScene& scene() { return moving_.scene(); }
    const lanefold_pair* pairs() { return reinterpret_cast<const lanefold_pair*>(scene().pairs.data()); }
    lanefold_body_view view() {
        return lanefold_view_bodies(reinterpret_cast<const lanefold_body*>(scene().bodies.data()),
                                    scene().bodies.size());
    }
    lanefold_status step(lanefold_stream* stream, float reuse, lanefold_result* r, lanefold_stream_result* sr) {
        lanefold_stream_options so = LANEFOLD_STREAM_OPTIONS_INIT;
        so.reuse = reuse;
        const lanefold_body_view v = view();
        return lanefold_stream_step(stream, hulls_.get(), &v, pairs(), scene().pairs.size(), &c_options_, &so, r, sr);
    }

    CoherentScene moving_;
    CHulls hulls_;
    Options options_;
    lanefold_options c_options_ = LANEFOLD_OPTIONS_INIT;
};

TEST_F(CStream, StepsGiveTheBytesOfCpp) {
    for (const float reuse : {0.0F, 0.01F}) {
        ContactStream<Manifold4> own;
        const Stream stream(lanefold_stream_create(4, 1));
        std::uint64_t carried = 0;
        for (int frame = 0; frame < 6; ++frame) {
            moving_.set_frame(frame);
            StreamOptions so;
            so.reuse = reuse;
            const StreamResult r = own.step(scene().hulls, scene().bodies, scene().pairs, options_, {}, so);
            ASSERT_TRUE(r.status);
            lanefold_result cr = LANEFOLD_RESULT_INIT;
            lanefold_stream_result csr = LANEFOLD_STREAM_RESULT_INIT;
            const lanefold_status s = step(stream.get(), reuse, &cr, &csr);
            ASSERT_EQ(s.code, LANEFOLD_OK) << s.what;
            std::uint64_t n = 0;
            const lanefold_manifold4* contacts = lanefold_stream_contacts4(stream.get(), &n);
            EXPECT_GT(n, 100U);
            EXPECT_TRUE(same_bytes(own.contacts(), contacts, n));
            const lanefold_match4* matches = lanefold_stream_matches4(stream.get(), &n);
            EXPECT_TRUE(same_bytes(own.matches(), matches, n));
            const std::uint32_t* candidates = lanefold_stream_candidates(stream.get(), &n);
            EXPECT_TRUE(same_bytes(own.candidates(), candidates, n));
            EXPECT_EQ(cr.touching, r.touching);
            EXPECT_EQ(csr.points_kept, r.points_kept);
            EXPECT_EQ(csr.carried, r.carried);
            EXPECT_EQ(csr.next_pair, scene().pairs.size());
            carried += csr.carried;
        }
        EXPECT_EQ(carried > 0, reuse > 0);
    }
}

TEST_F(CStream, RefusesWhatAStepCannotTake) {
    const Stream stream(lanefold_stream_create(16, 0));
    EXPECT_EQ(step(stream.get(), -1.0F, nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(step(nullptr, 0.0F, nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    std::vector<lanefold_pair_cache> cache(scene().pairs.size());
    c_options_.cache = cache.data();
    const lanefold_status s = step(stream.get(), 0.0F, nullptr, nullptr);
    EXPECT_EQ(s.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_NE(std::strstr(s.what, "cache"), nullptr) << s.what;
    lanefold_stream_result unset{};
    EXPECT_EQ(step(stream.get(), 0.0F, nullptr, &unset).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_stream_create(5, 0), nullptr);
    std::uint64_t n = 7;
    EXPECT_EQ(lanefold_stream_contacts4(stream.get(), &n), nullptr);
    EXPECT_EQ(n, 0U);
}

// A refused reuse leaves the stream's records. The next step computes all pairs: a stream without reuse has its bytes.
TEST_F(CStream, BadReuseIsRefusedAndChangesNothing) {
    const Stream stream(lanefold_stream_create(4, 0));
    ContactStream<Manifold4> own;
    for (int frame = 0; frame < 4; ++frame) {
        moving_.set_frame(frame);
        std::uint64_t n = 0;
        const lanefold_manifold4* const before = lanefold_stream_contacts4(stream.get(), &n);
        const std::vector<lanefold_manifold4> kept(before, before + n);
        for (const float bad : {-1e-3F, -std::numeric_limits<float>::denorm_min(), std::nextafter(kMaxReuse, 1.0F),
                                std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()}) {
            const lanefold_status s = step(stream.get(), bad, nullptr, nullptr);
            EXPECT_EQ(s.code, LANEFOLD_BAD_ARGUMENT) << bad;
            EXPECT_NE(std::strstr(s.what, "reuse"), nullptr) << s.what;
            const lanefold_manifold4* const after = lanefold_stream_contacts4(stream.get(), &n);
            EXPECT_TRUE(same_bytes(std::span<const lanefold_manifold4>(kept), after, n));
        }
        ASSERT_TRUE(own.step(scene().hulls, scene().bodies, scene().pairs, options_).status);
        ASSERT_EQ(step(stream.get(), 0.01F, nullptr, nullptr).code, LANEFOLD_OK);
        const lanefold_manifold4* const contacts = lanefold_stream_contacts4(stream.get(), &n);
        EXPECT_TRUE(same_bytes(own.contacts(), contacts, n));
    }
}

// Anchors of other hulls never count: the records are those of a stream without steps.
TEST_F(CStream, OtherHullsAreComputed) {
    options_.hysteresis = c_options_.hysteresis = 0;  // the previous records of other hulls do
    const Stream stream(lanefold_stream_create(4, 0));
    lanefold_stream_result r = LANEFOLD_STREAM_RESULT_INIT;
    for (int frame = 0; frame < 4; ++frame) ASSERT_EQ(step(stream.get(), 0.01F, nullptr, &r).code, LANEFOLD_OK);
    ASSERT_GT(r.carried, 100U);
    // As many hulls, each a tenth larger.
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t h = 0; h < scene().hulls.size(); ++h) {
        for (const Vec3f& v : scene().hulls.vertices(h)) points.push_back({1.1F * v.x, 1.1F * v.y, 1.1F * v.z});
        offsets.push_back(points.size());
    }
    const HullSet other = build_hulls(points, offsets).hulls;
    ASSERT_EQ(other.size(), scene().hulls.size());
    hulls_ = c_hulls(other);
    ASSERT_EQ(step(stream.get(), 0.01F, nullptr, &r).code, LANEFOLD_OK);
    EXPECT_EQ(r.carried, 0U);
    ContactStream<Manifold4> own;
    ASSERT_TRUE(own.step(other, scene().bodies, scene().pairs, options_, {}, {.reuse = 0.01F}).status);
    std::uint64_t n = 0;
    const lanefold_manifold4* const contacts = lanefold_stream_contacts4(stream.get(), &n);
    EXPECT_GT(n, 100U);
    EXPECT_TRUE(same_bytes(own.contacts(), contacts, n));
}

TEST_F(CStream, MatchesAreThoseOfCpp) {
    Workspace workspace;
    std::vector<Manifold16> records[2];
    for (int frame = 0; frame < 2; ++frame) {
        moving_.set_frame(frame);
        records[frame].resize(scene().pairs.size());
        const CompactResult r =
            collide_compact(scene().hulls, scene().bodies, scene().pairs, options_, records[frame], workspace);
        ASSERT_TRUE(r.status);
        records[frame].resize(r.written);
    }
    std::vector<RecordMatch<Manifold16>> matches(records[1].size());
    std::vector<RecordFate> fates(records[0].size());
    const MatchResult own = match_contacts(records[0], records[1], matches, fates);
    ASSERT_TRUE(own.status);
    std::vector<lanefold_match16> c_matches(records[1].size());
    std::vector<lanefold_fate> c_fates(records[0].size());
    lanefold_match_result r = LANEFOLD_MATCH_RESULT_INIT;
    const auto as_c = [](const std::vector<Manifold16>& v) {
        return reinterpret_cast<const lanefold_manifold16*>(v.data());
    };
    ASSERT_EQ(lanefold_match_contacts16(as_c(records[0]), records[0].size(), as_c(records[1]), records[1].size(),
                                        c_matches.data(), c_fates.data(), &r)
                  .code,
              LANEFOLD_OK);
    EXPECT_TRUE(same_bytes(std::span<const RecordMatch<Manifold16>>(matches), c_matches.data(), c_matches.size()));
    EXPECT_TRUE(same_bytes(std::span<const RecordFate>(fates), c_fates.data(), c_fates.size()));
    EXPECT_EQ(r.points_kept, own.points_kept);
    EXPECT_GT(r.points_kept, 100U);
    std::swap(records[1].front(), records[1].back());
    EXPECT_EQ(lanefold_match_contacts16(as_c(records[0]), records[0].size(), as_c(records[1]), records[1].size(),
                                        c_matches.data(), nullptr, nullptr)
                  .code,
              LANEFOLD_BAD_ARGUMENT);
}

TEST_F(CStream, CapturesAreReadAgain) {
    Workspace workspace;
    std::vector<Manifold4> out(scene().pairs.size());
    const BatchResult r = collide(scene().hulls, scene().bodies, scene().pairs, options_, out, workspace);
    ASSERT_TRUE(r.status);
    const std::unique_ptr<lanefold_capture, FreeCapture> capture(lanefold_capture_create("every tenth pair"));
    const lanefold_body_view v = view();
    for (std::size_t i = 0; i < out.size(); i += 10) {
        const lanefold_status s =
            lanefold_capture_add4(capture.get(), hulls_.get(), &v, pairs(), scene().pairs.size(), &c_options_,
                                  to_string(r.isa), 5, i, reinterpret_cast<const lanefold_manifold4*>(&out[i]));
        ASSERT_EQ(s.code, LANEFOLD_OK) << s.what;
    }
    EXPECT_EQ(lanefold_capture_add4(capture.get(), hulls_.get(), &v, pairs(), scene().pairs.size(), &c_options_,
                                    nullptr, 5, out.size(), reinterpret_cast<const lanefold_manifold4*>(out.data()))
                  .code,
              LANEFOLD_BAD_ARGUMENT);
    const void* bytes = nullptr;
    std::uint64_t size = 0;
    ASSERT_EQ(lanefold_capture_bytes(capture.get(), &bytes, &size).code, LANEFOLD_OK);
    const CaptureResult read = read_capture({static_cast<const std::byte*>(bytes), size});
    ASSERT_TRUE(read) << read.status.what;
    EXPECT_EQ(read.capture.note, "every tenth pair");
    ASSERT_EQ(read.capture.pairs().size(), lanefold_capture_count(capture.get()));
    for (std::size_t k = 0; k < read.capture.pairs().size(); ++k) {
        EXPECT_EQ(std::memcmp(&read.capture.pairs()[k].record, &out[10 * k], sizeof(Manifold4)), 0) << k;
    }
}

}  // namespace
}  // namespace lanefold::test
