// SPDX-License-Identifier: MIT
//
// Compact calls with certificates of motion in the test's memory. Every certificate is read, whatever its pair was.
// Best faces are certified if the test asks for it.
#pragma once

#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/certificate.hpp>

#include "batch/batch.hpp"
#include "support/batch_scene.hpp"

namespace lanefold::test {

class OwnCertificates {
public:
    explicit OwnCertificates(std::size_t pairs, bool optima = false)
        : pairs_(pairs), optima_(optima), places_(pairs), ask_(pairs, kAsk) {
        all_.reserve(pairs);
        edges_.reserve(pairs);
        std::memset(static_cast<void*>(all_.data()), 0, pairs * sizeof(detail::Certificate));
        for (std::size_t i = 0; i < pairs; ++i) {
            all_[i].hull_a = detail::kNoCertificate;
            places_[i] = static_cast<std::uint32_t>(i);
        }
    }

    std::vector<Manifold4> step(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                const Options& options, CompactResult& r) {
        std::vector<Manifold4> out(pairs.size());
        detail::BatchArguments arguments;
        arguments.hulls = &hulls;
        arguments.bodies = &bodies;
        arguments.pairs = pairs;
        arguments.options = &options;
        arguments.workspace = &workspace_;
        arguments.level = detail::OutputLevel::manifold4;
        arguments.out = out.data();
        arguments.out_count = out.size();
        arguments.compact = true;
        arguments.certificates = {all_.data(), places_.data(), ask_.data(), optima_ ? edges_.data() : nullptr};
        r = detail::run_compact(arguments, executor_);
        EXPECT_TRUE(r.status) << r.status.what;
        out.resize(r.written);
        return out;
    }

    std::vector<Manifold4> step(const BatchScene& scene, CompactResult& r) {
        return step(scene.hulls, scene.view(), scene.pairs, scene.options(), r);
    }

    std::span<detail::Certificate> all() { return {all_.data(), pairs_}; }
    std::span<detail::CertificateEdges> edges() { return {edges_.data(), pairs_}; }

private:
    static constexpr std::uint32_t kAsk = detail::CertificateTable::kAsk;

    std::size_t pairs_;
    bool optima_;
    AlignedBuffer<detail::Certificate> all_;
    AlignedBuffer<detail::CertificateEdges> edges_;
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> ask_;
    Workspace workspace_;
    detail::SerialExecutor executor_;
};

}  // namespace lanefold::test
