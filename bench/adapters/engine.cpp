// SPDX-License-Identifier: MIT
//
// Makes an adapter (adapter.h) of a file of bench/src/peers. So the same file measures another version of its engine
// beside, or instead of, the one that the build found. LANEFOLD_ADAPTED is the function that lists its engines.
#include <exception>
#include <stdexcept>

#include "adapter.h"
#include "peers/engine.hpp"

namespace {

using namespace lanefold::bench;

EngineList make_engines() {
    EngineList list;
    LANEFOLD_ADAPTED(list);
    return list;
}

// An engine, the scene in the form that it takes, and why it refused the last one.
struct Adapted {
    std::unique_ptr<RecordingEngine> engine;
    Scene scene;
    Frame frame;
    std::string refusal;
    std::uint32_t reserved = 0;
};

Adapted& adapted(void* engine) { return *static_cast<Adapted*>(engine); }

lanefold::Vec3d vector(const double* v) { return {v[0], v[1], v[2]}; }

PolyHull polyhedron(const LanefoldHull& hull) {
    PolyHull out;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const float* const p = hull.vertices + 3 * v;
        out.vertices.push_back({p[0], p[1], p[2]});
    }
    for (std::uint32_t f = 0; f < hull.face_count; ++f) {
        const double* const plane = hull.planes + 4 * f;
        out.faces.emplace_back(hull.face_vertices + hull.face_offsets[f],
                               hull.face_vertices + hull.face_offsets[f + 1]);
        out.normals.push_back(vector(plane));
        out.offsets.push_back(plane[3]);
    }
    out.centre = vector(hull.centre);
    out.is_box = hull.is_box != 0;
    out.half_extent = vector(hull.half_extent);
    for (int r = 0; r < 3; ++r) out.axes.row[r] = vector(hull.axes + 3 * r);
    return out;
}

// The settings of the engines, as texts that live as long as the library.
class Settings {
public:
    Settings() {
        for (const auto& e : make_engines()) infos_.push_back(e->info());
        for (const EngineInfo& i : infos_) {
            settings_.push_back({i.id.c_str(),
                                 i.title.c_str(),
                                 i.version.c_str(),
                                 i.settings.c_str(),
                                 i.build.c_str(),
                                 i.precision.c_str(),
                                 i.margin,
                                 static_cast<std::uint32_t>(i.max_points),
                                 static_cast<std::uint8_t>(i.coherent),
                                 static_cast<std::uint8_t>(i.rounded),
                                 {}});
        }
    }
    const std::vector<LanefoldSetting>& all() const { return settings_; }

private:
    std::vector<EngineInfo> infos_;
    std::vector<LanefoldSetting> settings_;
};

void* create(std::uint32_t setting) {
    EngineList list = make_engines();
    auto* const engine = dynamic_cast<RecordingEngine*>(list.at(setting).get());
    if (engine == nullptr) return nullptr;
    static_cast<void>(list.at(setting).release());
    auto* const out = new Adapted;
    out->engine.reset(engine);
    return out;
}

void destroy(void* engine) { delete &adapted(engine); }

const char* prepare(void* engine, const LanefoldHull* hulls, std::uint32_t hull_count,
                    const LanefoldAdapterBody* bodies, std::uint32_t body_count) {
    Adapted& a = adapted(engine);
    try {
        a.scene = Scene{};
        for (std::uint32_t h = 0; h < hull_count; ++h) a.scene.polyhedra.push_back(polyhedron(hulls[h]));
        const auto* const first = reinterpret_cast<const lanefold::Body*>(bodies);
        a.scene.frames.push_back({{first, first + body_count}, {}});
        a.refusal = a.engine->prepare(a.scene);
    } catch (const std::exception& error) {
        a.refusal = std::string("refuses: ") + error.what();
    }
    return a.refusal.empty() ? nullptr : a.refusal.c_str();
}

void set_frame(void* engine, const LanefoldAdapterBody* bodies, std::uint32_t body_count) {
    Adapted& a = adapted(engine);
    const auto* const first = reinterpret_cast<const lanefold::Body*>(bodies);
    a.frame.bodies.assign(first, first + body_count);
    a.engine->set_frame(a.frame);
}

void collide(void* engine, const LanefoldAdapterPair* pairs, std::uint32_t pair_count, LanefoldRecord* records) {
    Adapted& a = adapted(engine);
    if (pair_count > a.reserved) {  // engines with data per pair make room for it
        a.engine->reserve(pair_count);
        a.reserved = pair_count;
    }
    a.engine->record_into(reinterpret_cast<PeerManifold*>(records));
    a.engine->collide({reinterpret_cast<const lanefold::Pair*>(pairs), pair_count});
}

void forget(void* engine) { adapted(engine).engine->forget(); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const LanefoldAdapter* lanefold_adapter() {
    static const Settings settings;
    static const LanefoldAdapter adapter{LANEFOLD_ADAPTER_VERSION,
                                         static_cast<std::uint32_t>(settings.all().size()),
                                         settings.all().data(),
                                         create,
                                         destroy,
                                         prepare,
                                         set_frame,
                                         collide,
                                         forget};
    return &adapter;
}
