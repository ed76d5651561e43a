// SPDX-License-Identifier: MIT
//
// lanefold_toi [--adapter FILE.so]... [pairs] [judged] [rounds]: times of impact of rocks that move, or move and turn,
// by lanefold's sweeps, by Box3D where it is linked, and by adapters (adapters/toi.h), each on one thread, in turns.
// Answers are held against a march in float64 first (toi_judge.hpp); their faults stand beside the time. A fault of
// lanefold ends the program with 1.
#include <dlfcn.h>

#include <cstring>
#include <stdexcept>
#include <string_view>

#include <lanefold/serial_sweep.hpp>

#include "between_scene.hpp"
#include "toi_engine.hpp"
#include "toi_judge.hpp"

namespace lanefold::bench {
namespace {

class LanefoldToi final : public ToiEngine {
public:
    explicit LanefoldToi(float tolerance) { options_.tolerance = tolerance; }
    std::string title() const override { return options_.tolerance == kDefaultSweepTolerance ? "lanefold" : "tight"; }
    std::string settings() const override {
        char text[80];
        std::snprintf(text, sizeof text, "sweep_serial, tolerance %g of the smaller hull's size",
                      static_cast<double>(options_.tolerance));
        return text;
    }
    std::string prepare(const ToiScene& scene) override {
        scene_ = &scene;
        for (const LanefoldMotion& m : scene.bodies) {
            BodyD body{};
            for (int k = 0; k < 3; ++k) body.position[k] = static_cast<double>(m.position[k]);
            std::copy_n(m.orientation, 4, body.orientation);
            body.hull = m.hull;
            begin_.push_back(body);
            for (int k = 0; k < 3; ++k) body.position[k] += static_cast<double>(m.shift[k]);
            end_.push_back(body);
            spins_.push_back(to_double({m.spin[0], m.spin[1], m.spin[2]}));
        }
        for (const LanefoldAdapterPair& p : scene.pairs) pairs_.push_back({p.a, p.b});
        records_.resize(pairs_.size());
        return {};
    }
    void impacts(std::span<LanefoldImpact> out) override {
        SweepInputs inputs;
        inputs.spins = spins_;
        const SweepResult result =
            sweep_serial(scene_->hulls, BodyView(std::span<const BodyD>(begin_)),
                         BodyView(std::span<const BodyD>(end_)), pairs_, options_, records_, workspace_, inputs);
        if (!result.status) throw std::runtime_error(result.status.what);
        // Rounded down: up could be later than the record is.
        for (std::size_t i = 0; i < out.size(); ++i) {
            auto time = static_cast<float>(records_[i].fraction);
            if (static_cast<double>(time) > records_[i].fraction) time = std::nextafter(time, -1.0F);
            out[i] = {time, static_cast<int>(records_[i].state)};
        }
    }

private:
    const ToiScene* scene_ = nullptr;
    SweepOptions options_;
    SweepWorkspace workspace_;
    std::vector<BodyD> begin_, end_;
    std::vector<Vec3d> spins_;
    std::vector<Pair> pairs_;
    std::vector<SweepRecord> records_;
};
static_assert(static_cast<int>(SweepState::miss) == LANEFOLD_TOI_MISS);
static_assert(static_cast<int>(SweepState::hit) == LANEFOLD_TOI_HIT);
static_assert(static_cast<int>(SweepState::overlapping) == LANEFOLD_TOI_OVERLAPPING);
static_assert(static_cast<int>(SweepState::failed) == LANEFOLD_TOI_FAILED);

class AdaptedToi final : public ToiEngine {
public:
    explicit AdaptedToi(const LanefoldToiAdapter& adapter) : adapter_(adapter), engine_(adapter.create()) {}
    AdaptedToi(const AdaptedToi&) = delete;
    AdaptedToi& operator=(const AdaptedToi&) = delete;
    ~AdaptedToi() override { adapter_.destroy(engine_); }
    std::string title() const override { return adapter_.title; }
    std::string settings() const override { return adapter_.settings; }
    std::string prepare(const ToiScene& scene) override {
        scene_ = &scene;
        std::vector<std::vector<std::uint32_t>> corners, offsets;
        std::vector<LanefoldHull> hulls;
        for (std::uint32_t h = 0; h < scene.hulls.size(); ++h) {
            const std::span<const Vec3f> vertices = scene.hulls.vertices(h);
            corners.push_back(triangles_of(scene.hulls[h]));
            std::vector<std::uint32_t>& first = offsets.emplace_back();
            for (std::uint32_t c = 0; c <= corners.back().size(); c += 3) first.push_back(c);
            LanefoldHull hull{};
            hull.vertex_count = static_cast<std::uint32_t>(vertices.size());
            hull.face_count = static_cast<std::uint32_t>(first.size() - 1);
            hull.vertices = &vertices.front().x;
            hull.face_offsets = first.data();
            hull.face_vertices = corners.back().data();
            hulls.push_back(hull);
        }
        const char* const refused = adapter_.prepare(engine_, hulls.data(), static_cast<std::uint32_t>(hulls.size()));
        if (refused != nullptr) return refused;
        adapter_.set_motions(engine_, scene.bodies.data(), static_cast<std::uint32_t>(scene.bodies.size()));
        return {};
    }
    void impacts(std::span<LanefoldImpact> out) override {
        adapter_.impacts(engine_, scene_->pairs.data(), static_cast<std::uint32_t>(out.size()), out.data());
    }

private:
    const LanefoldToiAdapter& adapter_;
    void* engine_;
    const ToiScene* scene_ = nullptr;
};

const LanefoldToiAdapter& load(const char* file) {
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (library == nullptr) throw std::runtime_error(std::string("adapter: ") + dlerror());
    using Entry = const LanefoldToiAdapter* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library, "lanefold_toi_adapter"));
    if (entry == nullptr) throw std::runtime_error(std::string(file) + " has no function lanefold_toi_adapter");
    if (entry()->version != LANEFOLD_TOI_VERSION) {
        throw std::runtime_error(std::string(file) + " follows another version of bench/adapters/toi.h");
    }
    return *entry();
}

