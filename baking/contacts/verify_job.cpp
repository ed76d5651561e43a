// SPDX-License-Identifier: MIT
//
// Checks frame after frame, and the chosen pairs of a frame in parallel. Records are in pair order, so each pair finds
// its records by position.

#include "contacts/verify_job.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <lanefold/contact_stream.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/pose.hpp>

#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "contacts/io.hpp"
#include "contacts/judge_bodies.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

constexpr std::size_t kExamples = 10;
constexpr std::size_t kBlock = 8192;  // pairs between two checks of the stop token
// SplitMix64 (Steele, Lea and Flood, 2014): the seeded choice of the sample, equal on every machine.
class SplitMix {
public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

private:
    std::uint64_t state_;
};

// `count` different numbers below `total`, ascending. It draws at most total / 2 numbers by rejection: if `count` is
// larger, it draws those that are left out.
std::vector<std::uint64_t> choose(std::uint64_t total, std::uint64_t count, std::uint64_t seed) {
    std::vector<std::uint64_t> chosen;
    SplitMix random(seed);
    const bool invert = count > total / 2;
    const std::uint64_t wanted = invert ? total - count : count;
    while (chosen.size() < wanted) {
        while (chosen.size() < wanted) chosen.push_back(random.next() % total);
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
    if (!invert) return chosen;
    std::vector<std::uint64_t> others;
    others.reserve(count);
    std::size_t skip = 0;
    for (std::uint64_t i = 0; i < total; ++i) {
        if (skip < chosen.size() && chosen[skip] == i) {
            ++skip;
        } else {
            others.push_back(i);
        }
    }
    return others;
}

class Verifier {
public:
    Verifier(const VerifyRequest& request, std::uint32_t threads, const StopToken& stop)
        : request_(request),
          stop_(stop),
          scene_(request.scene),
          contacts_(request.contacts),
          hulls_(scene_.build_hulls(threads)) {
        if (contacts_.settings().find_pairs) finder_.emplace(threads);
        if (contacts_description(scene_, hulls_, contacts_.settings()) != contacts_.description()) {
            throw bad_input("{}: these contacts were not made from the scene {}",
                            (contacts_.folder() / "contacts.json").string(), scene_.folder().string());
        }
        check_reuse();
        select_frames();
        make_oracles();
    }

    VerifyReport run() {
        const std::vector<std::uint64_t> sample = choose_sample();
        Progress progress(request_.progress, "verify", "pairs", request_.sample == 0 ? report_.pairs : sample.size());
        std::uint64_t first = 0;  // number of the frame's first pair among all
        auto next = sample.begin();
        for (const FrameSummary& summary : summaries_) {
            std::vector<std::uint64_t> rows;
            if (request_.sample == 0) {
                rows.resize(summary.pairs);
                std::iota(rows.begin(), rows.end(), std::uint64_t{0});
            } else {
                for (; next != sample.end() && *next < first + summary.pairs; ++next) rows.push_back(*next - first);
            }
            first += summary.pairs;
            if (!rows.empty() || request_.reuse > 0) check_frame(summary, rows, progress);
        }
        return std::move(report_);
    }

private:
    void check_reuse() const {
        const float reuse = request_.reuse;
        if (!(reuse >= 0 && reuse <= kMaxReuse)) throw bad_input("--reuse {}: must be 0 to {}", reuse, kMaxReuse);
        const Method method = contacts_.settings().method;
        if (reuse > 0 && method != Method::clip && method != Method::patch)
            throw bad_input("--reuse: streams have the methods clip and patch, not {}", to_string(method));
    }

    void select_frames() {
        for (const std::uint64_t frame : request_.frames.select(scene_.frames())) {
            if (!std::binary_search(contacts_.frames().begin(), contacts_.frames().end(), frame)) {
                ++report_.missing_frames;
                continue;
            }
            summaries_.push_back(contacts_.summary(frame));
            report_.pairs += summaries_.back().pairs;
        }
        if (summaries_.empty()) throw bad_input("{}: has none of the chosen frames", contacts_.folder().string());
        report_.frames = summaries_.size();
        report_.settings = contacts_.settings();
    }

    void make_oracles() {
        std::vector<Vec3d> numbers;
        if (request_.against_files) numbers = scene_.read_source_vertices();
        shapes_ = make_judged_shapes(hulls_, scene_.hull_offsets(), scene_.hull_vertices(), numbers);
    }

    std::vector<std::uint64_t> choose_sample() const {
        if (request_.sample == 0) return {};
        return choose(report_.pairs, std::min(request_.sample, report_.pairs), request_.seed);
    }

    void check_frame(const FrameSummary& summary, const std::vector<std::uint64_t>& rows, Progress& progress) {
        load(summary);
        for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
            if (stop_.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted");
            const std::size_t count = std::min(kBlock, rows.size() - begin);
            std::vector<reference::Judgement> findings(count);
            oneapi::tbb::parallel_for(std::size_t{0}, count,
                                      [&](std::size_t i) { findings[i] = judge_row(rows[begin + i]); });
            for (std::size_t i = 0; i < count; ++i) collect(summary.frame, rows[begin + i], findings[i]);
            progress.update(report_.checked, {{"violations", "violations", static_cast<double>(report_.violations())}});
        }
    }

    // Reads poses, pairs and records of a frame. Records must be in the order of pairs and children.
    void load(const FrameSummary& summary) {
        scene_.read_frame(summary.frame, frame_);
        const ContactsSettings& settings = contacts_.settings();
        if (settings.find_pairs) find_pairs(*finder_, scene_, hulls_, settings.margin, frame_);
        const std::string name = (contacts_.folder() / frame_file_name(summary.frame, ".npy")).string();
        if (Scene::frame_hash(frame_, true) != summary.input || frame_.pairs.size() != summary.pairs) {
            throw bad_input("{}: made from other poses or pairs than those of frame {} of the scene", name,
                            summary.frame);
        }
        const RecordsReader file = contacts_.open_records(summary.frame, summary);
        if (request_.reuse > 0) {
            if (settings.capacity == 4)
                go_on(stream4_, records4_, name);
            else
                go_on(stream16_, records16_, name);
            return;
        }
        const FrameSummary found = recount(file, summary, settings.capacity);
        if (!(found == summary)) {
            throw Failure(ExitCode::violation, name + ": damaged: the records do not match their summary");
        }
        if (settings.capacity == 4) {
            records4_.resize(summary.records);
            file.read(0, std::span(records4_));
            match_rows(records4_, name);
        } else {
            records16_.resize(summary.records);
            file.read(0, std::span(records16_));
            match_rows(records16_, name);
        }
    }

    // The next step of the stream, whose contacts take the place of the folder's.
    template <class M>
    void go_on(ContactStream<M>& stream, std::vector<M>& records, const std::string& name) {
        StreamOptions reusing;
        reusing.reuse = request_.reuse;
        const StreamResult r =
            stream.step(hulls_, scene_.view(frame_), frame_.pairs, call_options(contacts_.settings()), {}, reusing);
        if (!r.status) throw io_failure("{}: {} {}", name, r.status.what, r.status.where);
        report_.carried += r.carried;
        report_.anchored += r.anchored;
        records.assign(stream.contacts().begin(), stream.contacts().end());
        match_rows(records, name);
    }

    // Row r has the records first_of_row_[r] to first_of_row_[r + 1] - 1.
    template <class M>
    void match_rows(const std::vector<M>& records, const std::string& name) {
        first_of_row_.clear();
        std::size_t next = 0;
        for (const Pair& pair : frame_.pairs) {
            first_of_row_.push_back(next);
            if (next == records.size() || Pair{records[next].pair[0], records[next].pair[1]} != pair) continue;
            const M& first = records[next++];
            while (next < records.size() && RecordCounter::continues(first, records[next - 1], records[next])) ++next;
        }
        first_of_row_.push_back(next);
        if (next == records.size()) return;
        throw Failure(ExitCode::violation,
                      fmt::format("{}: record {}: pair ({}, {}) is not among the candidates in their order", name, next,
                                  records[next].pair[0], records[next].pair[1]));
    }

    reference::Judgement judge_row(std::uint64_t row) const {
        return contacts_.settings().capacity == 16 ? judge_row(row, std::span<const Manifold16>(records16_))
                                                   : judge_row(row, std::span<const Manifold4>(records4_));
    }

    template <class M>
    reference::Judgement judge_row(std::uint64_t row, std::span<const M> records) const {
        const std::span<const M> own = records.subspan(first_of_row_[row], first_of_row_[row + 1] - first_of_row_[row]);
        const Pair pair = frame_.pairs[row];
        const ContactsSettings& settings = contacts_.settings();
        PairSettings how;
        how.margin = settings.margin;
        how.face_preference = settings.face_preference;
        how.points = settings.points;
        how.method = judged(settings.method);
        how.patch_band = settings.band;
        how.feature_angle = settings.feature_angle;
        // A pair that --select leaves out is not missed.
        const bool selected = settings.select && request_.reuse == 0;
        how.margin_unreported = selected ? -settings.select_depth : settings.margin;
        how.complete = !selected;
        how.reuse = request_.reuse;
        reference::Judgement out = judge_bodies(hulls_, shapes_, body(pair.a), body(pair.b), pair, how, own);
        for (const M& record : own) {
            if (selected && !is_selected(record, settings))
                out.violate(reference::Violation::invented, "reported, but not as deep as --select asks");
        }
        return out;
    }

    static reference::JudgedMethod judged(Method method) {
        switch (method) {
            case Method::patch:
                return reference::JudgedMethod::patch;
            case Method::published:
                return reference::JudgedMethod::published;
            case Method::published_literal:
                return reference::JudgedMethod::published_literal;
            case Method::sutherland_hodgman:
                return reference::JudgedMethod::sutherland_hodgman;
            case Method::features:
                return reference::JudgedMethod::features;
            case Method::clip:
                break;
        }
        return reference::JudgedMethod::clip;
    }

    BodyD body(std::uint32_t index) const {
        BodyD out{};
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t at = std::size_t{index} * 3 + i;
            out.position[i] =
                scene_.positions_are_double() ? frame_.position_double[at] : static_cast<double>(frame_.position[at]);
        }
        std::copy_n(&frame_.orientation[std::size_t{index} * 4], 4, out.orientation);
        out.hull = scene_.body_hull()[index];
        return out;
    }

    void collect(std::uint64_t frame, std::uint64_t row, const reference::Judgement& findings) {
        const Pair pair = frame_.pairs[row];
        ++report_.checked;
        report_.touching += findings.touching ? 1U : 0U;
        report_.overlapping += findings.overlapping ? 1U : 0U;
        report_.in_band += findings.in_band ? 1U : 0U;
        report_.reported += first_of_row_[row] != first_of_row_[row + 1] ? 1U : 0U;
        for (std::size_t i = first_of_row_[row]; i < first_of_row_[row + 1]; ++i)
            report_.points += contacts_.settings().capacity == 16 ? records16_[i].count : records4_[i].count;
        const auto worst = [&](Worst& known, double value) {
            known.merge({value, frame, row, pair.a, pair.b, value > 0.0});
        };
        worst(report_.distance, findings.distance_error);
        worst(report_.normal, findings.normal_error);
        worst(report_.surface, findings.surface_error);
        if (findings.violations == 0) return;
        for (std::size_t i = 0; i < reference::kViolationCount; ++i)
            report_.by_violation[i] += findings.violations >> i & 1U;
        if (report_.examples.size() < kExamples) {
            report_.examples.push_back(
                fmt::format("frame {}, row {}, pair ({}, {}): {}", frame, row, pair.a, pair.b, findings.what));
        }
    }

    const VerifyRequest& request_;
    StopToken stop_;
    Scene scene_;
    ContactsReader contacts_;
    HullSet hulls_;
    std::optional<PairFinder> finder_;
    JudgedShapes shapes_;
    std::vector<FrameSummary> summaries_;
    SceneFrame frame_;
    ContactStream<Manifold4> stream4_{PointMatching::off};  // with reuse
    ContactStream<Manifold16> stream16_{PointMatching::off};
    std::vector<Manifold4> records4_;
    std::vector<Manifold16> records16_;
    std::vector<std::size_t> first_of_row_;  // and one more
    VerifyReport report_;
};

}  // namespace

void Worst::merge(const Worst& other) {
    if (other.any && (!any || other.value > value)) *this = other;
}

std::uint64_t VerifyReport::violations() const {
    return std::accumulate(std::begin(by_violation), std::end(by_violation), std::uint64_t{0});
}

VerifyReport run_verify(const VerifyRequest& request, const StopToken& stop) {
    const int threads = thread_count(request.threads);
    const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                            static_cast<std::size_t>(threads));
    oneapi::tbb::task_arena arena(threads);
    return arena.execute([&] { return Verifier(request, static_cast<std::uint32_t>(threads), stop).run(); });
}

}  // namespace lanefold::tools
