// SPDX-License-Identifier: MIT
//
// Bakes of the library lanefold_baking, and the records of its files. The bake runs on a thread of its own. The thread
// that calls it has the interpreter: it names the frames, tells of progress, and looks for signals.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <lanefold/stop.hpp>

#include "bake/frame_bake.hpp"
#include "console/failure.hpp"
#include "contacts/records_file.hpp"
#include "files/input_file.hpp"
#include "native.hpp"

namespace lanefold::python {

namespace {

// How long a signal waits at most.
constexpr std::chrono::milliseconds kSignals{50};

// A call of FrameBake::make() on a thread of its own.
class Run {
public:
    struct News {
        std::vector<std::pair<std::uint64_t, bool>> frames;  // that are there, and whether they were made
        bool asks = false;                                   // for the next frame
        bool ended = false;
    };

    explicit Run(const tools::FrameBake& bake) : thread_([this, &bake] { work(bake); }) {}
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() {
        stop_.request_stop();
        const nb::gil_scoped_release release;
        answer(std::nullopt);
        thread_.join();
    }

    // Waits for news, but not long.
    News wait() {
        const nb::gil_scoped_release release;
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kSignals, [&] { return !news_.frames.empty() || news_.asks || news_.ended; });
        News news = news_;
        news_.frames.clear();
        return news;
    }

    // The next frame; nothing: no frame comes any more.
    void answer(std::optional<std::uint64_t> frame) {
        const std::lock_guard lock(mutex_);
        news_.asks = false;
        answer_ = frame;
        last_ = !frame;
        changed_.notify_all();
    }

