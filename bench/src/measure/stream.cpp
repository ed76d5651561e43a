// SPDX-License-Identifier: MIT
//
// See stream.hpp.
#include "measure/stream.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <lanefold/contact_stream.hpp>
#include <lanefold/version.hpp>

#include "measure/lanefold.hpp"

namespace lanefold::bench {
namespace {

class StreamEngine final : public Engine {
public:
    StreamEngine(double margin, float hysteresis, float reuse) : reuse_(reuse) {
        options_.margin = static_cast<float>(margin);
        options_.hysteresis = hysteresis;
        options_.threads = 1;
    }

    EngineInfo info() const override {
        EngineInfo i;
        i.id = "lanefold-stream";
        i.title = "lanefold stream";
        if (options_.hysteresis != 0) {
            i.id += "-hysteresis";
            i.title += ", hysteresis";
        }
        if (reuse_ != 0) {
            i.id += fmt::format("-reuse{:g}", reuse_);
            i.title += fmt::format(", reuse {:g}", reuse_);
        }
        i.version = version();
        i.build = "this build, a kernel for each instruction set";
        i.settings = fmt::format("ContactStream, hysteresis {:g}, reuse {:g}", options_.hysteresis, reuse_);
        i.margin = static_cast<double>(options_.margin);
        i.coherent = true;
        return i;
    }
    bool takes_rounded() const override { return true; }
    std::string prepare(const Scene& scene) override {
        hulls_ = &scene.hulls;
        return "";
    }
    void set_frame(const Frame& frame) override { bodies_ = frame.bodies; }
    void reserve(std::size_t pairs) override { places_.reserve(pairs); }
    void forget() override { stream_.reset(); }

    void collide(std::span<const Pair> pairs) override {
        places_.clear();
        count_ = pairs.size();
        StreamOptions stream;
        stream.reuse = reuse_;
        const StreamResult r = stream_.step(*hulls_, BodyView(bodies_), pairs, options_, {}, stream);
        if (!r.status) throw std::runtime_error(std::string("lanefold refused the step: ") + r.status.what);
    }

    PeerManifold result(std::size_t i) const override {
        if (places_.empty()) {
            places_.assign(count_, kNone);
            for (std::size_t k = 0; k < stream_.candidates().size(); ++k)
                places_[stream_.candidates()[k]] = static_cast<std::uint32_t>(k);
        }
        return places_[i] == kNone ? PeerManifold{} : peer_manifold(stream_.contacts()[places_[i]]);
    }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    Options options_;
    float reuse_;
    const HullSet* hulls_ = nullptr;
    std::span<const Body> bodies_;
    ContactStream<Manifold4> stream_ = ContactStream<Manifold4>(PointMatching::off);
    std::size_t count_ = 0;
    mutable std::vector<std::uint32_t> places_;  // per pair: its record; made when asked for
};

}  // namespace

std::unique_ptr<Engine> make_stream_engine(double margin, float hysteresis, float reuse) {
    return std::make_unique<StreamEngine>(margin, hysteresis, reuse);
}

}  // namespace lanefold::bench
