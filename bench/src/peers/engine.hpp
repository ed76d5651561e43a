// SPDX-License-Identifier: MIT
//
// The interface of all engines in the benchmark: lanefold and its installed peers. An engine gets the scene's hulls
// once. It gets the poses of a frame before its clock starts and converts them to its own form, which a simulation
// would already have. Then it collides pairs while the clock runs, and keeps one record a pair. Reading the records is
// not timed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace lanefold::bench {

struct EngineInfo {
    std::string id;        // "bullet-sat": for --engines and files
    std::string title;     // for tables
    std::string version;   // of the installed package
    std::string settings;  // everything on which its result depends
    std::string build;     // who compiled it, for which processors
    double margin = 0;     // contacts reported up to this distance, metres
    std::string precision = "float32";
    int max_points = 4;
    bool coherent = false;  // keeps data per pair from one call to the next
    bool rounded = false;   // rounds the given shapes on purpose
};

// An engine's result for a pair. World axes, normal from a to b, distance negative when overlapping.
struct PeerManifold {
    float normal[3];
    float distance;
    std::uint32_t count;  // points found; 0: not in contact
    struct Point {
        float position[3];
        float separation;
    } points[4];
};

class Engine {
public:
    virtual ~Engine() = default;
    virtual EngineInfo info() const = 0;

    // Whether it takes spheres, capsules, rounded hulls and half-spaces. Otherwise prepare() gets none.
    virtual bool takes_rounded() const { return false; }

    // Empty when the engine takes the scene, otherwise the reason. The scene must outlive the engine.
    virtual std::string prepare(const Scene& scene) = 0;

    // Poses of a frame; not timed.
    virtual void set_frame(const Frame& frame) = 0;

    // Timed. `pairs` index the frame's bodies. There are never more pairs than reserve() was called with.
    virtual void collide(std::span<const Pair> pairs) = 0;
    virtual void reserve(std::size_t pairs) = 0;

    // The result of the last collide() for pairs[i]; not timed.
    virtual PeerManifold result(std::size_t i) const = 0;

    // Forgets the data per pair (coherent engines).
    virtual void forget() {}
};

// An engine that writes PeerManifold records: every engine except lanefold.
class RecordingEngine : public Engine {
public:
    void reserve(std::size_t pairs) override {
        own_.resize(pairs);
        records_ = own_.data();
    }
    // Instead of reserve(): collide() writes to the caller's memory.
    void record_into(PeerManifold* records) { records_ = records; }
    PeerManifold result(std::size_t i) const override { return records_[i]; }

protected:
    PeerManifold* records_ = nullptr;

private:
    std::vector<PeerManifold> own_;
};

using EngineList = std::vector<std::unique_ptr<Engine>>;

// Each function appends the variants of an engine. It is defined if CMake found the package, or in an adapter.
void add_bullet(EngineList& list);
void add_fcl(EngineList& list);
void add_ccd(EngineList& list);
void add_ode(EngineList& list);
void add_mujoco(EngineList& list);
void add_box3d(EngineList& list);
void add_jolt(EngineList& list);
void add_coal(EngineList& list);
void add_physx(EngineList& list);

// All of the above that this build has.
EngineList make_peers();

// Adds the engines of a shared library that follows bench/adapters/adapter.h. One with the id of an engine of the list
// takes its place. Throws std::runtime_error if the file is no adapter, or follows another version.
void add_adapter(EngineList& list, const std::string& file);

}  // namespace lanefold::bench
