// SPDX-License-Identifier: MIT
//
// Compact calls with certificates of motion in the test's memory. Every certificate is read, whatever its pair was.
// Best faces are certified if the test asks for it.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/aligned_buffer.hpp>

#include "batch/batch.hpp"
#include "coherence/certificate.hpp"
#include "support/batch_scene.hpp"

namespace lanefold::test {

class OwnCertificates {
public:
    explicit OwnCertificates(std::size_t pairs, bool optima = false)
        : pairs_(pairs), of_faces_(optima), places_(pairs), ask_(pairs, kAsk) {
        all_.reserve(pairs);
        optima_.reserve(pairs);
        singles_.reserve(pairs);
        std::memset(static_cast<void*>(all_.data()), 0, pairs * sizeof(detail::Certificate));
        std::memset(static_cast<void*>(optima_.data()), 0, pairs * sizeof(detail::CertifiedOptimum));
        for (std::size_t i = 0; i < pairs; ++i) {
            all_[i].hull_a = detail::kNoCertificate;
            places_[i] = static_cast<std::uint32_t>(i);
        }
    }

    std::vector<Manifold4> step(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                const Options& options, CompactResult& r) {
        std::vector<Manifold4> out(pairs.size());
        detail::BatchArguments arguments =
            detail::arguments_of(hulls, bodies, pairs, options, {}, std::span<Manifold4>(out), workspace_);
        arguments.compact = true;
        arguments.certificates = {all_.data(), places_.data(), ask_.data(), of_faces_ ? optima_.data() : nullptr,
                                  singles_.data()};
        r = detail::run_compact(arguments, executor_);
        EXPECT_TRUE(r.status) << r.status.what;
        out.resize(r.written);
        return out;
    }

    std::vector<Manifold4> step(const BatchScene& scene, CompactResult& r) {
        return step(scene.hulls, scene.view(), scene.pairs, scene.options(), r);
    }

    std::span<detail::Certificate> all() { return {all_.data(), pairs_}; }
    std::span<detail::CertifiedSingle> singles() { return {singles_.data(), pairs_}; }
    std::span<detail::CertifiedOptimum> optima() { return {optima_.data(), pairs_}; }

    // Pairs i and j exchange their certificates.
    void swap(std::size_t i, std::size_t j) {
        std::swap(all_[i], all_[j]);
        std::swap(optima_[i], optima_[j]);
        std::swap(singles_[i], singles_[j]);
    }

    // All certificates, to be put back.
    struct Copy {
        std::vector<detail::Certificate> all;
        std::vector<detail::CertifiedOptimum> optima;
        std::vector<detail::CertifiedSingle> singles;
    };
    Copy copy() const {
        return {{all_.data(), all_.data() + pairs_},
                {optima_.data(), optima_.data() + pairs_},
                {singles_.data(), singles_.data() + pairs_}};
    }
    void put_back(const Copy& from) {
        std::copy(from.all.begin(), from.all.end(), all_.data());
        std::copy(from.optima.begin(), from.optima.end(), optima_.data());
        std::copy(from.singles.begin(), from.singles.end(), singles_.data());
    }

private:
    static constexpr std::uint32_t kAsk = detail::CertificateTable::kAsk;

    std::size_t pairs_;
    bool of_faces_;
    AlignedBuffer<detail::Certificate> all_;
    AlignedBuffer<detail::CertifiedOptimum> optima_;
    AlignedBuffer<detail::CertifiedSingle> singles_;
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> ask_;
    Workspace workspace_;
    detail::SerialExecutor executor_;
};

}  // namespace lanefold::test
