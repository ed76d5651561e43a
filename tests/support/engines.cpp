// SPDX-License-Identifier: MIT
//
// Engines for sweeps.
#include "support/engines.hpp"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include <lanefold/detail/precise.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

namespace lanefold::test {
namespace {

template <class M>
void run_precise(const SweepBlock& block, std::span<M> out, detail::PreciseScratch& scratch) {
    const Options& options = block.config.options;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const BodyD& a = block.bodies[2 * i];
        const BodyD& b = block.bodies[2 * i + 1];
        detail::PrecisePair pair;
        pair.a = &block.library.hulls[a.hull];
        pair.b = &block.library.hulls[b.hull];
        std::copy(a.position, a.position + 3, pair.position_a);
        std::copy(b.position, b.position + 3, pair.position_b);
        std::copy(a.orientation, a.orientation + 4, pair.orientation_a);
        std::copy(b.orientation, b.orientation + 4, pair.orientation_b);
        pair.margin = options.margin;
        pair.face_preference = options.face_preference;
        pair.points = options.points;
        pair.method = options.method;
        pair.patch_band = options.patch_band;
        pair.index_a = block.pairs[i].a;
        pair.index_b = block.pairs[i].b;
        detail::collide_precise(pair, scratch, out[i]);
    }
}

template <class M>
Counters run_serial(const SweepBlock& block, std::span<M> out, Isa isa, Workspace& workspace) {
    Options options = block.config.options;
    options.isa = isa;
    const BodyView view = block.float_bodies.empty() ? BodyView(std::span<const BodyD>(block.bodies))
                                                     : BodyView(std::span<const Body>(block.float_bodies));
    const BatchResult result = collide_serial(block.library.hulls, view, block.pairs, options, out, workspace);
    EXPECT_TRUE(result.status) << result.status.what << " at " << result.status.where;
    EXPECT_EQ(result.isa, isa) << "another instruction set ran";
    return result.counters;
}

template <class M, class Engine>
Engine make_precise() {
    auto scratch = std::make_shared<detail::PreciseScratch>();
    return [scratch](const SweepBlock& block, std::span<M> out) { run_precise(block, out, *scratch); };
}

template <class M, class Engine>
Engine make_serial(Isa isa) {
    auto workspace = std::make_shared<Workspace>();
    return [workspace, isa](const SweepBlock& block, std::span<M> out) { run_serial(block, out, isa, *workspace); };
}

template <class M, class Engine>
Engine make_all(IsaDifferences& differences) {
    auto workspace = std::make_shared<Workspace>();
    return [workspace, &differences](const SweepBlock& block, std::span<M> out) {
        const std::span<const Isa> isas = available_isas();
        differences.counters += run_serial(block, out, isas[0], *workspace);
        std::vector<M> other(out.size());
        for (const Isa isa : isas.subspan(1)) {
            run_serial(block, std::span<M>(other), isa, *workspace);
            for (std::size_t i = 0; i < out.size(); ++i) {
                ++differences.records;
                const std::string difference = bitwise_difference(out[i], other[i]);
                if (difference.empty()) continue;
                ++differences.differing;
                if (differences.first.size() >= 5) continue;
                const BodyD& a = block.bodies[2 * i];
                const BodyD& b = block.bodies[2 * i + 1];
                differences.first.push_back(std::string(to_string(isas[0])) + " and " + to_string(isa) + ", pair " +
                                            std::to_string(i) + " of its block (" +
                                            to_string(block.library.shapes[a.hull]) + ", " +
                                            to_string(block.library.shapes[b.hull]) + "): " + difference);
            }
        }
    };
}

}  // namespace

Engine4 precise_engine4() { return make_precise<Manifold4, Engine4>(); }
Engine16 precise_engine16() { return make_precise<Manifold16, Engine16>(); }
Engine4 serial_engine4(Isa isa) { return make_serial<Manifold4, Engine4>(isa); }
Engine4 all_isas_engine4(IsaDifferences& differences) { return make_all<Manifold4, Engine4>(differences); }
Engine16 all_isas_engine16(IsaDifferences& differences) { return make_all<Manifold16, Engine16>(differences); }

void expect_clean(const SweepResult& r) {
    for (const std::string& v : r.violations) ADD_FAILURE() << v;
    EXPECT_EQ(r.coverage.violations, 0U);
}

void expect_same(const IsaDifferences& d) {
    for (const std::string& s : d.first) ADD_FAILURE() << s;
    EXPECT_EQ(d.differing, 0U) << "of " << d.records;
}

}  // namespace lanefold::test
