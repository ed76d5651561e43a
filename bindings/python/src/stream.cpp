// SPDX-License-Identifier: MIT
//
// ContactStream. A step releases the interpreter lock while it computes; its records are copied out, because the next
// step overwrites them.
#include <cstring>
#include <variant>

#include <lanefold/contact_stream.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

class Stream {
public:
    explicit Stream(int capacity) {
        if (capacity == 16) own_.emplace<ContactStream<Manifold16>>(PointMatching::off);
        if (capacity != 4 && capacity != 16) throw nb::value_error("capacity must be 4 or 16");
    }

    nb::dict step(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                  const PairRows& pairs, const nb::dict& settings, float reuse) {
        const BodyView view = view_bodies(position, orientation, hull);
        const std::span<const Pair> list = view_pairs(pairs);
        const Options options = options_of(settings);
        const CallInputs all = inputs_of(settings, list.size());
        const StepInputs inputs{all.pair_margins, all.unmoved, all.stop};
        StreamOptions stream;
        stream.reuse = reuse;
        const Busy busy(busy_, "this ContactStream is in use by another thread");
        StreamResult r;
        {
            const nb::gil_scoped_release release;
            r = std::visit([&](auto& own) { return own.step(hulls, view, list, options, inputs, stream); }, own_);
        }
        nb::dict d = result_dict(r);
        d["records"] = std::visit([](const auto& own) { return own.contacts().size(); }, own_);
        d["new_pairs"] = r.new_pairs;
        d["begun"] = r.begun;
        d["kept"] = r.kept;
        d["ended"] = r.ended;
        d["carried"] = r.carried;
        d["anchored"] = r.anchored;
        return d;
    }

    // Copies the records of the last step.
    void contacts(const Bytes& out) const {
        std::visit(
            [&](const auto& own) {
                const auto records = own.contacts();
                if (out.shape(0) != records.size_bytes())
                    throw nb::value_error("out is not of the size of the records");
                if (!records.empty()) std::memcpy(out.data(), records.data(), records.size_bytes());
            },
            own_);
    }

private:
    std::variant<ContactStream<Manifold4>, ContactStream<Manifold16>> own_{std::in_place_type<ContactStream<Manifold4>>,
                                                                           PointMatching::off};
    bool busy_ = false;
};

}  // namespace

void bind_stream(nb::module_& m) {
    nb::class_<Stream>(m, "Stream").def(nb::init<int>()).def("step", &Stream::step).def("contacts", &Stream::contacts);
}

}  // namespace lanefold::python