void store(const Vec3d& v, float out[3]) {
    out[0] = static_cast<float>(v.x);
    out[1] = static_cast<float>(v.y);
    out[2] = static_cast<float>(v.z);
}

// Pairs of rocks of `points` points that come near at a moment of their way. Half of them meet.
ToiScene make_scene(std::uint32_t points, double most_turn, std::uint32_t pairs) {
    Draw draw(points);
    ToiScene scene;
    scene.hulls = rocks(points, 32, points);
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const double meets = draw.uniform(0.1, 0.9);
        const Vec3d shift = draw.direction() * draw.uniform(0, 1);
        const Vec3d beside = draw.direction() * draw.uniform(0, 1.2);
        const Vec3d relative = draw.direction() * draw.uniform(2, 5);
        const Vec3d at[2] = {{}, beside};
        const Vec3d moves[2] = {shift, shift + relative};
        for (int k = 0; k < 2; ++k) {
            const BodyD body = body_at({}, draw.index(32), draw);
            LanefoldMotion m{};
            m.hull = body.hull;
            store(at[k] - moves[k] * meets, m.position);
            store(moves[k], m.shift);
            std::copy_n(body.orientation, 4, m.orientation);
            store(draw.direction() * draw.uniform(0, most_turn), m.spin);
            scene.bodies.push_back(m);
        }
        scene.pairs.push_back({2 * i, 2 * i + 1});
    }
    return scene;
}