    void request_stop() { stop_.request_stop(); }
    // Throws what the bake threw. It has ended.
    void check() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    void work(const tools::FrameBake& bake) {
        std::exception_ptr failure;
        try {
            bake.make([this] { return next(); }, [this](std::uint64_t frame, bool made) { tell(frame, made); },
                      StopToken(stop_));
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        failure_ = failure;
        news_.ended = true;
        changed_.notify_all();
    }

    std::optional<std::uint64_t> next() {
        std::unique_lock lock(mutex_);
        if (last_) return std::nullopt;
        news_.asks = true;
        changed_.notify_all();
        changed_.wait(lock, [&] { return !news_.asks; });
        return answer_;
    }

    void tell(std::uint64_t frame, bool made) {
        const std::lock_guard lock(mutex_);
        news_.frames.emplace_back(frame, made);
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    News news_;
    std::optional<std::uint64_t> answer_;
    bool last_ = false;
    StopFlag stop_;
    std::exception_ptr failure_;
    std::thread thread_;
};

std::optional<std::uint64_t> next_of(const nb::object& numbers) {
    const nb::object number = nb::steal(PyIter_Next(numbers.ptr()));
    if (number.is_valid()) return nb::cast<std::uint64_t>(number);
    if (PyErr_Occurred() != nullptr) nb::raise_python_error();
    return std::nullopt;
}

// numbers: an iterator over frames of the scene. Returns those that were made, in its order. If it raises an
// exception, the frames before it are made first; other exceptions (KeyboardInterrupt) and those of `progress` stop the
// bake.
std::vector<std::uint64_t> make(const tools::FrameBake& bake, const nb::object& numbers, const nb::object& progress) {
    std::vector<std::uint64_t> order;
    std::unordered_set<std::uint64_t> made;
    std::exception_ptr error;
    bool stopped = false;
    Run run(bake);
    const auto attempt = [&](bool stops, const auto& call) {
        try {
            call();
        } catch (const nb::python_error& raised) {
            error = std::current_exception();
            if (!stops && raised.matches(PyExc_Exception)) return;
            stopped = true;
            run.request_stop();
        }
    };
    for (bool ended = false; !ended;) {
        const Run::News news = run.wait();
        ended = news.ended;
        if (!stopped) {
            attempt(true, [&] {
                if (PyErr_CheckSignals() != 0) nb::raise_python_error();
                for (const auto& [frame, now] : news.frames) {
                    if (now) made.insert(frame);
                    if (!progress.is_none()) progress(frame, now);
                }
            });
        }
        if (!news.asks) continue;
        std::optional<std::uint64_t> next;
        if (!error) attempt(false, [&] { next = next_of(numbers); });
        if (next) order.push_back(*next);
        run.answer(next);
    }
    if (error) std::rethrow_exception(error);
    run.check();
    std::erase_if(order, [&](std::uint64_t frame) { return made.erase(frame) == 0; });
    return order;
}

// The words were checked by the Python file.
tools::ContactsSettings settings_of(const nb::dict& options) {
    const auto of = [&](const char* name) { return nb::object(options[name]); };
    const auto text = [&](const char* name) { return nb::cast<std::string>(of(name)); };
    tools::ContactsSettings settings;
    settings.margin = float_of(of("margin"), "margin");
    settings.face_preference = float_of(of("face_preference"), "face_preference");
    settings.capacity = count_of(of("capacity"), "capacity");
    settings.method = tools::parse_method(text("method"), "method");
    settings.points = tools::parse_point_selection(text("points"), "points");
    settings.find_pairs = nb::cast<bool>(of("find_pairs"));
    settings.select = !of("select").is_none();
    if (settings.select) settings.select_depth = float_of(of("select"), "select");
    settings.compression = tools::parse_compression(text("compress")).value();
    return settings;
}

void open(tools::FrameBake* self, const std::string& scene, const std::string& contacts, const nb::dict& options) {
    const tools::ContactsSettings settings = settings_of(options);
    const std::uint32_t threads = count_of(nb::object(options["threads"]), "threads");
    const bool synced = nb::cast<std::string>(nb::object(options["sync"])) == "frame";
    const nb::gil_scoped_release release;
    new (self) tools::FrameBake(scene, contacts, settings, threads, synced ? tools::Sync::frame : tools::Sync::none);
}

std::vector<std::vector<std::uint64_t>> shards(const tools::FrameBake& bake, std::uint64_t count) {
    const nb::gil_scoped_release release;
    return bake.shards(count);
}

// The records of a file of a frame, in new memory.
nb::object read_records(const std::string& path, std::uint32_t capacity) {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
    {
        const nb::gil_scoped_release release;
        const tools::RecordsReader reader(path, capacity);
        size = static_cast<std::size_t>(reader.length() * tools::record_bytes(capacity));
        bytes = std::make_unique_for_overwrite<std::byte[]>(size);
        reader.read(0, std::span(bytes.get(), size));
    }
    auto* const data = reinterpret_cast<std::uint8_t*>(bytes.get());
    const nb::capsule owner(bytes.release(), [](void* p) noexcept { delete[] static_cast<std::byte*>(p); });
    return nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {size}, owner).cast();
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const tools::NotThere& failure) {
        PyErr_SetString(PyExc_FileNotFoundError, failure.what());
    } catch (const tools::Failure& failure) {
        PyErr_SetString(failure.code() == tools::ExitCode::interrupted ? PyExc_OSError : PyExc_ValueError,
                        failure.what());
    }
}

}  // namespace

void bind_bake(nb::module_& m) {
    nb::register_exception_translator(&translate);
    nb::class_<tools::FrameBake>(m, "NativeBake")
        .def("__init__", &open, nb::arg("scene"), nb::arg("contacts"), nb::arg("options"))
        .def_prop_ro("note", [](const tools::FrameBake& bake) { return bake.inputs().note; })
        .def("shards", &shards, nb::arg("count"))
        .def("make", &make, nb::arg("numbers"), nb::arg("progress").none());
    m.def("read_records", &read_records, nb::arg("path"), nb::arg("capacity"),
          "The records of a file of a frame, as bytes.");
}

}  // namespace lanefold::python
