// SPDX-License-Identifier: MIT
//
// The table of fields: the name of each, and how its number is read from a pair.

#include "capture/condition_fields.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace lanefold::tools {
namespace {

using In = const ConditionInput&;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A number of the record of a pair that has one and whose status is ok.
template <class Get>
double of_contact(In in, const Get& get) {
    if (in.record == nullptr || in.record->status != Status::ok) return kUnknown;
    return static_cast<double>(get(*in.record));
}

double larger(In in) { return static_cast<double>(std::max(in.hull_a->size, in.hull_b->size)); }
double smaller(In in) { return static_cast<double>(std::min(in.hull_a->size, in.hull_b->size)); }
double flag(const HullRecord& hull, std::uint8_t flag) { return (hull.flags & flag) != 0 ? 1 : 0; }

constexpr std::array kFields = {
    Field{"distance", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return r.distance; }); }},
    Field{"depth", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return -r.distance; }); }},
    Field{"points", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return r.count; }); }},
    Field{"total", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return r.total; }); }},
    Field{"normal_x", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return r.normal[0]; }); }},
    Field{"normal_y", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return r.normal[1]; }); }},
    Field{"normal_z", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return r.normal[2]; }); }},
    Field{"feature_a", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return r.feature_a; }); }},
    Field{"feature_b", FieldType::number, [](In in) { return of_contact(in, [](auto& r) { return r.feature_b; }); }},
    Field{"kind", FieldType::kind,
          [](In in) { return in.record == nullptr ? 0.0 : static_cast<double>(in.record->kind); }},
    Field{"status", FieldType::status,
          [](In in) { return in.record == nullptr ? 0.0 : static_cast<double>(in.record->status); }},
    Field{"reported", FieldType::number, [](In in) { return in.record == nullptr ? 0.0 : 1.0; }},
    Field{"a", FieldType::number, [](In in) { return static_cast<double>(in.bodies.a); }},
    Field{"b", FieldType::number, [](In in) { return static_cast<double>(in.bodies.b); }},
    Field{"hull_a", FieldType::number, [](In in) { return static_cast<double>(in.hulls.a); }},
    Field{"hull_b", FieldType::number, [](In in) { return static_cast<double>(in.hulls.b); }},
    Field{"frame", FieldType::number, [](In in) { return static_cast<double>(in.frame); }},
    Field{"size_a", FieldType::number, [](In in) { return static_cast<double>(in.hull_a->size); }},
    Field{"size_b", FieldType::number, [](In in) { return static_cast<double>(in.hull_b->size); }},
    Field{"larger", FieldType::number, larger},
    Field{"smaller", FieldType::number, smaller},
    Field{"ratio", FieldType::number, [](In in) { return larger(in) / smaller(in); }},
    Field{"vertices_a", FieldType::number, [](In in) { return static_cast<double>(in.hull_a->vertex_count); }},
    Field{"vertices_b", FieldType::number, [](In in) { return static_cast<double>(in.hull_b->vertex_count); }},
    Field{"faces_a", FieldType::number, [](In in) { return static_cast<double>(in.hull_a->face_count); }},
    Field{"faces_b", FieldType::number, [](In in) { return static_cast<double>(in.hull_b->face_count); }},
    Field{"box_a", FieldType::number, [](In in) { return flag(*in.hull_a, HullRecord::kBox); }},
    Field{"box_b", FieldType::number, [](In in) { return flag(*in.hull_b, HullRecord::kBox); }},
    Field{"thin_a", FieldType::number, [](In in) { return flag(*in.hull_a, HullRecord::kThin); }},
    Field{"thin_b", FieldType::number, [](In in) { return flag(*in.hull_b, HullRecord::kThin); }},
};

std::size_t count_of(FieldType type) { return type == FieldType::kind ? kContactKindCount : kStatusCount; }

std::string_view name_of(FieldType type, std::size_t i) {
    return type == FieldType::kind ? to_string(static_cast<ContactKind>(i)) : to_string(static_cast<Status>(i));
}

}  // namespace

std::optional<std::uint32_t> find_field(std::string_view name) {
    for (std::uint32_t i = 0; i < kFields.size(); ++i) {
        if (kFields[i].name == name) return i;
    }
    return std::nullopt;
}

const Field& field_at(std::uint32_t index) { return kFields[index]; }

std::size_t field_count() { return kFields.size(); }

std::optional<double> find_value(FieldType type, std::string_view name) {
    for (std::size_t i = 0; i < count_of(type); ++i) {
        if (name_of(type, i) == name) return static_cast<double>(i);
    }
    return std::nullopt;
}

std::string value_names(FieldType type) {
    std::string out;
    for (std::size_t i = 0; i < count_of(type); ++i) {
        if (i > 0) out += ", ";
        out += name_of(type, i);
    }
    return out;
}

}  // namespace lanefold::tools
