// SPDX-License-Identifier: MIT
//
// Pairs that have certificates of motion, moved in a straight line or about a point until these just hold. Directions
// are drawn among those in which another axis overtakes soonest: shifts along normals, turns about points of the
// contact. Bodies that only sway hardly ever come that near to the end of a certificate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "support/cold_call.hpp"
#include "support/overhanging_scene.hpp"
#include "support/own_certificates.hpp"
#include "support/pair_motions.hpp"
#include "support/swaying_scene.hpp"

namespace lanefold::test {

struct EndsSeen {
    std::uint64_t of_faces = 0;  // ends found of certificates of best faces
    std::uint64_t of_pairs = 0;  // of certificates of pairs apart
    std::uint64_t pair_steps = 0;
    std::uint64_t different = 0;  // steps whose bytes are not those of a cold call
};

class CertificateEnds {
public:
    // Certifies the pairs of a scene. Each moves before by a length of its own, `step`, which tells how far its
    // certificate is to reach.
    CertificateEnds(const BatchScene& scene, std::uint64_t seed, const Sway& step, Isa isa)
        : CertificateEnds(with_own_bodies(scene), seed, isa) {
        std::vector<PairMotion> first;
        for (double& length : length_) {
            length = step.draw(random_);
            first.push_back(PairMotion::draw(scene_, scene_.pairs[first.size()], length, {}, random_));
        }
        certify(first);
    }

    // The same with the motions of the scene, which have one direction only.
    CertificateEnds(const OverhangingScene& overhanging, Isa isa) : CertificateEnds(overhanging.scene, 1, isa) {
        length_ = overhanging.length;
        outward_ = overhanging.outward;
        certify(overhanging.first);
    }

    // Changes what certificates say.
    template <class Change>
    void change(const Change& f) {
        for (detail::Certificate& c : certificates_.all) f(c);
    }

    // Finds the end of every certificate in one direction.
    void go() {
        const std::size_t n = length_.size();
        std::vector<PairMotion> motions = outward_;
        std::vector<double> holds(n, 0), ends(n, 1);
        for (std::size_t i = motions.size(); i < n; ++i)
            motions.push_back(PairMotion::draw(scene_, scene_.pairs[i], kFurthest * length_[i], pivots_[i], random_));
        for (int halving = 0; halving < kHalvings; ++halving) {
            scene_.bodies = rest_;
            for (std::size_t i = 0; i < n; ++i) motions[i].apply(scene_.bodies, 0.5 * (holds[i] + ends[i]));
            own_.put_back(certificates_);
            compare();
            for (std::size_t i = 0; i < n; ++i) {
                // A pair whose certificate does not hold gets another, with its present pose.
                const bool held = std::memcmp(&own_.all()[i], &certificates_.all[i], sizeof(detail::Certificate)) == 0;
                (held ? holds : ends)[i] = 0.5 * (holds[i] + ends[i]);
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            const bool found = holds[i] > 0 && ends[i] < 1;
            seen_.of_faces += found && (certificates_.all[i].what & detail::kCertifiedFace) != 0 ? 1U : 0U;
            seen_.of_pairs += found && certificates_.all[i].what == detail::kCertifiedApart ? 1U : 0U;
        }
        scene_.bodies = rest_;
    }

    const EndsSeen& seen() const { return seen_; }

private:
    static constexpr int kHalvings = 9;
    // The end is looked for up to here, in lengths of the first motion; certificates reach four of these.
    static constexpr double kFurthest = 8;

    // `scene`: bodies 2 i and 2 i + 1 make pair i.
    CertificateEnds(const BatchScene& scene, std::uint64_t seed, Isa isa)
        : scene_(scene),
          random_(seed),
          own_(scene.pairs.size(), true),
          options_(scene.options()),
          length_(scene.pairs.size()),
          pivots_(scene.pairs.size()) {
        options_.isa = isa;
        options_.threads = 1;
    }

    void certify(const std::vector<PairMotion>& first) {
        compare();
        for (const PairMotion& m : first) m.apply(scene_.bodies, 1);
        compare();
        rest_ = scene_.bodies;
        certificates_ = own_.copy();
        find_pivots();
    }

    void compare() {
        CompactResult expected, r;
        const std::vector<Manifold4> plain = cold_call(scene_, options_, std::span<const Manifold4>(), expected);
        const std::vector<Manifold4> got = own_.step(scene_.hulls, scene_.view(), scene_.pairs, options_, r);
        EXPECT_EQ(r.isa, expected.isa);
        seen_.pair_steps += scene_.pairs.size();
        seen_.different += same_bytes(std::span<const Manifold4>(got), std::span<const Manifold4>(plain)) ? 0U : 1U;
    }

    void find_pivots() {
        CompactResult r;
        for (const Manifold4& m : cold_call(scene_, options_, std::span<const Manifold4>(), r)) {
            if (m.count == 0) continue;
            const ContactPoint& p = m.points[random_.below(m.count)];
            pivots_[m.pair[0] / 2] = to_double(world_point(scene_.bodies[m.pair[0]].position, p));
        }
    }

    BatchScene scene_;
    BatchRandom random_;
    OwnCertificates own_;
    Options options_;
    std::vector<double> length_;                // of each pair's first motion, metres
    std::vector<PairMotion> outward_;           // the only direction, if there is one
    std::vector<std::optional<Vec3d>> pivots_;  // a point of each pair's contact
    std::vector<Body> rest_;                    // at the poses of the certificates
    OwnCertificates::Copy certificates_;
    EndsSeen seen_;
};

}  // namespace lanefold::test
