// SPDX-License-Identifier: MIT
//
// Decides what to merge (hull/merge.hpp). Regions grow from the largest face outwards, within a slab below the
// region's plane. All regions that fit become faces at once, because a face may only be valid together with its merged
// neighbours. Faces in conflict with a neighbour are dissolved, and their parts are merged pair by pair as far as
// possible.
#include "hull/merge.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lanefold::detail {

namespace {

// Rounds of growing and refitting a region. Each adds whole rings of faces, so a few are enough.
constexpr int kGrowRounds = 32;

// Heights of the slab below a region's plane, in tolerances. The first plane, through a single face, can be so tilted
// that faces of the final region reach several tolerances below it. A wider start only costs time.
constexpr double kWidestSlab = 4.0;
constexpr double kThinnestSlab = 0.1;

// Attempts at merging without crooked edges. Each excludes the few faces that caused crooked edges in the last one.
constexpr int kAttempts = 8;

// Passes of pairwise merging over a region. Every merge removes a face.
constexpr int kPairPasses = 32;

class Merger {
public:
    // Faces marked in `frozen` are not merged.
    Merger(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, Drop drop, std::vector<bool> frozen)
        : mesh_(points, faces, tolerance, drop), settled_(std::move(frozen)), marked_(faces.face_count(), 0) {}

    MergeResult run() {
        const std::uint32_t count = mesh_.face_count();
        std::vector<std::uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0U);
        std::vector<double> size(count);
        for (std::uint32_t f = 0; f < count; ++f) size[f] = length_squared(mesh_.area(f));
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (size[a] != size[b]) return size[a] > size[b];
            return a < b;
        });
        FaceFit fit;
        for (const std::uint32_t seed : order) {
            if (settled_[seed]) continue;
            const std::vector<std::uint32_t> region = grow(seed);
            for (const std::uint32_t f : region) settled_[f] = true;
            if (region.size() < 2) continue;
            if (mesh_.fit(region, fit)) {
                mesh_.apply(fit);
            } else {
                loose_.push_back(region);
            }
        }
        dissolve_conflicts();
        for (const auto& region : loose_) merge_pairwise(region);
        if (mesh_.drop() == Drop::all) straighten_edges(mesh_);
        return collect();
    }

    // Marks the exact faces of merged faces with crooked edges: if two faces meet along more than one edge, those of
    // the smaller merged one. Returns whether there were any.
    bool freeze_crooked(std::vector<bool>& frozen) const {
        bool any = false;
        for (std::uint32_t f = 0; f < mesh_.face_count(); ++f) {
            if (!mesh_.alive(f)) continue;
            for (const std::uint32_t h : mesh_.half_edges(f)) {
                const std::uint32_t g = mesh_.across(h);
                if (g != mesh_.across(mesh_.next(h))) continue;
                for (const std::uint32_t m : mesh_.members(victim(f, g))) frozen[m] = true;
                any = true;
            }
        }
        return any;
    }

