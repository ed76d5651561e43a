// SPDX-License-Identifier: MIT
//
// Every public call that computes gives the bytes of the default environment under every rounding mode, with denormals
// flushed (FTZ, DAZ), and with unmasked exceptions where nothing raises them. It restores the host's settings.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <string>
#include <vector>

#include <lanefold/fp_environment.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/match_contacts.hpp>
#include <lanefold/speculative.hpp>
#include <lanefold/sweep.hpp>

#include "support/batch_scene.hpp"
#include "support/bytes.hpp"
#include "support/fp_calls.hpp"
#include "support/fp_modes.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

// Clouds of every kind, rough and nearly flat, of ordinary and of tiny size. The squares of tiny sizes are denormal in
// float32.
struct Clouds {
    Points points;
    std::vector<std::uint64_t> offsets{0};

    Clouds() {
        for (std::uint32_t i = 0; i < 60; ++i) {
            Random random(77, i);
            const Shape shape = all_shapes()[i % all_shapes().size()];
            const double scale = i % 3 == 2 ? 3e-15 : random.log_uniform(0.1, 10.0);
            const Points cloud =
                transformed(make_points(shape, random), scale, random.rotation(), random.in_ball() * (2.0 * scale));
            points.insert(points.end(), cloud.begin(), cloud.end());
            offsets.push_back(points.size());
        }
    }
};

const Clouds& clouds() {
    static const Clouds instance;
    return instance;
}

void add_builder(std::vector<Call>& calls) {
    for (const std::uint32_t threads : {1U, 3U}) {
        calls.push_back({threads == 1 ? "build_hulls" : "build_hulls, 3 threads", [threads](Bytes& out) {
                             BuildOptions options;
                             options.threads = threads;
                             const BuildResult r = build_hulls(clouds().points, clouds().offsets, options);
                             out.add(r.failures.size());
                             out.add(r.hulls);
                         }});
    }
    calls.push_back({"build_hull with a budget of vertices", [](Bytes& out) {
                         BuildOptions options;
                         options.max_vertices = 12;
                         out.add(build_hull(clouds().points, options).hulls);
                     }});
    calls.push_back({"build_hull of what cannot be built", [](Bytes& out) {
                         const Vec3f flat[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-9F}, {0.3F, 0.4F, -1e-9F}};
                         const BuildResult r = build_hull(flat);
                         for (const HullReport& f : r.failures) {
                             out.add(f.error);
                             out.add(f.culprit);
                         }
                     }});
    calls.push_back({"HullSet::append", [](Bytes& out) { out.add(fp_scene().hulls.append(fp_scene().hulls)); }});
}

void add_batches(std::vector<Call>& calls) {
    for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
        const auto options = [method] {
            Options o = fp_scene().options();
            o.method = method;
            return o;
        };
        const auto batch = [&](const char* name, auto record, auto call) {
            calls.push_back({name, [options, call](Bytes& out) {
                                 Workspace workspace;
                                 std::vector<decltype(record)> records(fp_scene().pairs.size());
                                 out.add(static_cast<const BatchResult&>(call(options(), records, workspace)));
                                 out.add(records);
                             }});
        };
        batch("collide", Manifold4{}, [](const Options& o, std::span<Manifold4> r, Workspace& w) {
            return collide(fp_scene().hulls, fp_scene().view(), fp_scene().pairs, o, r, w);
        });
        batch("collide, 16 points", Manifold16{}, [](const Options& o, std::span<Manifold16> r, Workspace& w) {
            return collide(fp_scene().hulls, fp_scene().view(), fp_scene().pairs, o, r, w);
        });
        batch("collide_serial", Manifold4{}, [](const Options& o, std::span<Manifold4> r, Workspace& w) {
            return collide_serial(fp_scene().hulls, fp_scene().view(), fp_scene().pairs, o, r, w);
        });
        batch("collide_compact", Manifold4{}, [](const Options& o, std::span<Manifold4> r, Workspace& w) {
            return collide_compact(fp_scene().hulls, fp_scene().view(), fp_scene().pairs, o, r, w);
        });
        batch("collide_distance", PairDistance{}, [](const Options& o, std::span<PairDistance> r, Workspace& w) {
            return collide(fp_scene().hulls, fp_scene().view(), fp_scene().pairs, o, r, w);
        });
        batch("collide_overlap", std::uint64_t{}, [](const Options& o, std::span<std::uint64_t> r, Workspace& w) {
            return collide_overlap(fp_scene().hulls, fp_scene().view(), fp_scene().pairs, o,
                                   r.first((r.size() + 63) / 64), w);
        });
        batch("collide_pair", Manifold4{}, [](const Options& o, std::span<Manifold4> r, Workspace& w) {
            for (std::size_t i = 0; i < r.size(); ++i) {
                const Pair p = fp_scene().pairs[i];
                const BatchResult one =
                    collide_pair(fp_scene().hulls, fp_scene().bodies[p.a], fp_scene().bodies[p.b], o, r[i], w);
                if (!one.status) return one;
            }
            return BatchResult{};
        });
    }
    calls.push_back(
        {"collide with previous contacts and denormal options", [](Bytes& out) {
             Options o = fp_scene().options();
             const CallInputs inputs{.previous = PreviousContacts::dense(std::span<const Manifold4>(fp_contacts()))};
             o.hysteresis = 1e-41F;
             o.face_preference = 1e-41F;
             o.margin = 1e-41F;
             std::vector<Manifold4> records(fp_scene().pairs.size());
             Workspace workspace;
             out.add(collide(fp_scene().hulls, fp_scene().view(), fp_scene().pairs, o, records, workspace, inputs));
             out.add(records);
         }});
}

