// SPDX-License-Identifier: MIT
//
// Engines in shared libraries that follow bench/adapters/adapter.h.
#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include <dlfcn.h>

#include "adapter.h"
#include "peers/engine.hpp"

namespace lanefold::bench {
namespace {

static_assert(sizeof(LanefoldAdapterBody) == sizeof(Body) && offsetof(Body, hull) == 12 &&
              offsetof(Body, orientation) == 16);
static_assert(sizeof(LanefoldAdapterPair) == sizeof(Pair));
static_assert(sizeof(LanefoldRecord) == sizeof(PeerManifold) && offsetof(PeerManifold, count) == 16 &&
              offsetof(PeerManifold, points) == 20);

std::string text(const char* words) { return words == nullptr ? "" : words; }

class Plugin final : public RecordingEngine {
public:
    Plugin(const LanefoldAdapter& adapter, std::uint32_t setting)
        : adapter_(&adapter), setting_(&adapter.settings[setting]), engine_(adapter.create(setting)) {
        if (engine_ == nullptr) throw std::runtime_error("adapter: cannot make " + text(setting_->id));
    }
    ~Plugin() override { adapter_->destroy(engine_); }

    EngineInfo info() const override {
        EngineInfo i;
        i.id = text(setting_->id);
        i.title = text(setting_->title);
        i.version = text(setting_->version);
        i.settings = text(setting_->settings);
        i.build = text(setting_->build);
        i.precision = text(setting_->precision);
        i.margin = setting_->margin;
        i.max_points = static_cast<int>(setting_->max_points);
        i.coherent = setting_->coherent != 0;
        i.rounded = setting_->rounded != 0;
        return i;
    }

    std::string prepare(const Scene& scene) override {
        hulls_.clear();
        offsets_.assign(scene.polyhedra.size(), {});
        planes_.assign(scene.polyhedra.size(), {});
        corners_.assign(scene.polyhedra.size(), {});
        for (std::size_t h = 0; h < scene.polyhedra.size(); ++h) hulls_.push_back(convert(scene.polyhedra[h], h));
        return text(adapter_->prepare(engine_, hulls_.data(), static_cast<std::uint32_t>(hulls_.size()),
                                      bodies(scene.frames.front()), body_count(scene.frames.front())));
    }

    void set_frame(const Frame& frame) override { adapter_->set_frame(engine_, bodies(frame), body_count(frame)); }

    void collide(std::span<const Pair> pairs) override {
        adapter_->collide(engine_, reinterpret_cast<const LanefoldAdapterPair*>(pairs.data()),
                          static_cast<std::uint32_t>(pairs.size()), reinterpret_cast<LanefoldRecord*>(records_));
    }

    void forget() override {
        if (adapter_->forget != nullptr) adapter_->forget(engine_);
    }

private:
    static const LanefoldAdapterBody* bodies(const Frame& frame) {
        return reinterpret_cast<const LanefoldAdapterBody*>(frame.bodies.data());
    }
    static std::uint32_t body_count(const Frame& frame) { return static_cast<std::uint32_t>(frame.bodies.size()); }

    LanefoldHull convert(const PolyHull& hull, std::size_t h) {
        std::vector<std::uint32_t>& offsets = offsets_[h];
        std::vector<std::uint32_t>& corners = corners_[h];
        for (const auto& face : hull.faces) {
            offsets.push_back(static_cast<std::uint32_t>(corners.size()));
            corners.insert(corners.end(), face.begin(), face.end());
        }
        offsets.push_back(static_cast<std::uint32_t>(corners.size()));
        for (std::size_t f = 0; f < hull.faces.size(); ++f) {
            const Vec3d& n = hull.normals[f];
            planes_[h].insert(planes_[h].end(), {n.x, n.y, n.z, hull.offsets[f]});
        }
        LanefoldHull out{};
        out.vertex_count = static_cast<std::uint32_t>(hull.vertices.size());
        out.face_count = static_cast<std::uint32_t>(hull.faces.size());
        out.vertices = &hull.vertices.front().x;
        out.face_offsets = offsets.data();
        out.face_vertices = corners.data();
        out.planes = planes_[h].data();
        out.is_box = hull.is_box ? 1 : 0;
        const Vec3d values[] = {hull.centre, hull.half_extent, hull.axes.row[0], hull.axes.row[1], hull.axes.row[2]};
        double* const places[] = {out.centre, out.half_extent, out.axes, out.axes + 3, out.axes + 6};
        for (std::size_t i = 0; i < 5; ++i) {
            places[i][0] = values[i].x;
            places[i][1] = values[i].y;
            places[i][2] = values[i].z;
        }
        return out;
    }

    const LanefoldAdapter* adapter_;
    const LanefoldSetting* setting_;
    void* engine_;
    std::vector<LanefoldHull> hulls_;
    std::vector<std::vector<std::uint32_t>> offsets_;
    std::vector<std::vector<std::uint32_t>> corners_;
    std::vector<std::vector<double>> planes_;
};

}  // namespace

void add_adapter(EngineList& list, const std::string& file) {
    // The library stays loaded: its engines may end after this list.
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (library == nullptr) throw std::runtime_error(std::string("adapter: ") + dlerror());
    using Entry = const LanefoldAdapter* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library, "lanefold_adapter"));
    if (entry == nullptr) throw std::runtime_error(file + " has no function lanefold_adapter");
    const LanefoldAdapter* const adapter = entry();
    if (adapter == nullptr || adapter->version != LANEFOLD_ADAPTER_VERSION) {
        throw std::runtime_error(file + " follows another version of bench/adapters/adapter.h");
    }
    for (std::uint32_t s = 0; s < adapter->setting_count; ++s) {
        auto engine = std::make_unique<Plugin>(*adapter, s);
        const std::string id = engine->info().id;
        const auto same = std::find_if(list.begin(), list.end(), [&](const auto& e) { return e->info().id == id; });
        if (same != list.end()) {
            *same = std::move(engine);
        } else {
            list.push_back(std::move(engine));
        }
    }
}

}  // namespace lanefold::bench
