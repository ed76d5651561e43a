// SPDX-License-Identifier: MIT
//
// Names of methods.

#include "contacts/method.hpp"

#include "console/failure.hpp"

namespace lanefold::tools {

const char* to_string(Method method) {
    switch (method) {
        case Method::clip:
            return "clip";
        case Method::patch:
            return "patch";
        case Method::published:
            return "published";
        case Method::published_literal:
            return "published-literal";
        case Method::sutherland_hodgman:
            return "sutherland-hodgman";
        case Method::features:
            return "features";
    }
    return "unknown";
}

const char* to_string(PointSelection points) { return points == PointSelection::all ? "all" : "impact"; }

std::string method_names() {
    std::string out;
    for (std::size_t i = 0; i < kMethods.size(); ++i) {
        if (i > 0) out += i + 1 < kMethods.size() ? ", " : " or ";
        out += to_string(kMethods[i]);
    }
    return out;
}

Method parse_method(std::string_view text, std::string_view where) {
    for (const Method method : kMethods) {
        if (text == to_string(method)) return method;
    }
    throw bad_input("{} {}: expected {}", where, text, method_names());
}

PointSelection parse_point_selection(std::string_view text, std::string_view where) {
    for (const PointSelection points : {PointSelection::all, PointSelection::impact}) {
        if (text == to_string(points)) return points;
    }
    throw bad_input("{} {}: expected all or impact", where, text);
}

}  // namespace lanefold::tools
