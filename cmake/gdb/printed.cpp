// SPDX-License-Identifier: MIT
//
// The values that test_printers.sh prints. Built with debug information for each width of lanes.
#include <lanefold/body.hpp>
#include <lanefold/diagnostics.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/vec.hpp>

#include "lanes/wide.hpp"

using namespace lanefold;

int main() {
    const Vec3f vector{1, -2, 0.5F};
    const Body body{{1, 2, 3}, 7, {0, 0, 0, 1}};
    Manifold4 contact{};
    contact.pair[0] = 7;
    contact.pair[1] = 12;
    contact.normal[1] = 1;
    contact.distance = -0.25F;
    contact.feature_a = 3;
    contact.feature_b = 5;
    contact.total = 6;
    contact.count = 2;
    contact.kind = ContactKind::face_a;
    contact.points[0].separation = -0.25F;
    contact.points[1].separation = -0.125F;
    Manifold4 bad{};
    bad.status = Status::bad_pose;
    HullRecord hull{};
    hull.vertex_count = 8;
    hull.edge_count = 12;
    hull.face_count = 6;
    hull.flags = HullRecord::kBox | HullRecord::kThin;
    hull.size = 1.5F;
    const detail::LANEFOLD_KERNEL_NAMESPACE::WFloat lanes = detail::LANEFOLD_KERNEL_NAMESPACE::splat(1.5F);
    const detail::LANEFOLD_KERNEL_NAMESPACE::WInt whole(7);
    const void* const kept[] = {&vector, &body, &contact, &bad, &hull, &lanes, &whole};
    return kept[0] == nullptr ? 1 : 0;  // the breakpoint of the test
}