private:
    // Adds neighbours inside the slab below the region's plane, refits the plane and repeats. If the wider region does
    // not fit, it tries a thinner slab.
    std::vector<std::uint32_t> grow(std::uint32_t seed) {
        std::vector<std::uint32_t> region{seed};
        Vec3d sum = mesh_.area(seed);
        double slab = kWidestSlab * mesh_.tolerance();
        for (int round = 0; round < kGrowRounds && slab > kThinnestSlab * mesh_.tolerance(); ++round) {
            Vec3d wider_sum = sum;
            std::vector<std::uint32_t> wider = widen(region, normalized(sum), slab, wider_sum);
            if (wider.size() == region.size()) break;
            if (mesh_.spread(mesh_.vertices_of(wider), normalized(wider_sum)) > mesh_.tolerance()) {
                slab *= 0.5;
                continue;
            }
            region = std::move(wider);
            sum = wider_sum;
        }
        return region;
    }

    std::vector<std::uint32_t> widen(const std::vector<std::uint32_t>& region, const Vec3d& n, double slab,
                                     Vec3d& sum) {
        const std::span<const Vec3d> points = mesh_.points();
        const std::uint32_t from = mesh_.loop(region[0])[0];
        const double bottom = mesh_.support(n, from) - slab;
        const auto within = [&](std::uint32_t f) {
            for (const std::uint32_t v : mesh_.loop(f)) {
                if (dot(n, points[v] - points[from]) < bottom) return false;
            }
            return true;
        };
        std::vector<std::uint32_t> wider = region;
        ++stamp_;
        for (const std::uint32_t f : wider) marked_[f] = stamp_;
        for (std::size_t k = 0; k < wider.size(); ++k) {
            for (const std::uint32_t h : mesh_.half_edges(wider[k])) {
                const std::uint32_t g = mesh_.across(h);
                if (marked_[g] == stamp_ || settled_[g]) continue;
                if (!mesh_.sliver(g) && dot(mesh_.normal(g), n) < kSameWay) continue;
                if (!within(g)) continue;
                marked_[g] = stamp_;
                wider.push_back(g);
                sum = sum + mesh_.area(g);
            }
        }
        return wider;
    }

    // The one of two faces in conflict that is split: the merged one, or the smaller of two merged ones.
    std::uint32_t victim(std::uint32_t f, std::uint32_t g) const {
        if (mesh_.members(g).size() == 1) return f;
        if (mesh_.members(f).size() == 1) return g;
        const double a = length_squared(mesh_.area(f));
        const double b = length_squared(mesh_.area(g));
        if (a != b) return a < b ? f : g;
        return std::max(f, g);
    }

    // Every round removes at least one merged face, so the loop ends. Conflicts are local, so it ends soon.
    void dissolve_conflicts() {
        for (bool again = true; again;) {
            again = false;
            std::vector<std::uint32_t> victims;
            for (std::uint32_t f = 0; f < mesh_.face_count(); ++f) {
                if (!mesh_.alive(f)) continue;
                const std::uint32_t g = mesh_.conflict(f);
                if (g == kNone) continue;
                const std::uint32_t v = victim(f, g);
                if (mesh_.touched(v)) victims.push_back(v);
            }
            for (const std::uint32_t f : victims) {
                if (!mesh_.touched(f)) continue;  // named twice
                loose_.push_back(mesh_.members(f));
                mesh_.dissolve(f);
                again = true;
            }
        }
    }

    // Merges pairs of faces across single edges until nothing changes.
    void merge_pairwise(const std::vector<std::uint32_t>& region) {
        std::vector<std::uint32_t> order = region;
        std::sort(order.begin(), order.end());
        ++stamp_;
        const std::uint32_t member = stamp_;
        for (const std::uint32_t f : order) marked_[f] = member;
        bool changed = true;
        for (int pass = 0; changed && pass < kPairPasses; ++pass) {
            changed = false;
            for (const std::uint32_t f : order) {
                for (bool again = mesh_.alive(f); again;) {
                    again = false;
                    for (const std::uint32_t h : mesh_.half_edges(f)) {
                        const std::uint32_t g = mesh_.across(h);
                        if (marked_[g] != member || g < f || !merge_pair(f, g)) continue;
                        changed = true;
                        again = true;
                        break;
                    }
                }
            }
        }
    }

    bool merge_pair(std::uint32_t f, std::uint32_t g) {
        const std::uint32_t pair[2] = {f, g};
        FaceFit fit;
        if (!mesh_.fit(pair, fit)) return false;
        // The state to restore if the merge fails.
        FaceFit before[2];
        bool touched[2];
        std::vector<std::uint32_t> members[2];
        for (int i = 0; i < 2; ++i) {
            before[i] = {
                {pair[i]}, mesh_.half_edges(pair[i]), mesh_.inner(pair[i]), mesh_.area(pair[i]), mesh_.normal(pair[i])};
            touched[i] = mesh_.touched(pair[i]);
            members[i] = mesh_.members(pair[i]);
        }
        mesh_.apply(fit);
        bool sound = mesh_.conflict(f) == kNone;
        for (std::size_t k = 0; sound && k < fit.boundary.size(); ++k) {
            sound = mesh_.conflict(mesh_.across(fit.boundary[k])) == kNone;
        }
        if (sound) return true;
        for (int i = 0; i < 2; ++i) mesh_.restore(before[i], members[i], touched[i]);
        return false;
    }

    MergeResult collect() {
        MergeResult out;
        std::vector<bool> used(mesh_.points().size(), false);
        for (std::uint32_t f = 0; f < mesh_.face_count(); ++f) {
            if (!mesh_.alive(f)) continue;
            std::vector<std::uint32_t> all = mesh_.loop(f);
            for (const std::uint32_t v : all) used[v] = true;
            out.faces.add(all);
            if (!mesh_.touched(f)) continue;
            all.insert(all.end(), mesh_.inner(f).begin(), mesh_.inner(f).end());
            out.deviation = std::max(out.deviation, mesh_.spread(all, mesh_.normal(f)));
        }
        out.dropped_vertices = static_cast<std::uint32_t>(std::count(used.begin(), used.end(), false));
        return out;
    }

    FaceMesh mesh_;
    std::vector<std::vector<std::uint32_t>> loose_;  // regions that did not become a face as a whole
    std::vector<bool> settled_;                      // faces that belong to a region
    std::vector<std::uint32_t> marked_;
    std::uint32_t stamp_ = 0;
};

}  // namespace

MergeResult merge_faces(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, Drop drop) {
    std::vector<bool> frozen(faces.face_count(), false);
    for (int attempt = 1;; ++attempt) {
        Merger merger(points, faces, tolerance, drop, frozen);
        MergeResult result = merger.run();
        if (attempt == kAttempts || !merger.freeze_crooked(frozen)) return result;
    }
}

}  // namespace lanefold::detail
