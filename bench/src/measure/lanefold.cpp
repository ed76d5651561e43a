// SPDX-License-Identifier: MIT
//
// lanefold as an engine of the benchmark.
#include "measure/lanefold.hpp"

#include <algorithm>
#include <stdexcept>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/version.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace lanefold::bench {
namespace {

class Lanefold final : public LanefoldEngine {
public:
    explicit Lanefold(const LanefoldSettings& settings)
        : settings_(settings), arena_(static_cast<int>(settings.threads)) {
        options_.margin = static_cast<float>(settings.margin);
        options_.face_preference = static_cast<float>(settings.face_preference);
        options_.isa = settings.isa;
        options_.threads = settings.threads;
        options_.method = settings.method;
        options_.points = settings.points;
    }

    EngineInfo info() const override {
        const Isa chosen = choose_isa(Isa::automatic).isa;
        const Isa isa = settings_.isa == Isa::automatic ? chosen : settings_.isa;
        const bool patch = settings_.method == ContactMethod::patch;
        EngineInfo i;
        i.id = "lanefold";
        i.title = "lanefold";
        // One name for one setting: the instruction set that is chosen anyway has no name of its own.
        if (isa != chosen) {
            i.id += std::string("-") + lanefold::to_string(isa);
            i.title += std::string(" ") + lanefold::to_string(isa);
        }
        if (settings_.face_preference == 0) {
            i.id += "-strict";
            i.title += ", strict normal";
        }
        if (patch) {
            i.id += "-patch";
            i.title += ", support patches";
        }
        if (settings_.points == PointSelection::impact) {
            i.id += "-impact";
            i.title += ", points at impact";
        }
        if (settings_.output != OutputForm::dense) {
            i.id += std::string("-") + to_string(settings_.output);
            i.title += std::string(", ") + to_string(settings_.output);
        }
        if (settings_.memory == Memory::hysteresis) {
            i.id += "-hysteresis";
            i.title += ", hysteresis";
        }
        if (settings_.memory == Memory::unmoved) {
            i.id += "-unmoved";
            i.title += ", bodies marked unmoved";
        }
        if (settings_.memory == Memory::cache) {
            i.id += "-warm";
            i.title += ", warm cache";
        }
        i.coherent = settings_.memory != Memory::none;
        if (settings_.threads != 1) {
            i.id += "-t" + std::to_string(settings_.threads);
            i.title += ", " + std::to_string(settings_.threads) + " threads";
        }
        i.version = version();
        i.build = "this build, a kernel for each instruction set";
        i.settings = std::string("isa ") + lanefold::to_string(isa) + ", output " + to_string(settings_.output) +
                     ", face preference " + std::to_string(settings_.face_preference).substr(0, 5) + ", threads " +
                     std::to_string(settings_.threads) + (patch ? ", method patch" : ", method clip") + ", keeps " +
                     to_string(settings_.memory);
        i.margin = settings_.margin;
        return i;
    }

    const LanefoldSettings& settings() const override { return settings_; }
    const BatchResult& last() const override { return last_; }

    bool takes_rounded() const override { return true; }

    std::string prepare(const Scene& scene) override {
        hulls_ = &scene.hulls;
        workspace_ = Workspace();
        return is_available(settings_.isa) || settings_.isa == Isa::automatic ? "" : "instruction set not available";
    }

    void set_frame(const Frame& frame) override {
        bodies_ = frame.bodies;
        marks_.assign(bodies_.size(), 1);
        standing_ = {};
    }

    void reserve(std::size_t pairs) override {
        if (settings_.output == OutputForm::dense || settings_.output == OutputForm::compact) {
            manifolds_.reserve(pairs);
            if (keeps_previous()) previous_.reserve(pairs);
            forget();
        } else if (settings_.output == OutputForm::distance) {
            distances_.resize(pairs);
        } else {
            bits_.resize((pairs + 63) / 64);
        }
    }

    void forget() override {
        kept_ = 0;
        written_ = 0;
        standing_ = {};
        cache_.clear();
    }

    void collide(std::span<const Pair> pairs) override {
        pairs_ = pairs;
        if (keeps_previous()) {
            std::swap(manifolds_, previous_);
            kept_ = written_;
            const std::span<const Manifold4> kept(previous_.data(), kept_);
            inputs_.previous = {};
            if (settings_.output == OutputForm::compact) {
                inputs_.previous = PreviousContacts::compact(kept);
            } else if (kept_ == pairs.size()) {
                inputs_.previous = PreviousContacts::dense(kept);
            }
            written_ = pairs.size();
        }
        if (settings_.memory == Memory::unmoved) {
            const bool same = standing_.data() == pairs.data() && standing_.size() == pairs.size();
            inputs_.unmoved = same ? std::span<const std::uint8_t>(marks_) : std::span<const std::uint8_t>();
            standing_ = pairs;
        }
        if (settings_.memory == Memory::cache) {
            cache_.resize(pairs.size());
            inputs_.cache = cache_;
        }
        arena_.execute([&] { run(pairs, options_); });
        if (!last_.status) throw std::runtime_error(std::string("lanefold refused the call: ") + last_.status.what);
    }

