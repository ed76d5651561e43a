// SPDX-License-Identifier: MIT
//
// Calls the reentrant Qhull library; see build/qhull.hpp.
#include "hull/qhull.hpp"

#include <climits>
#include <cstdio>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace lanefold::detail {

namespace {

struct CloseFile {
    void operator()(std::FILE* f) const { std::fclose(f); }
};

// Qhull always reports to a FILE. A library must not print, so this one discards its input.
std::unique_ptr<std::FILE, CloseFile> open_null() {
#ifdef _WIN32
    return std::unique_ptr<std::FILE, CloseFile>(std::fopen("NUL", "w"));
#else
    return std::unique_ptr<std::FILE, CloseFile>(std::fopen("/dev/null", "w"));
#endif
}

// Frees Qhull's memory at the end of the call, after errors too.
class Instance {
public:
    // Without a file Qhull's memory functions report to standard error.
    explicit Instance(std::FILE* sink) { qh_zero(&qh_, sink); }
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    ~Instance() {
        qh_.NOerrexit = True;
        qh_freeqhull(&qh_, !qh_ALL);
        int current = 0;
        int total = 0;
        qh_memfreeshort(&qh_, &current, &total);
    }
    qhT* get() { return &qh_; }

private:
    qhT qh_;
};

}  // namespace

std::vector<Triangle> qhull_triangles(std::span<const Vec3d> points, const Vec3d& centre, double scale) {
    if (points.size() > INT_MAX / 4) return {};
    const auto sink = open_null();
    if (!sink) return {};
    std::vector<coordT> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Vec3d& p : points) {
        const Vec3d q = (p - centre) * scale;
        coordinates.insert(coordinates.end(), {q.x, q.y, q.z});
    }
    // Qt: triangulated facets. No joggling, because it moves the points.
    char command[] = "qhull Qt";
    Instance instance(sink.get());
    qhT* qh = instance.get();
    if (qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False, command, sink.get(),
                     sink.get()) != 0) {
        return {};
    }
    std::vector<Triangle> triangles;
    facetT* facet = nullptr;
    FORALLfacets {
        Triangle t{kNone, kNone, kNone};
        std::size_t corners = 0;
        vertexT* vertex = nullptr;
        vertexT** vertexp = nullptr;
        FOREACHvertex_(facet->vertices) {
            if (corners < 3) t[corners] = static_cast<std::uint32_t>(qh_pointid(qh, vertex->point));
            ++corners;
        }
        if (corners != 3) return {};
        for (const std::uint32_t v : t) {
            if (v >= points.size()) return {};
        }
        triangles.push_back(t);
    }
    return triangles;
}

}  // namespace lanefold::detail