// Bodies of the scene that move by denormal and ordinary lengths, and turn.
void add_sweeps(std::vector<Call>& calls) {
    for (const bool serial : {true, false}) {
        calls.push_back({serial ? "sweep_serial" : "sweep", [serial](Bytes& out) {
                             std::vector<Body> end = fp_scene().bodies;
                             std::vector<Vec3d> spins;
                             for (std::size_t i = 0; i < end.size(); ++i) {
                                 end[i].position[i % 3] =
                                     i % 4 == 0 ? -1e-41F : 0.25F * static_cast<float>(i % 5);  // exact
                                 spins.push_back({0.3, 1e-310, static_cast<double>(i % 7)});
                             }
                             std::vector<SweepRecord> records(fp_scene().pairs.size());
                             SweepWorkspace workspace;
                             SweepOptions options;
                             options.target = 1e-41F;
                             SweepInputs inputs;
                             inputs.spins = spins;
                             const auto call = serial ? &sweep_serial : &sweep;
                             const SweepResult r = call(fp_scene().hulls, fp_scene().view(), end, fp_scene().pairs,
                                                        options, records, workspace, inputs);
                             out.add(r.distances);
                             const auto* const bytes = reinterpret_cast<const std::uint8_t*>(records.data());
                             out.add(std::vector<std::uint8_t>(bytes, bytes + records.size() * sizeof(SweepRecord)));
                         }});
    }
    calls.push_back({"speculative_margins", [](Bytes& out) {
                         const std::vector<Vec3f> v(fp_scene().bodies.size(), {0.1F, 1e-41F, -1.0F / 3});
                         std::vector<float> margins(fp_scene().pairs.size());
                         const CallStatus status = speculative_margins(fp_scene().hulls, fp_scene().view(), {v, v},
                                                                       fp_scene().pairs, 0.1F, 1e-41F, margins);
                         out.add(static_cast<int>(status.code));
                         out.add(margins);
                     }});
}

void add_records(std::vector<Call>& calls) {
    calls.push_back({"hash_record of denormal numbers", [](Bytes& out) {
                         Manifold4 m{};
                         m.distance = -1e-41F;
                         m.points[0].separation = 3e-45F;
                         out.add(hash_record(m));
                     }});
    calls.push_back({"match_contacts", [](Bytes& out) {
                         for (std::size_t i = 1; i < fp_contacts().size(); ++i) {
                             const auto match = match_contacts(fp_contacts()[i - 1], fp_contacts()[i]);
                             out.add(match.broken);
                             for (const std::uint8_t p : match.previous) out.add(p);
                         }
                     }});
}

std::vector<Call> every_call() {
    std::vector<Call> calls;
    add_builder(calls);
    add_batches(calls);
    add_sweeps(calls);
    add_records(calls);
    add_reference_calls(calls);
    return calls;
}

TEST(FpEnvironment, EveryCallGivesTheSameBytesUnderEveryMode) {
    const std::fenv_t ours = current_environment();
    std::size_t compared = 0;
    for (const Call& call : every_call()) {
        Bytes expected;
        call.run(expected);
        ASSERT_GT(expected.all().size(), 4U) << call.name << " gave nothing to compare";
        for (const Mode& mode : modes()) {
            Bytes got;
            mode.set();
            const unsigned before = control_of_host();
            call.run(got);
            const unsigned after = control_of_host();
            std::fesetenv(&ours);
            EXPECT_EQ(before, after) << call.name << ", " << mode.name << ": the host's settings must come back";
            EXPECT_TRUE(got.all() == expected.all()) << call.name << ", " << mode.name << ": other bytes";
            ++compared;
        }
    }
    EXPECT_GE(compared, 200U);
}

// Shows that the modes have an effect: the same arithmetic without a guard changes.
TEST(FpEnvironment, ModesChangeUnguardedArithmetic) {
    const std::fenv_t ours = current_environment();
    const auto quotient = [](double x, double y) {
        // Operand and result are volatile, so that the division stays between the changes of the environment.
        const volatile double one = x;
        const volatile double other = y;
        const volatile double q = one / other;
        return q;
    };
    const auto tiny = [](float y) {
        const volatile float x = y;
        const volatile float sum = x * 0.5F + x * 0.25F;
        return sum;
    };
    const double nearest = quotient(1.0, 3.0);
    const double tenth = quotient(1.0, 10.0);
    const float kept = tiny(1e-41F);
    int differing = 0;
    for (const Mode& mode : modes()) {
        mode.set();
        const double t = quotient(1.0, 3.0);
        const double m = quotient(1.0, 10.0);
        const float k = tiny(1e-41F);
        std::fesetenv(&ours);
        const bool same = std::bit_cast<std::uint64_t>(t) == std::bit_cast<std::uint64_t>(nearest) &&
                          std::bit_cast<std::uint64_t>(m) == std::bit_cast<std::uint64_t>(tenth) &&
                          std::bit_cast<std::uint32_t>(k) == std::bit_cast<std::uint32_t>(kept);
        differing += same ? 0 : 1;
    }
    EXPECT_EQ(differing, static_cast<int>(modes().size()) - 1) << "all but round to nearest";
}

TEST(FpEnvironment, GuardedWorkStaysInside) {
    const std::fenv_t ours = current_environment();
    for (const Mode& mode : modes()) {
        mode.set();
        const double third = in_default_environment([one = 1.0, three = 3.0]() mutable {
            volatile double a = one;
            volatile double b = three;
            return a / b;
        });
        std::fesetenv(&ours);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(third), 0x3FD5555555555555U) << mode.name;
    }
}

}  // namespace
}  // namespace lanefold::test
