// SPDX-License-Identifier: MIT
//
// Files of captures: any bytes are refused, or read, written again as they were, and computed without harm. Each input
// is tried as it is and with its size and checksum put right, because otherwise hardly any comes past these.
#include <cstring>
#include <span>
#include <vector>

#include <xxhash.h>

#include <lanefold/capture.hpp>
#include <lanefold/serial.hpp>

#include "fuzz/input.hpp"

namespace {

using namespace lanefold;

constexpr std::size_t kSizeAt = 48;  // of the head
constexpr std::size_t kChecksum = 8;

void compute(const Capture& capture) {
    Workspace workspace;
    for (const CapturedPair& pair : capture.pairs()) {
        Manifold16 out{};
        const BatchResult r =
            collide_pair(capture.hulls(), pair.a, pair.b, pair.options(), out, workspace, pair.inputs());
        fuzz::require(r.status || r.status.code == Status::bad_argument, "a call that neither runs nor is refused");
        fuzz::require(out.count <= Manifold16::kCapacity, "more points than the record holds");
    }
}

void read(const std::vector<std::byte>& bytes) {
    const CaptureResult result = read_capture(bytes);
    if (!result) {
        fuzz::require(result.status.what[0] != '\0' && result.capture.pairs().empty(), "refused without a reason");
        return;
    }
    fuzz::require(result.capture.bytes() == bytes, "other bytes when written again");
    compute(result.capture);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* const first = reinterpret_cast<const std::byte*>(data);
    std::vector<std::byte> bytes(first, first + size);
    read(bytes);
    if (size < kSizeAt + sizeof(std::uint64_t) + kChecksum) return 0;
    const std::uint64_t total = size;
    std::memcpy(bytes.data() + kSizeAt, &total, sizeof total);
    const std::uint64_t hash = XXH64(bytes.data(), size - kChecksum, 0);
    std::memcpy(bytes.data() + size - kChecksum, &hash, sizeof hash);
    read(bytes);
    return 0;
}