    std::uint64_t hash(std::span<const Pair> pairs) override {
        if (settings_.output != OutputForm::dense) return 0;
        Options hashed = options_;
        hashed.hash = true;
        arena_.execute([&] { run(pairs, hashed); });
        return last_.hash;
    }

    PeerManifold result(std::size_t i) const override {
        PeerManifold out{};
        switch (settings_.output) {
            case OutputForm::dense:
                return peer_manifold(manifolds_[i]);
            case OutputForm::compact:
                return peer_manifold(find_compact(i));
            case OutputForm::distance:
                out.count = distances_[i].kind != ContactKind::none ? 1 : 0;
                out.distance = distances_[i].distance;
                std::copy_n(distances_[i].normal, 3, out.normal);
                return out;
            case OutputForm::overlap:
                break;
        }
        out.count = static_cast<std::uint32_t>((bits_[i / 64] >> (i % 64)) & 1U);
        return out;
    }

private:
    // Dense records of unmoved bodies stand where they are.
    bool keeps_previous() const {
        return settings_.memory == Memory::hysteresis ||
               (settings_.memory == Memory::unmoved && settings_.output == OutputForm::compact);
    }

    void run(std::span<const Pair> pairs, const Options& options) {
        const BodyView view{std::span<const Body>(bodies_)};
        const std::size_t n = pairs.size();
        switch (settings_.output) {
            case OutputForm::dense:
                last_ = lanefold::collide(*hulls_, view, pairs, options, std::span(manifolds_.data(), n), workspace_,
                                          inputs_);
                break;
            case OutputForm::compact: {
                const CompactResult r = collide_compact(*hulls_, view, pairs, options, std::span(manifolds_.data(), n),
                                                        workspace_, inputs_);
                last_ = r;
                written_ = r.written;
                break;
            }
            case OutputForm::distance:
                last_ = lanefold::collide(*hulls_, view, pairs, options, std::span(distances_).first(n), workspace_,
                                          inputs_);
                break;
            case OutputForm::overlap:
                last_ = collide_overlap(*hulls_, view, pairs, options, std::span(bits_).first((n + 63) / 64),
                                        workspace_, inputs_);
                break;
        }
    }

    // The record of pair i, or one without contact. Records are in pair order. Equal pairs have equal records, so the
    // first match is right.
    Manifold4 find_compact(std::size_t i) const {
        for (std::size_t k = 0; k < written_; ++k) {
            if (manifolds_[k].pair[0] == pairs_[i].a && manifolds_[k].pair[1] == pairs_[i].b) return manifolds_[k];
        }
        return Manifold4{};
    }

    LanefoldSettings settings_;
    Options options_;
    CallInputs inputs_;
    tbb::task_arena arena_;
    const HullSet* hulls_ = nullptr;
    Workspace workspace_;
    std::span<const Body> bodies_;
    std::span<const Pair> pairs_;
    AlignedBuffer<Manifold4> manifolds_;  // on cache lines: large outputs are written past the caches
    AlignedBuffer<Manifold4> previous_;   // records of the call before, with Memory::hysteresis
    std::size_t kept_ = 0;                // records in previous_
    std::vector<std::uint8_t> marks_;     // one per body: unmoved
    std::span<const Pair> standing_;      // the pairs whose records are in manifolds_
    std::vector<PairCache> cache_;        // entries of the call before, with Memory::cache
    std::vector<PairDistance> distances_;
    std::vector<std::uint64_t> bits_;
    std::uint64_t written_ = 0;
    BatchResult last_;
};

}  // namespace

const char* to_string(Memory memory) {
    const char* const names[] = {"nothing", "records against flicker", "records of unmoved bodies", "pair cache"};
    return names[static_cast<int>(memory)];
}

PeerManifold peer_manifold(const Manifold4& m) {
    PeerManifold out{};
    out.count = m.count;
    out.distance = m.distance;
    std::copy_n(m.normal, 3, out.normal);
    for (std::size_t k = 0; k < m.count; ++k) {
        std::copy_n(m.points[k].position, 3, out.points[k].position);
        out.points[k].separation = m.points[k].separation;
    }
    return out;
}

const char* to_string(OutputForm form) {
    const char* const names[] = {"dense", "compact", "distance", "overlap"};
    return names[static_cast<int>(form)];
}

OutputForm parse_output_form(const std::string& name) {
    for (const OutputForm f : {OutputForm::dense, OutputForm::compact, OutputForm::distance, OutputForm::overlap}) {
        if (name == to_string(f)) return f;
    }
    throw std::runtime_error("unknown output form " + name + ": dense, compact, distance or overlap");
}

void start_threads() {
    tbb::task_arena all;
    all.execute([] { tbb::parallel_for(0, 1000, [](int) {}); });
}

std::unique_ptr<LanefoldEngine> make_lanefold(const LanefoldSettings& settings) {
    return std::make_unique<Lanefold>(settings);
}

}  // namespace lanefold::bench
