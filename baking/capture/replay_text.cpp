// SPDX-License-Identifier: MIT
//
// Texts and JSON of `lanefold replay`: a line for a pair that agrees, every stage for one that does not.

#include "capture/replay_text.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>

#include "capture/compare.hpp"
#include "console/printable.hpp"

namespace lanefold::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string row(const char* name, const std::string& text) { return fmt::format("  {:<13} {}\n", name, text); }

std::string vector_text(const Vec3d& v) { return fmt::format("({:.9g}, {:.9g}, {:.9g})", v.x, v.y, v.z); }

std::string contact_text(const Manifold16& m) {
    if (m.status != Status::ok) return fmt::format("status {}", to_string(m.status));
    if (!is_reported(m)) return "apart by more than the margin";
    return fmt::format("{}, distance {:.9g}, {} points", to_string(m.kind), m.distance, m.count);
}

std::string shape_text(const HullSet& hulls, std::uint32_t id) {
    if (const Surface* const surface = hulls.surface(id)) {
        return fmt::format("{} of {} triangles, size {:.9g}", surface->is_height_field() ? "height field" : "surface",
                           surface->triangle_count(), surface->size());
    }
    const HullRecord& hull = hulls[id];
    return fmt::format("hull of {} vertices, {} faces, size {:.9g}{}", hull.vertex_count, hull.face_count, hull.size,
                       hull.is_box() ? ", a box" : "");
}

std::string body_text(const BodyD& body, const HullSet& hulls) {
    const double* const p = body.position;
    const float* const q = body.orientation;
    return fmt::format("{}; position ({:.17g}, {:.17g}, {:.17g}), orientation ({:.9g}, {:.9g}, {:.9g}, {:.9g})",
                       shape_text(hulls, body.hull), p[0], p[1], p[2], q[0], q[1], q[2], q[3]);
}

std::string options_text(const CapturedPair& pair) {
    std::string out =
        fmt::format("margin {}, face preference {}, {}, {}, {} points kept, float{} positions", pair.margin,
                    pair.face_preference, pair.method == ContactMethod::patch ? "patch" : "clip",
                    pair.points == PointSelection::impact ? "points at impact" : "all points", pair.capacity,
                    pair.position_is_double ? 64 : 32);
    if (pair.method == ContactMethod::patch) out += fmt::format(", band {}", pair.patch_band);
    if (pair.previous_capacity > 0) out += fmt::format(", previous record, hysteresis {}", pair.hysteresis);
    return out;
}

std::string title(const CapturedPair& pair, std::size_t i) {
    return fmt::format("pair {}: bodies {} and {} of frame {}", i, pair.bodies.a, pair.bodies.b, pair.frame);
}

// "avx2 = scalar", or where they part.
std::string sets_text(const PairReplay& replay) {
    std::string same;
    std::string other;
    for (const ReplayedRecord& set : replay.sets) {
        if (set.difference.empty()) {
            same += (same.empty() ? "" : ", ") + set.name;
        } else {
            other += fmt::format("; {} DIFFERS in {}", set.name, set.difference);
        }
    }
    return same + (replay.sets.size() > 1 && other.empty() ? ": the same bits" : "") + other;
}

std::string verdict(const PairReplay& replay) {
    std::string out = replay.sets_agree() ? "sets agree" : "SETS DIFFER";
    out += replay.right() ? ", right" : ", WRONG";
    out += replay.as_captured() ? ", as captured" : ", NOT AS CAPTURED";
    return out;
}

std::string stages(const CapturedPair& pair, const Capture& capture, const PairReplay& replay) {
    const ReplayedRecord& first = replay.first();
    const Manifold16& m = first.record;
    std::string out = row("way", way_of(pair, capture, first.counters));
    const bool reported = m.kind != ContactKind::none;
    if (replay.has_oracle) {
        // With a surface the oracle has no distance of what is apart, or where rounding decides whether it touches.
        const std::string oracle =
            std::isfinite(replay.oracle.distance)
                ? fmt::format("oracle {:.9g}{}", replay.oracle.distance, first.of > 1 ? " for the deepest record" : "")
                : std::string("oracle: no clear contact");
        out +=
            row("search",
                (reported ? fmt::format("distance {:.9g}", m.distance) : std::string("apart by more than the margin")) +
                    fmt::format("; {}, error {:.2g} of size (bound 2e-06)", oracle, replay.judgement.distance_error));
    }
    if (reported) {
        out += row("decision", fmt::format("{}; normal {}", features_text(m.kind, m.feature_a, m.feature_b),
                                           vector_text({m.normal[0], m.normal[1], m.normal[2]})));
        if (replay.of_surface && first.of > 1)
            out += row("", fmt::format("record {} of {} of the pair, the deepest first", first.number + 1, first.of));
        if (replay.has_oracle && !replay.of_surface)
            out += row("", "oracle's normal " + vector_text(replay.oracle.normal));
        out += row("clip", fmt::format("{} points", m.total));
        out += row("reduction", fmt::format("{} of {} kept", m.count, m.total));
        for (std::size_t k = 0; k < m.count; ++k) {
            const ContactPoint& p = m.points[k];
            out += row(
                "", fmt::format("{} separation {:.9g} id {}",
                                vector_text({p.position[0], p.position[1], p.position[2]}), p.separation, p.feature));
        }
    }
    return out;
}

