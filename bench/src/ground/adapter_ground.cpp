// SPDX-License-Identifier: MIT
//
// An engine of a shared library: bench/adapters/parry (src/ground.rs), whose types these are.
#include <stdexcept>

#include <dlfcn.h>

#include "ground/terrain.hpp"

namespace lanefold::bench {
namespace {

struct AdapterShape {
    std::uint32_t kind;  // GroundShape::Kind
    float radius;
    float half[3];
    std::uint32_t point_count;
    const float* points;
};

struct AdapterScene {
    const AdapterShape* shapes;
    std::uint32_t shape_count;
    std::uint32_t body_count;
    const Body* bodies;
    const float* points;  // of a mesh
    const std::uint32_t* triangles;
    std::uint32_t point_count;
    std::uint32_t triangle_count;
    const float* heights;  // of a field; null: a mesh
    std::uint32_t samples;
    float cell;
    float margin;
};

struct AdapterPoint {
    float normal[3];
    float separation;
};

// The types are those of the adapter only if the sizes are.
static_assert(sizeof(AdapterShape) == 32 && sizeof(AdapterScene) == 72 && sizeof(AdapterPoint) == 16);
static_assert(sizeof(Body) == 32 && sizeof(Vec3f) == 12);

class AdapterGround final : public GroundEngine {
public:
    explicit AdapterGround(const std::string& file) {
        library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library_ == nullptr) throw std::runtime_error(dlerror());
        find("lanefold_ground_create", create_);
        find("lanefold_ground_destroy", destroy_);
        find("lanefold_ground_run", run_);
        find("lanefold_ground_points", points_);
    }
    AdapterGround(const AdapterGround&) = delete;
    AdapterGround& operator=(const AdapterGround&) = delete;
    // The library stays: engines may have threads and handlers in it.
    ~AdapterGround() override { forget(); }

    std::string name() const override { return "parry"; }

    void prepare(const GroundScene& scene) override {
        forget();
        std::vector<AdapterShape> shapes;
        for (const GroundShape& s : scene.shapes) {
            shapes.push_back(
                {static_cast<std::uint32_t>(s.kind),
                 static_cast<float>(s.radius),
                 {static_cast<float>(s.half.x), static_cast<float>(s.half.y), static_cast<float>(s.half.z)},
                 static_cast<std::uint32_t>(s.points.size()),
                 &s.points[0].x});
        }
        std::vector<Body> bodies;
        for (std::size_t i = 0; i + 1 < scene.bodies.size(); ++i) bodies.push_back(narrow(scene.bodies[i]));
        const Terrain& t = *scene.terrain;
        AdapterScene given{};
        given.shapes = shapes.data();
        given.shape_count = static_cast<std::uint32_t>(shapes.size());
        given.bodies = bodies.data();
        given.body_count = static_cast<std::uint32_t>(bodies.size());
        if (t.field) {
            given.heights = t.heights.data();
            given.samples = t.cells + 1;
            given.cell = static_cast<float>(t.cell);
        } else {
            given.points = &t.points[0].x;
            given.point_count = static_cast<std::uint32_t>(t.points.size());
            given.triangles = t.triangles[0].data();
            given.triangle_count = static_cast<std::uint32_t>(t.triangles.size());
        }
        given.margin = scene.margin;
        ground_ = create_(&given);
        if (ground_ == nullptr) throw std::runtime_error("the adapter refuses a shape or the terrain");
    }

    void run() override { run_(ground_); }

    std::vector<GroundPoint> points(std::size_t body) const override {
        std::uint32_t count = 0;
        const AdapterPoint* const found = points_(ground_, static_cast<std::uint32_t>(body), &count);
        std::vector<GroundPoint> out;
        for (std::uint32_t k = 0; k < count; ++k) {
            const float* const n = found[k].normal;
            out.push_back({to_double(Vec3f{n[0], n[1], n[2]}), static_cast<double>(found[k].separation)});
        }
        return out;
    }

private:
    static Body narrow(const BodyD& body) {
        Body out{};
        for (int k = 0; k < 3; ++k) out.position[k] = static_cast<float>(body.position[k]);
        for (int k = 0; k < 4; ++k) out.orientation[k] = body.orientation[k];
        out.hull = body.hull;
        return out;
    }

    template <class Function>
    void find(const char* name, Function& function) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (function == nullptr) throw std::runtime_error(std::string("the adapter has no ") + name);
    }

    void forget() {
        if (ground_ != nullptr) destroy_(ground_);
        ground_ = nullptr;
    }

    void* library_ = nullptr;
    void* ground_ = nullptr;
    void* (*create_)(const AdapterScene*) = nullptr;
    void (*destroy_)(void*) = nullptr;
    void (*run_)(void*) = nullptr;
    const AdapterPoint* (*points_)(const void*, std::uint32_t, std::uint32_t*) = nullptr;
};

}  // namespace

std::unique_ptr<GroundEngine> make_adapter_ground(const std::string& file) {
    return std::make_unique<AdapterGround>(file);
}

}  // namespace lanefold::bench
