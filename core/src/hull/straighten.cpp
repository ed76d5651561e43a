// SPDX-License-Identifier: MIT
//
// Makes edges between merged faces straight. If two faces meet along a run of edges, the vertices between have only
// these two faces. All runs are cut to one edge at once, which removes these vertices from both loops. Then faces that
// fail a test get their vertices back, until all others pass.
#include <algorithm>
#include <array>

#include "hull/geometry.hpp"
#include "hull/merge.hpp"
#include "hull/mesh.hpp"

namespace lanefold::detail {

namespace {

// Rounds of giving vertices back, each a pass over all affected faces. After the last round all remaining cuts are
// undone.
constexpr int kRounds = 32;

// A run that is cut to one edge, with the data to undo it.
struct Cut {
    std::uint32_t first;  // first half-edge of face f along the run; stays
    std::uint32_t last;
    std::uint32_t first_next;
    std::uint32_t first_twin;
    std::uint32_t back;  // first half-edge of face g along the run; stays
    std::uint32_t back_next;
    std::vector<std::uint32_t> between;  // removed vertices
};

class Straightener {
public:
    explicit Straightener(FaceMesh& mesh) : mesh_(mesh), place_(mesh.face_count(), kNone) {}

    void run() {
        for (std::uint32_t f = 0; f < mesh_.face_count(); ++f) {
            if (mesh_.alive(f)) find_cuts(f);
        }
        for (const Cut& c : cuts_) {
            for (const std::uint32_t f : faces_of(c)) {
                if (place_[f] != kNone) continue;
                place_[f] = static_cast<std::uint32_t>(faces_.size());
                faces_.push_back(f);
            }
            cut(c);
        }
        for (int round = 0; !cuts_.empty(); ++round) {
            const std::vector<bool> good = refit();
            if (std::find(good.begin(), good.end(), false) == good.end()) break;
            const auto bad = [&](const Cut& c) {
                const auto [f, g] = faces_of(c);
                return round >= kRounds || !good[place_[f]] || !good[place_[g]];
            };
            const std::size_t before = cuts_.size();
            for (const Cut& c : cuts_) {
                if (bad(c)) undo(c);
            }
            std::erase_if(cuts_, bad);
            if (cuts_.size() == before || cuts_.empty()) {
                for (const Cut& c : cuts_) undo(c);
                cuts_.clear();
                refit();
            }
        }
        for (const Cut& c : cuts_) {
            for (const std::uint32_t f : faces_of(c)) mesh_.take_inner(f, c.between);
        }
    }

private:
    std::array<std::uint32_t, 2> faces_of(const Cut& c) const { return {mesh_.face(c.first), mesh_.face(c.back)}; }

    // Finds the runs of face f towards faces of higher number.
    void find_cuts(std::uint32_t f) {
        for (const std::uint32_t h : mesh_.half_edges(f)) {
            const std::uint32_t g = mesh_.across(h);
            if (g < f || g == mesh_.across(mesh_.previous(h)) || g != mesh_.across(mesh_.next(h))) continue;
            Cut c{h, h, mesh_.next(h), mesh_.twin(h), kNone, kNone, {}};
            while (mesh_.across(mesh_.next(c.last)) == g) {
                c.last = mesh_.next(c.last);
                c.between.push_back(mesh_.vertex(c.last));
            }
            c.back = mesh_.twin(c.last);
            c.back_next = mesh_.next(c.back);
            if (mesh_.near_segment(mesh_.vertex(h), c.between, mesh_.vertex(mesh_.next(c.last)))) {
                cuts_.push_back(std::move(c));
            }
        }
    }

    void cut(const Cut& c) {
        mesh_.connect(c.first, mesh_.next(c.last));
        mesh_.connect(c.back, mesh_.next(c.first_twin));
        mesh_.pair(c.first, c.back);
        mesh_.start_at(c.first);
        mesh_.start_at(c.back);
    }

    void undo(const Cut& c) {
        mesh_.connect(c.last, mesh_.next(c.first));
        mesh_.connect(c.first_twin, mesh_.next(c.back));
        mesh_.connect(c.first, c.first_next);
        mesh_.connect(c.back, c.back_next);
        mesh_.pair(c.first, c.first_twin);
        mesh_.pair(c.back, c.last);
    }

    // Computes new planes for the affected faces. Returns which of them pass all tests.
    std::vector<bool> refit() {
        std::vector<std::vector<std::uint32_t>> vertices(faces_.size());
        for (const Cut& c : cuts_) {
            for (const std::uint32_t f : faces_of(c)) {
                auto& list = vertices[place_[f]];
                list.insert(list.end(), c.between.begin(), c.between.end());
            }
        }
        std::vector<bool> good(faces_.size(), false);
        for (std::size_t i = 0; i < faces_.size(); ++i) {
            const std::uint32_t f = faces_[i];
            const std::vector<std::uint32_t> loop = mesh_.loop(f);
            if (loop.size() < 3) continue;
            mesh_.set_plane(f, newell_normal(mesh_.points(), loop));
            auto& all = vertices[i];
            all.insert(all.begin(), loop.begin(), loop.end());
            all.insert(all.end(), mesh_.inner(f).begin(), mesh_.inner(f).end());
            good[i] = mesh_.spread(all, mesh_.normal(f)) <= mesh_.tolerance() &&
                      is_convex_loop(mesh_.points(), loop, mesh_.normal(f), mesh_.tolerance());
        }
        for (std::size_t i = 0; i < faces_.size(); ++i) good[i] = good[i] && mesh_.edges_convex(faces_[i]);
        return good;
    }

    FaceMesh& mesh_;
    std::vector<Cut> cuts_;
    std::vector<std::uint32_t> faces_;  // faces that a cut removed vertices from
    std::vector<std::uint32_t> place_;  // place of a face in faces_
};

}  // namespace

void straighten_edges(FaceMesh& mesh) { Straightener(mesh).run(); }

}  // namespace lanefold::detail
