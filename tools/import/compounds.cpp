// SPDX-License-Identifier: MIT
//
// See the header. Pieces that move as one were turned and moved alike before they got origins of their own, so the pose
// of a child is the difference of these origins.
#include "import/compounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <lanefold/compound.hpp>

#include "console/failure.hpp"
#include "import/order.hpp"

namespace lanefold::tools {
namespace {

using ChildKey = std::pair<std::uint32_t, std::array<double, 3>>;  // hull and position

class Compounds {
public:
    Compounds(const ImportRequest& request, const Cast& cast, const ImportFrames& frames)
        : request_(request), cast_(cast), frames_(frames) {
        out_.hulls = cast.hulls;
        out_.offsets = cast.offsets;
    }

    ImportBodies make() {
        std::vector<std::vector<std::uint32_t>> pieces(cast_.objects.size());
        for (std::uint32_t i = 0; i < cast_.pieces.size(); ++i) pieces[cast_.pieces[i].object].push_back(i);
        for (const std::vector<std::uint32_t>& own : pieces) {
            if (!own.empty()) add_body(own);
        }
        make_unique(out_.names);
        if (request_.groups != ImportGroups::file) out_.group.clear();
        shapes().kind = cast_.kinds();
        shapes().surfaces = cast_.surfaces;
        if (shapes().children.empty()) return std::move(out_);
        CompoundResult built = build_compounds(cast_.hulls, shapes().children, shapes().offsets);
        if (!built) throw bad_input("an object is no compound: {}", built.failures.front().what);
        out_.hulls = std::move(built.hulls);
        shapes().kind.resize(cast_.hulls.size(), 0);
        shapes().kind.resize(out_.hulls.size(), static_cast<std::uint8_t>(lanefold::ShapeKind::compound));
        out_.offsets.resize(out_.hulls.size() + 1, cast_.offsets.back());
        return std::move(out_);
    }

private:
    OtherShapes& shapes() { return out_.other_shapes; }

    void add_body(const std::vector<std::uint32_t>& own) {
        const std::uint32_t first = own.front();
        double mass = 0;
        std::vector<ChildKey> children;
        for (const std::uint32_t i : own) {
            if (!frames_.move_as_one(first, i)) {
                throw bad_input(
                    "--compounds: '{}' and '{}' of object '{}' have poses of their own; a compound is one body, so "
                    "--poses needs a row for each object",
                    cast_.names[first], cast_.names[i], cast_.objects[cast_.pieces[first].object]);
            }
            const Vec3d at = cast_.pieces[i].centre - cast_.pieces[first].centre;
            children.push_back({cast_.body_hull[i], {at.x, at.y, at.z}});
            mass += 1 / static_cast<double>(cast_.inverse_mass[i]);
        }
        const bool fixed = cast_.inverse_mass[first] == 0;  // all pieces of an object are, or none
        out_.first_piece.push_back(first);
        out_.inverse_mass.push_back(own.size() == 1 ? cast_.inverse_mass[first]
                                    : fixed         ? 0.0F
                                                    : static_cast<float>(1 / mass));
        out_.names.push_back(own.size() == 1 ? cast_.names[first] : name_of(first));
        out_.group.push_back(cast_.pieces[first].file_number + 1);
        out_.hull.push_back(own.size() == 1 ? cast_.body_hull[first] : compound_of(children));
    }

    std::string name_of(std::uint32_t piece) const {
        const std::string& object = cast_.objects[cast_.pieces[piece].object];
        return object.empty() ? cast_.names[piece] : object;
    }

    std::uint32_t compound_of(const std::vector<ChildKey>& children) {
        const auto [known, is_new] = known_.emplace(children, static_cast<std::uint32_t>(known_.size()));
        if (is_new) {
            if (shapes().offsets.empty()) shapes().offsets.push_back(0);
            for (const auto& [hull, at] : children) {
                CompoundChild child;
                child.hull = hull;
                std::copy(at.begin(), at.end(), child.position);
                shapes().children.push_back(child);
            }
            shapes().offsets.push_back(shapes().children.size());
        }
        return static_cast<std::uint32_t>(cast_.hulls.size()) + known->second;
    }

    const ImportRequest& request_;
    const Cast& cast_;
    const ImportFrames& frames_;
    std::map<std::vector<ChildKey>, std::uint32_t> known_;
    ImportBodies out_;
};

// The rows of some pieces, `width` numbers each.
template <class T>
void gather(const std::vector<std::uint32_t>& pieces, std::size_t width, const std::vector<T>& from,
            std::vector<T>& to) {
    to.clear();
    if (from.empty()) return;
    for (const std::uint32_t i : pieces) {
        const auto row = from.begin() + static_cast<std::ptrdiff_t>(width * i);
        to.insert(to.end(), row, row + static_cast<std::ptrdiff_t>(width));
    }
}

}  // namespace

void BodyFrame::take(const ImportBodies& bodies, const ImportFrames& frames) {
    const std::vector<double> none;
    gather(bodies.first_piece, 3, frames.is_double() ? frames.position : none, position);
    gather(bodies.first_piece, 3, frames.position_float, position_float);
    gather(bodies.first_piece, 4, frames.orientation, orientation);
    gather(bodies.first_piece, 1, frames.active, active);
}

BodyView BodyFrame::view(const ImportBodies& bodies) const {
    const std::size_t n = bodies.hull.size();
    const BodyView view = position_float.empty()
                              ? BodyView::from_arrays(position.data(), orientation.data(), bodies.hull.data(), n)
                              : BodyView::from_arrays(position_float.data(), orientation.data(), bodies.hull.data(), n);
    return bodies.scale.empty() ? view : view.with_scale(bodies.scale.data());
}

ImportBodies bodies_of(const Cast& cast) {
    ImportBodies out;
    for (std::uint32_t i = 0; i < cast.pieces.size(); ++i) out.first_piece.push_back(i);
    out.hull = cast.body_hull;
    out.names = cast.names;
    out.group = cast.group;
    out.inverse_mass = cast.inverse_mass;
    out.hulls = cast.hulls;
    out.offsets = cast.offsets;
    out.other_shapes.kind = cast.kinds();
    out.other_shapes.surfaces = cast.surfaces;
    return out;
}

ImportBodies compounds_of(const ImportRequest& request, const Cast& cast, const ImportFrames& frames) {
    return Compounds(request, cast, frames).make();
}

}  // namespace lanefold::tools