Json judged_json(const std::string& wrong) { return wrong.empty() ? Json("right") : Json(wrong); }

std::string record_hash(const Manifold16& record, std::uint32_t capacity) {
    if (capacity == 16) return hash_string(hash_record(record));
    Manifold4 four{};
    std::copy_n(reinterpret_cast<const std::byte*>(&record), sizeof four, reinterpret_cast<std::byte*>(&four));
    return hash_string(hash_record(four));
}

}  // namespace

std::string replay_line(const Capture& capture, std::size_t i, const PairReplay& replay) {
    return fmt::format("{}: {}: {}\n", title(capture.pairs()[i], i), contact_text(replay.first().record),
                       verdict(replay));
}

std::string replay_details(const Capture& capture, std::size_t i, const PairReplay& replay) {
    const CapturedPair& pair = capture.pairs()[i];
    std::string out = fmt::format("{} (hulls {} and {} of the scene)\n", title(pair, i), pair.hulls.a, pair.hulls.b);
    out += row("a", body_text(pair.a, capture.hulls()));
    out += row("b", body_text(pair.b, capture.hulls()));
    out += row("options", options_text(pair));
    if (replay.first().refusal) out += stages(pair, capture, replay);
    out += row("sets", sets_text(replay));
    for (const ReplayedRecord& set : replay.sets) {
        if (!set.wrong.empty()) out += row("", fmt::format("{} is WRONG: {}", set.name, set.wrong));
    }
    if (replay.has_oracle && !replay.of_surface) {
        const ReplayedRecord& precise = replay.precise;
        out += row("float64 path",
                   contact_text(precise.record) + (precise.wrong.empty() ? ", right" : ", WRONG: " + precise.wrong));
    }
    out += row(
        "captured",
        fmt::format("{} by lanefold {} on {}{}{}", contact_text(pair.record), printable(capture.version()),
                    to_string(pair.isa), replay.as_captured() ? "" : "; now another in " + replay.captured_difference,
                    replay.captured_wrong.empty() ? "" : "; captured record is WRONG: " + replay.captured_wrong));
    return out + row("verdict", verdict(replay));
}

Json replay_json(const Capture& capture, std::size_t i, const PairReplay& replay) {
    const CapturedPair& pair = capture.pairs()[i];
    const Manifold16& m = replay.first().record;
    Json sets = Json::array();
    for (const ReplayedRecord& set : replay.sets) {
        sets.push_back({{"isa", set.name},
                        {"hash", record_hash(set.record, pair.capacity)},
                        {"difference", set.difference},
                        {"judge", judged_json(set.wrong)}});
    }
    Json json = {{"pair", i},
                 {"frame", pair.frame},
                 {"bodies", {pair.bodies.a, pair.bodies.b}},
                 {"hulls", {pair.hulls.a, pair.hulls.b}},
                 {"status", to_string(m.status)},
                 {"kind", to_string(m.kind)},
                 {"points", m.count},
                 {"total", m.total},
                 {"features", {m.feature_a, m.feature_b}},
                 {"way", way_of(pair, capture, replay.first().counters)},
                 {"sets", sets},
                 {"sets_agree", replay.sets_agree()},
                 {"right", replay.right()},
                 {"as_captured", replay.as_captured()},
                 {"captured_difference", replay.captured_difference},
                 {"captured_judge", judged_json(replay.captured_wrong)}};
    if (m.kind != ContactKind::none) json["distance"] = m.distance;
    if (replay.of_surface) {
        json["record"] = replay.first().number;
        json["records"] = replay.first().of;
    }
    if (replay.has_oracle) {
        if (std::isfinite(replay.oracle.distance)) json["oracle_distance"] = replay.oracle.distance;
        json["distance_error"] = replay.judgement.distance_error;
        if (!replay.of_surface) json["float64_judge"] = judged_json(replay.precise.wrong);
    }
    return json;
}

}  // namespace lanefold::tools
