// SPDX-License-Identifier: MIT
//
// Forged records on the stored piles. The judge must find every forgery that makes a record false, and accept the
// engine's own records, with both methods, both capacities, preferences, margins and selections. This test decides from
// the record and the hulls whether a forgery makes it false. A forged record that is right, too (another corner that is
// as deep, two parallel faces), is left out and counted.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "support/question.hpp"
#include "support/random.hpp"
#include "support/stored_scene.hpp"

namespace lanefold::test {
namespace {

template <class M>
struct Forger {
    M& m;
    const reference::JudgedPair& q;
    Random& random;

    bool face() const { return m.kind == ContactKind::face_a || m.kind == ContactKind::face_b; }
    // The size to which bounds are relative: that of the larger hull, beyond 64:1 that of the smaller one.
    double size() const {
        const double larger = std::max(q.a->size, q.b->size);
        const double smaller = std::min(q.a->size, q.b->size);
        return larger > static_cast<double>(kPreciseSizeRatio) * smaller ? smaller : larger;
    }
    double apart(std::size_t i, std::size_t k) const {
        double d = 0;
        for (std::size_t x = 0; x < 3; ++x) {
            d = std::max(d, std::fabs(double{m.points[i].position[x]} - double{m.points[k].position[x]}));
        }
        return d;
    }
    std::size_t deepest() const {
        std::size_t deep = 0;
        for (std::size_t i = 1; i < m.count; ++i) {
            if (m.points[i].separation < m.points[deep].separation) deep = i;
        }
        return deep;
    }
    void drop(std::size_t i) {
        for (std::size_t k = i; k + 1 < m.count; ++k) m.points[k] = m.points[k + 1];
        m.points[m.count - 1] = {};
        --m.count;
    }
    // Points differ by more than the judge's tolerance.
    bool spread() const {
        for (std::size_t i = 0; i < m.count; ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (apart(i, k) < 1e-3 * size()) return false;
            }
        }
        return true;
    }
    // On a floor nearly 64 times as large the bounds are as wide as the band of the points at impact.
    bool narrow() const { return size() < 40 * std::min(q.a->size, q.b->size); }
    // No point is so near to the limit of the selection that rounding decides whether it counts.
    bool within() const {
        const double band = q.points == PointSelection::impact
                                ? double{m.points[deepest()].separation} + 1e-3 * std::min(q.a->size, q.b->size)
                                : double{q.margin};
        for (std::size_t i = 0; i < m.count; ++i) {
            if (double{m.points[i].separation} > band - 2e-5 * size()) return false;
        }
        return true;
    }
    // True if `other` is nearly parallel to the record's face. Then either face is right.
    bool same_plane(const HullRecord& record, const PoseD& pose, std::uint32_t face, std::uint32_t other) const {
        const detail::HullView view(record);
        const Mat3d r = view.internal_to_input().rotation;
        static_cast<void>(pose);
        return length(r * view.normal(face) - r * view.normal(other)) < 1e-4;
    }
};

// Returns false if this record cannot be forged in this way, or is right in spite of the forgery.
template <class M>
struct Forgery {
    const char* name;
    bool (*forge)(Forger<M>&);
};

template <class M>
bool other_feature(Forger<M>& f, bool of_a) {
    const HullRecord& record = of_a ? *f.q.record_a : *f.q.record_b;
    std::uint32_t& feature = of_a ? f.m.feature_a : f.m.feature_b;
    const FeatureCounts counts = record.feature_counts();
    const bool vertex = f.m.kind == ContactKind::vertex_vertex ||
                        f.m.kind == (of_a ? ContactKind::vertex_edge : ContactKind::edge_vertex);
    const std::uint32_t limit = f.face() ? counts.faces : vertex ? counts.vertices : counts.edges;
    const std::uint32_t other = (feature + 1 + f.random.index(limit - 1)) % limit;
    if (f.face() && f.same_plane(record, of_a ? f.q.pose_a : f.q.pose_b, feature, other)) return false;
    feature = other;
    return true;
}

template <class M>
bool tilt(Forger<M>& f, double angle) {
    const Vec3d n{f.m.normal[0], f.m.normal[1], f.m.normal[2]};
    const Vec3d other = std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d t = normalized(n + normalized(cross(n, other)) * angle);
    f.m.normal[0] = static_cast<float>(t.x);
    f.m.normal[1] = static_cast<float>(t.y);
    f.m.normal[2] = static_cast<float>(t.z);
    return true;
}

template <class M>
std::vector<Forgery<M>> forged_axes() {
    using F = Forger<M>;
    return {
        {"missed", [](F& f) { return std::memset(static_cast<void*>(&f.m), 0, sizeof(M)), f.m.distance < 1; }},
        {"distance by 1e-5 of size", [](F& f) { return f.m.distance += static_cast<float>(2e-5 * f.size()), true; }},
        {"distance of its sign turned", [](F& f) { return f.m.distance = -f.m.distance, true; }},
        {"normal tilted by 1e-3", [](F& f) { return tilt(f, 1e-3); }},
        {"normal tilted by 0.1", [](F& f) { return tilt(f, 0.1); }},
        {"normal turned round",
         [](F& f) {
             for (float& x : f.m.normal) x = -x;
             return true;
         }},
    };
}

template <class M>
std::vector<Forgery<M>> forged_features() {
    using F = Forger<M>;
    return {
        {"other feature of a", [](F& f) { return other_feature(f, true); }},
        {"other feature of b", [](F& f) { return other_feature(f, false); }},
        {"face_a for face_b",
         [](F& f) {
             if (!f.face()) return false;
             // Faces that are parallel to rounding are both the reference face.
             const detail::HullView a(*f.q.record_a);
             const detail::HullView b(*f.q.record_b);
             const Vec3d na = f.q.pose_a.rotation * (a.internal_to_input().rotation * a.normal(f.m.feature_a));
             const Vec3d nb = f.q.pose_b.rotation * (b.internal_to_input().rotation * b.normal(f.m.feature_b));
             if (length(na + nb) < 1e-4) return false;
             f.m.kind = f.m.kind == ContactKind::face_a ? ContactKind::face_b : ContactKind::face_a;
             return true;
         }},
        {"edge contact called a face's",
         [](F& f) { return f.m.kind == ContactKind::edge_edge ? f.m.kind = ContactKind::face_a, true : false; }},
        {"face contact called an edge's",
         [](F& f) { return f.face() ? f.m.kind = ContactKind::edge_edge, true : false; }},
        {"total + 7", [](F& f) { return f.m.total = static_cast<std::uint16_t>(f.m.total + 7), true; }},
        {"total one less than there are", [](F& f) { return f.m.total == f.m.count ? --f.m.total, true : false; }},
        {"total of a reduced record halved",
         [](F& f) {
             if (f.m.total < 2 * f.m.count) return false;
             f.m.total = static_cast<std::uint16_t>(f.m.count);
             return true;
         }},
        {"bodies swapped", [](F& f) { return std::swap(f.m.pair[0], f.m.pair[1]), true; }},
    };
}

template <class M>
std::vector<Forgery<M>> forged_ids() {
    using F = Forger<M>;
    return {
        {"ids swapped",
         [](F& f) {
             if (f.m.count < 2 || f.apart(0, 1) < 1e-3 * f.size()) return false;
             std::swap(f.m.points[0].feature, f.m.points[1].feature);
             return true;
         }},
        {"ids turned round",
         [](F& f) {
             if (f.m.count < 3 || !f.spread()) return false;
             const std::uint32_t first = f.m.points[0].feature;
             for (std::size_t i = 0; i + 1 < f.m.count; ++i) f.m.points[i].feature = f.m.points[i + 1].feature;
             f.m.points[f.m.count - 1].feature = first;
             return true;
         }},
        {"id of other features",
         [](F& f) {
             const FeatureCounts a = f.q.record_a->feature_counts();
             const FeatureCounts b = f.q.record_b->feature_counts();
             const std::uint32_t before = f.m.points[0].feature;
             const std::uint32_t number_a = f.random.index(a.total());
             const std::uint32_t number_b = f.random.index(b.total());
             f.m.points[0].feature = feature_id(number_a, number_b, b.total());
             // Vertices of patches need not belong to the two faces, so another feature may name the same place.
             return f.m.points[0].feature != before && f.q.method == reference::JudgedMethod::clip;
         }},
        {"id of no features", [](F& f) { return f.m.points[0].feature ^= 0x5A5A5A5AU, true; }},
    };
}

template <class M>
std::vector<Forgery<M>> forged_choices() {
    using F = Forger<M>;
    return {
        {"all points but the deepest removed",
         [](F& f) {
             if (f.m.count < 2) return false;
             const ContactPoint deep = f.m.points[f.deepest()];
             while (f.m.count > 1) f.drop(1);
             f.m.points[0] = deep;
             return true;
         }},
        {"all points but the deepest removed, total too",
         [](F& f) {
             if (f.m.count < 2 || !f.spread() || !f.narrow() || !f.within()) return false;
             const ContactPoint deep = f.m.points[f.deepest()];
             while (f.m.count > 1) f.drop(1);
             f.m.points[0] = deep;
             f.m.total = 1;
             return true;
         }},
        {"one point removed, total too",
         [](F& f) {
             if (f.m.count < 2 || f.m.total != f.m.count || !f.spread() || !f.narrow() || !f.within()) return false;
             f.drop((f.deepest() + 1) % f.m.count);
             --f.m.total;
             return true;
         }},
        {"a point twice in place of another",
         [](F& f) {
             if (f.m.count < 2 || !f.spread()) return false;
             const std::size_t deep = f.deepest();
             const std::uint32_t id = f.m.points[(deep + 1) % f.m.count].feature;
             f.m.points[(deep + 1) % f.m.count] = f.m.points[deep];
             f.m.points[(deep + 1) % f.m.count].feature = id;
             return true;
         }},
        {"points shuffled",
         [](F& f) {
             // Patches promise no order, boxes one of two.
             const bool boxes = f.q.record_a->is_box() && f.q.record_b->is_box();
             if (f.m.count < 2 || f.q.method == reference::JudgedMethod::patch || boxes || !f.spread()) return false;
             std::swap(f.m.points[0], f.m.points[f.m.count - 1]);
             return true;
         }},
        {"places shuffled",
         [](F& f) {
             if (f.m.count < 2 || f.apart(0, 1) < 1e-3 * f.size()) return false;
             for (std::size_t k = 0; k < 3; ++k) std::swap(f.m.points[0].position[k], f.m.points[1].position[k]);
             return true;
         }},
    };
}

template <class M>
std::vector<Forgery<M>> forged_points() {
    using F = Forger<M>;
    return {
        {"point moved along the normal",
         [](F& f) {
             for (std::size_t k = 0; k < 3; ++k) {
                 f.m.points[0].position[k] += static_cast<float>(1e-4 * f.size()) * f.m.normal[k];
             }
             return true;
         }},
        {"point moved along the face",
         [](F& f) {
             if (!f.face()) return false;
             const Vec3d n{f.m.normal[0], f.m.normal[1], f.m.normal[2]};
             const Vec3d t = normalized(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
             const double d = 1e-2 * f.size();
             f.m.points[0].position[0] += static_cast<float>(t.x * d);
             f.m.points[0].position[1] += static_cast<float>(t.y * d);
             f.m.points[0].position[2] += static_cast<float>(t.z * d);
             return true;
         }},
        {"depth of a point by 1e-4 of size",
         [](F& f) { return f.m.points[0].separation -= static_cast<float>(1e-4 * f.size()), true; }},
        {"deepest point flattened",
         [](F& f) { return f.m.points[f.deepest()].separation += static_cast<float>(1e-3 * f.size()), true; }},
        {"point beyond the margin",
         [](F& f) { return f.m.points[0].separation = f.q.margin + static_cast<float>(0.1 * f.size()), true; }},
        {"not a number", [](F& f) { return f.m.points[0].position[1] = std::nanf(""), true; }},
        {"status", [](F& f) { return f.m.status = Status::bad_pose, true; }},
        {"reserved byte", [](F& f) { return f.m.child_b = 1, true; }},
        {"unused point",
         [](F& f) { return f.m.count < M::kCapacity ? f.m.points[M::kCapacity - 1].feature = 1, true : false; }},
    };
}

template <class M>
const std::vector<Forgery<M>>& forgeries() {
    static const std::vector<Forgery<M>> list = [] {
        std::vector<Forgery<M>> all;
        for (const auto& some :
             {forged_axes<M>(), forged_features<M>(), forged_ids<M>(), forged_choices<M>(), forged_points<M>()})
            all.insert(all.end(), some.begin(), some.end());
        return all;
    }();
    return list;
}

struct Tally {
    std::uint64_t forged = 0;
    std::uint64_t unseen = 0;
};

template <class M>
void forge_all(const StoredScene& scene, const Options& options, std::map<std::string, Tally>& tallies) {
    Workspace workspace;
    std::vector<M> out(scene.pairs.size());
    const BatchResult r = collide_serial(scene.library.hulls, std::span<const Body>(scene.bodies), scene.pairs, options,
                                         std::span<M>(out), workspace);
    ASSERT_TRUE(r.status) << r.status.what;
    Coverage right;
    Coverage ignored;
    std::uint32_t records = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Pair& pair = scene.pairs[i];
        const reference::JudgedPair q =
            question_of(scene.library, scene.bodies[pair.a], scene.bodies[pair.b], pair, options);
        if (!is_reported(out[i])) continue;
        ASSERT_EQ(check_manifold(q, out[i], right), "") << "pair " << i;
        // A forgery is not false if the pair may be reported or not, or if its depth is as small as the forgery.
        if (out[i].kind == ContactKind::none || std::fabs(out[i].distance - q.margin) < 1e-3F ||
            std::fabs(out[i].distance) < 1e-3F || ++records % 8 != 0) {
            continue;
        }
        Random random(99, i);
        for (const Forgery<M>& forgery : forgeries<M>()) {
            M forged = out[i];
            Forger<M> f{forged, q, random};
            if (!forgery.forge(f)) continue;
            Tally& tally = tallies[forgery.name];
            ++tally.forged;
            if (!check_manifold(q, forged, ignored).empty()) continue;
            ++tally.unseen;
            ADD_FAILURE() << forgery.name << " of pair " << i << " went unseen: kind "
                          << int{static_cast<int>(out[i].kind)} << ", " << int{out[i].count} << " points of "
                          << out[i].total << ", capacity " << M::kCapacity << ", method "
                          << static_cast<int>(options.method) << ", sizes " << q.a->size << " " << q.b->size
                          << ", distance " << out[i].distance;
        }
    }
    EXPECT_GT(records, 3000U);
    EXPECT_GT(right.touching, 4000U);
}

void forge_scene(const char* name, std::map<std::string, Tally>& tallies) {
    const StoredScene scene = read_stored_scene(std::string(LANEFOLD_TEST_DATA) + "/scenes/" + name);
    for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
        for (const PointSelection points : {PointSelection::all, PointSelection::impact}) {
            Options options;
            options.method = method;
            options.points = points;
            options.margin = points == PointSelection::all ? 0.02F : 0.0F;
            options.face_preference = points == PointSelection::all ? kDefaultFacePreference : 0.0F;
            forge_all<Manifold4>(scene, options, tallies);
            forge_all<Manifold16>(scene, options, tallies);
        }
    }
}

TEST(Forgery, OfRecordsOfTheStoredPilesIsFound) {
    std::map<std::string, Tally> tallies;
    forge_scene("debris_pile", tallies);
    forge_scene("boxes_pile", tallies);
    for (const Forgery<Manifold4>& forgery : forgeries<Manifold4>()) {
        const Tally& tally = tallies[forgery.name];
        std::printf("%-48s %6llu forged, %llu unseen\n", forgery.name, static_cast<unsigned long long>(tally.forged),
                    static_cast<unsigned long long>(tally.unseen));
        EXPECT_GT(tally.forged, 5U) << forgery.name;
    }
}

}  // namespace
}  // namespace lanefold::test
