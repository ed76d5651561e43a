// SPDX-License-Identifier: MIT
//
// The bytes of a live page: hulls, poses and contacts of its frames as arrays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "picture/live_page.hpp"

namespace lanefold::tools {

// Named arrays one after the other, each on a multiple of four bytes.
class LiveArrays {
public:
    // `type`: f32, u32, u16, i16 or u8, as bindings/web/page/frames_data.js knows them.
    void add(const char* name, const char* type, std::span<const std::byte> bytes, std::size_t count);
    template <class T>
    void add(const char* name, const char* type, const std::vector<T>& values) {
        add(name, type, std::as_bytes(std::span(values)), values.size());
    }

    const std::vector<std::byte>& bytes() const { return bytes_; }
    const nlohmann::ordered_json& places() const { return places_; }

private:
    std::vector<std::byte> bytes_;
    nlohmann::ordered_json places_ = nlohmann::ordered_json::object();
};

// Bytes that the hulls and a frame take, before base64.
struct LiveSizes {
    std::uint64_t fixed = 0;             // hulls, and data that each body has once
    std::uint64_t exact = 0;             // poses of a frame as float32
    std::uint64_t quantised = 0;         // poses of a frame as 16 bits a number
    std::vector<std::uint64_t> records;  // contacts of each frame
};
LiveSizes live_sizes(const LivePageInput& input);

// Hulls as vertices and triangles, bodies' hulls, masses.
void add_hulls(const LivePageInput& input, LiveArrays& out);

// The origin of poses: zero for float32 positions, which stay as they are.
struct LivePoses {
    std::array<double, 3> origin{};
    std::array<double, 3> low{};   // of quantised positions
    std::array<double, 3> step{};  // of one unit of their 16 bits; 0: as float32
};
LivePoses add_poses(const LivePageInput& input, bool quantise, LiveArrays& out);

struct LiveContacts {
    std::uint64_t records = 0;
    std::uint64_t without_kind = 0;
    double deepest = 0;  // of all points; at least 0
    // At least as deep as 95 of 100 points that overlap; 0 if none does. Colours run up to it: up to the deepest point
    // all others would look alike.
    double usual_depth = 0;
};
LiveContacts add_contacts(const LivePageInput& input, LiveArrays& out);

// Events that begin in the page's frames. Returns how many there are.
std::uint64_t add_events(const LivePageInput& input, const std::array<double, 3>& origin, LiveArrays& out);

}  // namespace lanefold::tools