// Prints a row an engine; false if lanefold is wrong.
bool measure(const char* motion, const ToiScene& scene, std::uint32_t judged, int rounds,
             std::span<const std::unique_ptr<ToiEngine>> engines) {
    const std::size_t pairs = scene.pairs.size();
    std::vector<Timing> rows(engines.size());
    std::vector<LanefoldImpact> out(pairs);
    std::vector<ToiCounts> counts(engines.size());
    const ToiJudge judge(scene);
    for (std::size_t e = 0; e < engines.size(); ++e) {
        engines[e]->impacts(out);
        for (std::size_t i = 0; i < std::min<std::size_t>(judged, pairs); ++i) {
            judge.judge(i, out[i], engines[e]->turn(), counts[e]);
        }
    }
    for (std::size_t e = 0; e < engines.size(); ++e) {
        rows[e].scene = motion;
        rows[e].pairs = pairs;
        rows[e].engine = engines[e]->title();
    }
    for (int r = 0; r < rounds; ++r) {
        for (std::size_t e = 0; e < engines.size(); ++e) {
            rows[e].add_sample(1, pairs, Counting::on, [&](auto&) { engines[e]->impacts(out); });
        }
    }
    bool good = true;
    for (std::size_t e = 0; e < engines.size(); ++e) {
        const ToiCounts& c = counts[e];
        const auto n = [](std::uint64_t x) { return static_cast<unsigned long long>(x); };
        std::printf("| %s | %s | %.0f | %.2f | %llu | %llu | %llu | %llu | %llu | %.2g | %.2g |\n", motion,
                    engines[e]->title().c_str(), rows[e].min(), rows[e].min() / rows[0].min(), n(c.judged), n(c.hits),
                    n(c.missed), n(c.late), n(c.failed), c.deepest, c.farthest);
        const bool own = dynamic_cast<const LanefoldToi*>(engines[e].get()) != nullptr;
        good = good && (!own || c.missed + c.late + c.failed + c.undecided == 0);
    }
    return good;
}

}  // namespace

int run(std::span<char* const> words) {
    std::vector<const LanefoldToiAdapter*> adapters;
    std::vector<std::uint32_t> numbers;
    for (std::size_t w = 0; w < words.size(); ++w) {
        if (std::string_view(words[w]) == "--adapter" && w + 1 < words.size()) {
            adapters.push_back(&load(words[++w]));
        } else {
            numbers.push_back(static_cast<std::uint32_t>(std::strtoul(words[w], nullptr, 10)));
        }
    }
    const auto number = [&](std::size_t i, std::uint32_t usual) { return i < numbers.size() ? numbers[i] : usual; };
    const std::uint32_t pairs = number(0, 4096);
    bool good = true;
    std::printf(
        "| motion | engine | ns a pair | times lanefold | judged | hits | missed | late | failed | deepest / size "
        "| farthest hit / size |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const std::uint32_t points : {8U, 32U, 96U}) {
        for (const double most : {0.0, 1.0, 3.0}) {
            const ToiScene scene = make_scene(points, most, pairs);
            std::vector<std::unique_ptr<ToiEngine>> engines;
            const auto add = [&](std::unique_ptr<ToiEngine> engine) {
                const std::string refused = engine->prepare(scene);
                if (refused.empty()) return engines.push_back(std::move(engine));
                std::printf("%s %s\n", engine->title().c_str(), refused.c_str());
            };
            add(std::make_unique<LanefoldToi>(kDefaultSweepTolerance));
            add(std::make_unique<LanefoldToi>(1e-5F));
#ifdef LANEFOLD_PEER_BOX3D
            add(box3d_toi());
#endif
            for (const LanefoldToiAdapter* adapter : adapters) add(std::make_unique<AdaptedToi>(*adapter));
            char motion[60];
            std::snprintf(motion, sizeof motion, "%u points, turns up to %g", points, most);
            good = measure(motion, scene, number(1, 500), static_cast<int>(number(2, 5)), engines) && good;
            if (points != 96 || most < 3) continue;
            for (const auto& engine : engines)
                std::printf("%s: %s\n", engine->title().c_str(), engine->settings().c_str());
        }
    }
    return good ? 0 : 1;
}

}  // namespace lanefold::bench

int main(int argc, char** argv) {
    try {
        return lanefold::bench::run({argv + 1, static_cast<std::size_t>(argc - 1)});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanefold_toi: %s\n", error.what());
        return 2;
    }
}
