// SPDX-License-Identifier: MIT
//
// The pattern of each group: which links share a body, in which order they are eliminated, and which entries that
// fills.
#include "solve/link_groups.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include <lanefold/detail/disjoint_sets.hpp>

namespace lanefold::detail {
namespace {

// Products of entries that a group's elimination may take: for each link, and for the group whatever its size. A chain
// takes one per link, a bridge with two chains about ten, a hub of 30 links 300 for each of them.
constexpr std::uint64_t kProductsPerLink = 200;
constexpr std::uint64_t kProducts = 4000;

using Neighbours = std::vector<std::vector<std::uint32_t>>;

// Eliminates nodes in order of their degree, the lowest first among equals: `order` gets the nodes, and what is left of
// `neighbours` of each are its rows. False: that takes more products than `most`.
bool eliminate(Neighbours& neighbours, std::uint64_t most, std::vector<std::uint32_t>& order) {
    std::set<std::pair<std::size_t, std::uint32_t>> queue;
    for (std::uint32_t i = 0; i < neighbours.size(); ++i) queue.emplace(neighbours[i].size(), i);
    std::uint64_t products = 0;
    std::vector<std::uint32_t> merged;
    while (!queue.empty()) {
        const std::uint32_t node = queue.begin()->second;
        queue.erase(queue.begin());
        order.push_back(node);
        const std::vector<std::uint32_t>& rows = neighbours[node];
        products += rows.size() * rows.size();
        if (products > most) return false;
        for (const std::uint32_t i : rows) {
            std::vector<std::uint32_t>& of = neighbours[i];
            queue.erase({of.size(), i});
            merged.clear();
            std::set_union(of.begin(), of.end(), rows.begin(), rows.end(), std::back_inserter(merged));
            std::erase_if(merged, [&](std::uint32_t k) { return k == i || k == node; });
            of.swap(merged);
            queue.emplace(of.size(), i);
        }
    }
    return true;
}

}  // namespace

void LinkGroups::build(std::span<const ConstraintEnds> ends, std::uint32_t no_body) {
    if (std::equal(ends.begin(), ends.end(), ends_.begin(), ends_.end()) && parent_.size() == no_body) return;
    ends_.clear();  // should memory run out, the next step begins anew
    groups.clear();
    slots.clear();
    bodies.clear();
    edges.clear();
    column.assign(1, 0);
    row.clear();
    first_target.assign(1, 0);
    target.clear();
    grouped_.assign(ends.size(), 0);
    parent_.resize(no_body);
    std::iota(parent_.begin(), parent_.end(), 0U);
    body_at_.assign(no_body + std::size_t{1}, 0);
    std::vector<ConstraintEnds> copy(ends.begin(), ends.end());
    for (const ConstraintEnds& e : ends) {
        if (e.points == 0 || e.movable_a == 0 || e.movable_b == 0) continue;
        unite(parent_, e.a, e.b);
    }
    // Links by the root of their bodies, in the order of the first of each.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_root;
    for (std::uint32_t i = 0; i < ends.size(); ++i) {
        const ConstraintEnds& e = ends[i];
        if (e.points != 0) by_root.emplace_back(find_root(parent_, e.movable_a != 0 ? e.a : e.b), i);
    }
    std::sort(by_root.begin(), by_root.end());
    ends_.swap(copy);
    try {
        std::vector<std::uint32_t> links;
        for (std::size_t i = 0; i < by_root.size();) {
            const std::uint32_t root = by_root[i].first;
            links.clear();
            for (; i < by_root.size() && by_root[i].first == root; ++i) links.push_back(by_root[i].second);
            if (!add_group(links)) continue;
            for (const std::uint32_t link : links) grouped_[link] = 1;
        }
        motions.resize(bodies.size());
        poses.resize(slots.size());
        rows.resize(slots.size());
        diagonal.resize(9 * slots.size());
        entry.resize(9 * row.size());
    } catch (...) {
        ends_.clear();
        throw;
    }
}

bool LinkGroups::add_group(std::span<const std::uint32_t> links) {
    const std::uint64_t most = kProducts + kProductsPerLink * links.size();
    // The links at each movable body, as numbers of the group.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> at;
    for (std::uint32_t k = 0; k < links.size(); ++k) {
        const ConstraintEnds& e = ends_[links[k]];
        if (e.movable_a != 0) at.emplace_back(e.a, k);
        if (e.movable_b != 0) at.emplace_back(e.b, k);
    }
    std::sort(at.begin(), at.end());
    Neighbours neighbours(links.size());
    std::uint64_t pairs = 0;
    for (std::size_t i = 0; i < at.size();) {
        std::size_t end = i;
        while (end < at.size() && at[end].first == at[i].first) ++end;
        pairs += (end - i) * (end - i);
        if (pairs > most) return false;
        for (std::size_t p = i; p < end; ++p) {
            for (std::size_t q = i; q < end; ++q) {
                if (p != q) neighbours[at[p].second].push_back(at[q].second);
            }
        }
        i = end;
    }
    for (std::vector<std::uint32_t>& of : neighbours) {
        std::sort(of.begin(), of.end());
        of.erase(std::unique(of.begin(), of.end()), of.end());
    }
    std::vector<std::uint32_t> order;
    if (!eliminate(neighbours, most, order)) return false;

    Group group{};
    group.first = static_cast<std::uint32_t>(slots.size());
    group.first_body = static_cast<std::uint32_t>(bodies.size());
    group.first_edge = static_cast<std::uint32_t>(edges.size());
    group.first_entry = static_cast<std::uint32_t>(row.size());
    std::vector<std::uint32_t> slot_of(links.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) slot_of[order[k]] = group.first + k;
    for (const std::uint32_t node : order) {
        const ConstraintEnds& e = ends_[links[node]];
        LinkSlot slot{};
        slot.link = links[node];
        slot.a = body_of(e.a, e.movable_a != 0, group.first_body);
        slot.b = body_of(e.b, e.movable_b != 0, group.first_body);
        slots.push_back(slot);
        std::vector<std::uint32_t>& later = neighbours[node];
        for (std::uint32_t& r : later) r = slot_of[r];
        std::sort(later.begin(), later.end());
        row.insert(row.end(), later.begin(), later.end());
        column.push_back(static_cast<std::uint32_t>(row.size()));
    }
    group.last = static_cast<std::uint32_t>(slots.size());
    group.last_body = static_cast<std::uint32_t>(bodies.size());
    group.last_entry = static_cast<std::uint32_t>(row.size());
    add_edges(group);
    group.last_edge = static_cast<std::uint32_t>(edges.size());
    add_targets(group);
    groups.push_back(group);
    return true;
}

// The body's place among those of the group; adds it.
std::uint32_t LinkGroups::body_of(std::uint32_t body, bool movable, std::uint32_t first_body) {
    const std::uint32_t at = body_at_[body];
    if (at >= first_body && at < bodies.size() && bodies[at].row == body) return at;
    body_at_[body] = static_cast<std::uint32_t>(bodies.size());
    bodies.push_back({body, movable});
    return body_at_[body];
}

void LinkGroups::add_edges(const Group& group) {
    for (std::uint32_t j = group.first; j < group.last; ++j) {
        for (std::uint32_t e = column[j]; e < column[j + 1]; ++e) {
            const LinkSlot &low = slots[row[e]], &high = slots[j];
            for (int k = 0; k < 4; ++k) {
                const bool low_b = (k & 1) != 0, high_b = (k & 2) != 0;
                const std::uint32_t body = low_b ? low.b : low.a;
                if (body == (high_b ? high.b : high.a) && bodies[body].movable)
                    edges.push_back({e, row[e], j, low_b, high_b});
            }
        }
    }
}

void LinkGroups::add_targets(const Group& group) {
    for (std::uint32_t j = group.first; j < group.last; ++j) {
        for (std::uint32_t q = column[j]; q < column[j + 1]; ++q) {
            target.push_back(row[q] | kDiagonal);
            const auto begin = row.begin() + column[row[q]], end = row.begin() + column[row[q] + 1];
            for (std::uint32_t p = q + 1; p < column[j + 1]; ++p)
                target.push_back(static_cast<std::uint32_t>(std::lower_bound(begin, end, row[p]) - row.begin()));
        }
        first_target.push_back(static_cast<std::uint32_t>(target.size()));
    }
}

}  // namespace lanefold::detail
