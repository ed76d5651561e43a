// SPDX-License-Identifier: MIT
//
// From a mesh that is done to the arrays that a surface keeps.
#include "surface/surface_state.hpp"

#include <cstring>
#include <utility>

#include <xxhash.h>

namespace lanefold::detail {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
    return v.capacity() * sizeof(T);
}

template <class T>
std::uint64_t hash_of(const std::vector<T>& v, std::uint64_t seed) {
    return XXH64(v.data(), v.size() * sizeof(T), seed);
}

// Leaves out points that no triangle has. The others keep their order.
void keep_used_points(MeshDraft& draft, SurfaceState& state) {
    std::vector<std::uint32_t> place(draft.points.size(), kNone);
    for (const Corners& c : draft.triangles) {
        for (const std::uint32_t v : c) place[v] = 0;
    }
    std::uint32_t used = 0;
    for (std::uint32_t& p : place) {
        if (p != kNone) p = used++;
    }
    state.vertices.reserve(used);
    for (std::size_t v = 0; v < place.size(); ++v) {
        if (place[v] != kNone) state.vertices.push_back(draft.points[v]);
    }
    state.corners.reserve(draft.triangles.size());
    for (const Corners& c : draft.triangles) state.corners.push_back({place[c[0]], place[c[1]], place[c[2]]});
}

// The half-edges from which the fans about every vertex are walked (SurfaceView::visit_ring).
class Fans {
public:
    explicit Fans(SurfaceState& state) : state_(state), walked_(3 * state.corners.size(), false) {}

    void find() {
        state_.starts.assign(state_.vertices.size(), kNone);
        const auto edges = static_cast<std::uint32_t>(walked_.size());
        for (std::uint32_t e = 0; e < edges; ++e) {
            if (state_.opposites[e] == kNoNeighbour) walk(e);
        }
        for (std::uint32_t e = 0; e < edges; ++e) {
            if (!walked_[e]) walk(e);
        }
        list_more();
    }

private:
    struct More {
        std::uint32_t vertex;
        std::uint32_t start;
    };

    void walk(std::uint32_t first) {
        std::uint32_t edge = first;
        do {
            walked_[edge] = true;
            const std::uint32_t k = edge % 3;
            edge = state_.opposites[edge / 3 * 3 + (k == 0 ? 2 : k - 1)];
        } while (edge != kNoNeighbour && edge != first);
        const std::uint32_t vertex = state_.corners[first / 3][first % 3];
        if (state_.starts[vertex] == kNone) {
            state_.starts[vertex] = first;
        } else {
            more_.push_back({vertex, first});
        }
    }

    void list_more() {
        std::stable_sort(more_.begin(), more_.end(), [](const More& a, const More& b) { return a.vertex < b.vertex; });
        for (std::size_t i = 0; i < more_.size();) {
            std::uint32_t& start = state_.starts[more_[i].vertex];
            const std::size_t head = state_.fans.size();
            state_.fans.insert(state_.fans.end(), {1, start});
            start = MeshArrays::kFans | static_cast<std::uint32_t>(head);
            for (const std::uint32_t v = more_[i].vertex; i < more_.size() && more_[i].vertex == v; ++i) {
                state_.fans.push_back(more_[i].start);
                ++state_.fans[head];
            }
        }
        state_.fans.shrink_to_fit();
    }

    SurfaceState& state_;
    std::vector<bool> walked_;
    std::vector<More> more_;
};

std::vector<ItemBox> boxes_of(const SurfaceState& state, SurfaceBox& bounds) {
    std::vector<ItemBox> boxes;
    boxes.reserve(state.corners.size());
    for (const Corners& c : state.corners)
        boxes.push_back(box_of(state.vertices[c[0]], state.vertices[c[1]], state.vertices[c[2]]));
    if (boxes.empty()) return boxes;
    ItemBox all = boxes[0];
    for (const ItemBox& b : boxes) {
        for (int a = 0; a < 3; ++a) {
            all.low[a] = std::min(all.low[a], b.low[a]);
            all.high[a] = std::max(all.high[a], b.high[a]);
        }
    }
    bounds = {to_double(Vec3f{all.low[0], all.low[1], all.low[2]}),
              to_double(Vec3f{all.high[0], all.high[1], all.high[2]})};
    return boxes;
}

}  // namespace

void SurfaceState::bind_mesh(double thickness, double largest) {
    view.mesh_ = {vertices.data(),  corners.empty() ? nullptr : corners.data()->data(),
                  opposites.data(), starts.data(),
                  fans.data(),      tree.view()};
    view.triangles_ = static_cast<std::uint32_t>(corners.size());
    view.vertices_ = static_cast<std::uint32_t>(vertices.size());
    view.thickness_ = thickness;
    view.largest_ = largest;
}

void SurfaceState::bind_field(double thickness, double largest) {
    view.grid_ = &grid;
    view.triangles_ = static_cast<std::uint32_t>(2 * grid.cells());
    view.vertices_ = grid.rows * grid.columns;
    view.thickness_ = thickness;
    view.largest_ = largest;
}

std::size_t SurfaceState::vertex_bytes() const { return bytes_of(vertices); }

std::size_t SurfaceState::bytes() const {
    return vertex_bytes() + bytes_of(corners) + bytes_of(opposites) + bytes_of(starts) + bytes_of(fans) +
           bytes_of(input) + bytes_of(materials) + tree.bytes() + grid.bytes();
}

std::shared_ptr<const SurfaceState> make_mesh_state(MeshDraft& draft, EdgeMatch& match,
                                                    std::span<const std::uint16_t> materials, float thickness) {
    const auto state = std::make_shared<SurfaceState>();
    keep_used_points(draft, *state);
    state->opposites = std::move(match.opposites);
    state->input = std::move(draft.input);
    state->input.shrink_to_fit();
    Fans(*state).find();
    if (!materials.empty()) {
        state->materials.reserve(state->input.size());
        for (const std::uint32_t t : state->input) state->materials.push_back(materials[t]);
    }
    state->tree = build_tree(boxes_of(*state, state->bounds));
    state->shift = draft.shift;
    state->rounding = draft.rounding;
    state->report = draft.report;
    state->fingerprint = hash_of(state->materials, hash_of(state->corners, hash_of(state->vertices, 0)));
    state->fingerprint = XXH64(&thickness, sizeof thickness, state->fingerprint);
    state->bind_mesh(static_cast<double>(thickness), draft.largest);
    return state;
}

}  // namespace lanefold::detail
