// SPDX-License-Identifier: MIT
//
// The kernels of one instruction set: this file is compiled once per set (cmake/KernelIsa.cmake) and exports
// one table. Every pair takes the float64 path.
#include <cmath>
#include <cstring>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/pose.hpp>

#include "chunk_scratch_impl.hpp"
#include "kernel_tables.hpp"

#define LANEFOLD_CONCAT_(a, b) a##b
#define LANEFOLD_CONCAT(a, b) LANEFOLD_CONCAT_(a, b)

namespace lanefold::detail {
namespace {

bool finite(double x) { return x - x == 0.0; }

// Fields of a strided view may lie at any 4-byte address: read through memcpy.
template <class T>
void read(T* to, const std::byte* base, std::size_t stride, std::size_t index, std::size_t n) {
    std::memcpy(to, base + stride * index, sizeof(T) * n);
}

void read_position(const BodyView& bodies, std::size_t i, double out[3]) {
    if (bodies.position_is_double) {
        read(out, bodies.position, bodies.position_stride, i, 3);
        return;
    }
    float p[3];
    read(p, bodies.position, bodies.position_stride, i, 3);
    for (int k = 0; k < 3; ++k) out[k] = static_cast<double>(p[k]);
}

void prepare_body(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count, std::size_t i,
                  BodyFrame& frame) {
    frame = {};
    double position[3];
    read_position(bodies, i, position);
    float orientation[4];
    read(orientation, bodies.orientation, bodies.orientation_stride, i, 4);
    std::uint32_t hull = 0;
    read(&hull, bodies.hull, bodies.hull_stride, i, 1);
    Quat q;
    if (!finite(position[0]) || !finite(position[1]) || !finite(position[2]) || !normalize(orientation, q)) {
        frame.hull = kFrameBadPose;
        return;
    }
    if (hull >= hull_count) {
        frame.hull = kFrameBadHull;
        return;
    }
    frame.hull = hull;
    const HullRecord& h = hulls[hull];
    Mat3d r = rotation(q);
    const Vec3d offset = r * Vec3d{h.centre[0], h.centre[1], h.centre[2]};
    if ((h.flags & HullRecord::kRotated) != 0) {
        const HullLayout layout = hull_layout(h);
        double m[9];
        std::memcpy(m, h.block + layout.box_rotation, sizeof(m));
        r = r * Mat3d{{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}};
    }
    for (int k = 0; k < 3; ++k) {
        frame.rotation[3 * k] = static_cast<float>(r.row[k].x);
        frame.rotation[3 * k + 1] = static_cast<float>(r.row[k].y);
        frame.rotation[3 * k + 2] = static_cast<float>(r.row[k].z);
        frame.position[k] = static_cast<float>(position[k]);
    }
    const Vec3f o = to_float(offset);
    frame.offset[0] = o.x;
    frame.offset[1] = o.y;
    frame.offset[2] = o.z;
}

void prepare_bodies(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count,
                    const std::uint32_t* indices, std::size_t first, std::size_t last, BodyFrame* frames) {
    for (std::size_t i = first; i < last; ++i) {
        const std::size_t body = indices == nullptr ? i : indices[i];
        if (body < bodies.count) {
            prepare_body(bodies, hulls, hull_count, body, frames[i]);
        } else {
            frames[i] = {};
            frames[i].hull = kFrameBadPose;
        }
    }
}

Status frame_status(const BodyFrame& frame) {
    if (frame.hull == kFrameBadPose) return Status::bad_pose;
    return frame.hull == kFrameBadHull ? Status::bad_hull : Status::ok;
}

Status pair_status(const ChunkJob& job, std::uint32_t i, const BodyFrame*& a, const BodyFrame*& b) {
    const Pair pair = job.pairs[i];
    if (pair.a >= job.bodies->count || pair.b >= job.bodies->count || pair.a == pair.b) return Status::bad_index;
    a = job.frames + (job.frames_per_pair ? 2 * static_cast<std::size_t>(i) : pair.a);
    b = job.frames + (job.frames_per_pair ? 2 * static_cast<std::size_t>(i) + 1 : pair.b);
    const Status status = frame_status(*a);
    return status != Status::ok ? status : frame_status(*b);
}

PrecisePair precise_pair(const ChunkJob& job, std::uint32_t i, const BodyFrame& a, const BodyFrame& b) {
    const Pair pair = job.pairs[i];
    PrecisePair p;
    p.a = job.hulls + a.hull;
    p.b = job.hulls + b.hull;
    read_position(*job.bodies, pair.a, p.position_a);
    read_position(*job.bodies, pair.b, p.position_b);
    read(p.orientation_a, job.bodies->orientation, job.bodies->orientation_stride, pair.a, 4);
    read(p.orientation_b, job.bodies->orientation, job.bodies->orientation_stride, pair.b, 4);
    p.margin = job.pair_margins == nullptr ? job.margin : job.pair_margins[i];
    p.face_preference = job.face_preference;
    p.points = job.points;
    p.index_a = pair.a;
    p.index_b = pair.b;
    return p;
}

void name_pair(const Pair& pair, Manifold4& m) {
    m.pair[0] = pair.a;
    m.pair[1] = pair.b;
}
void name_pair(const Pair& pair, Manifold16& m) {
    m.pair[0] = pair.a;
    m.pair[1] = pair.b;
}
void name_pair(const Pair&, PairDistance&) {}

std::uint64_t point_count(const Manifold4& m) { return m.count; }
std::uint64_t point_count(const Manifold16& m) { return m.count; }
std::uint64_t point_count(const PairDistance&) { return 0; }

template <class Record>
void run(const ChunkJob& job, Record* out, ChunkScratch& scratch, ChunkTotals& totals) {
    for (std::uint32_t i = 0; i < job.count; ++i) {
        const BodyFrame* a = nullptr;
        const BodyFrame* b = nullptr;
        Record record{};
        record.status = pair_status(job, i, a, b);
        if (record.status == Status::ok) {
            collide_precise(precise_pair(job, i, *a, *b), scratch.impl().precise, record);
            ++totals.counters.precise_pairs;
        } else {
            name_pair(job.pairs[i], record);
        }
        const bool touching = record.kind != ContactKind::none;
        const std::uint64_t bit = std::uint64_t{1} << (i % 64);
        if (touching || record.status != Status::ok) job.reported[i / 64] |= bit;
        if (touching && record.distance < 0.0F) {
            job.overlapping[i / 64] |= bit;
            ++totals.overlapping;
        }
        totals.touching += touching ? 1 : 0;
        totals.points += point_count(record);
        ++totals.by_status[static_cast<std::size_t>(record.status)];
        ++totals.by_kind[static_cast<std::size_t>(record.kind)];
        if (out != nullptr && (job.write_unreported || touching || record.status != Status::ok)) out[i] = record;
    }
}

void collide_chunk(const ChunkJob& job, ChunkScratch& scratch, ChunkTotals& totals) {
    for (std::uint32_t w = 0; w < kChunkPairs / 64; ++w) {
        job.reported[w] = 0;
        job.overlapping[w] = 0;
    }
    switch (job.level) {
        case OutputLevel::overlap:
            run<PairDistance>(job, nullptr, scratch, totals);
            break;
        case OutputLevel::distance:
            run(job, static_cast<PairDistance*>(job.out), scratch, totals);
            break;
        case OutputLevel::manifold4:
            run(job, static_cast<Manifold4*>(job.out), scratch, totals);
            break;
        case OutputLevel::manifold16:
            run(job, static_cast<Manifold16*>(job.out), scratch, totals);
            break;
    }
}

}  // namespace

const KernelTable LANEFOLD_CONCAT(kernel_table_, LANEFOLD_KERNEL_ISA) = {Isa::LANEFOLD_KERNEL_ISA, 1, prepare_bodies,
                                                                         collide_chunk};

}  // namespace lanefold::detail
