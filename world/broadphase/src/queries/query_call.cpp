// SPDX-License-Identifier: MIT
//
// Arguments that all queries have in common, and their workspace.
#include "queries/query_call.hpp"

namespace lanefold {

QueryWorkspace::QueryWorkspace() : impl_(std::make_unique<Impl>()) {}
QueryWorkspace::QueryWorkspace(QueryWorkspace&&) noexcept = default;
QueryWorkspace& QueryWorkspace::operator=(QueryWorkspace&&) noexcept = default;
QueryWorkspace::~QueryWorkspace() = default;

namespace detail {
namespace {

template <class T>
CallStatus check_filter(std::span<const T> filter, std::size_t queries, const char* length, const char* null) {
    if (filter.empty()) return {};
    if (filter.size() != queries) return refuse(length, filter.size());
    return filter.data() == nullptr ? refuse(null, filter.size()) : CallStatus{};
}

}  // namespace

CallStatus check_queries(const QueryOptions& o, std::size_t queries) {
    const CallStatus all[] = {
        check_filter(o.group, queries, "group needs one number for each query, or none",
                     "group is null but has a length"),
        check_filter(o.category, queries, "category needs one number for each query, or none",
                     "category is null but has a length"),
        check_filter(o.collides_with, queries, "collides_with needs one number for each query, or none",
                     "collides_with is null but has a length"),
        check_filter(o.world, queries, "world needs one number for each query, or none",
                     "world is null but has a length")};
    for (const CallStatus& status : all)
        if (!status) return status;
    if (o.category.size() != o.collides_with.size())
        return refuse("category and collides_with need one number each for each query, or none",
                      o.collides_with.size());
    for (std::size_t q = 0; q < o.world.size(); ++q)
        if (o.world[q] < kSharedBody) return refuse("world must be one of the scene's, or kSharedBody", q);
    return {};
}

CallStatus check_shapes(const BodyView& shapes, std::span<Status> statuses) {
    Bytes fields[3];
    if (!statuses.empty() && statuses.size() != shapes.count)
        return refuse("statuses needs one for each shape, or none", statuses.size());
    BodyView others = shapes;  // scales are checked with the hulls that they make
    others.scale = nullptr;
    return check_body_view(others, fields);
}

}  // namespace detail
}  // namespace lanefold
