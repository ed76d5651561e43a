// SPDX-License-Identifier: MIT
//
// Frames of a scene into a contacts folder. Reading (a thread), search and narrowphase and encoding (a oneTBB pipeline
// in the caller's arena), and writing (threads) overlap; what is in flight is bounded by the plan. A frame goes through
// in pieces of kPiecePairs pairs, whose bytes do not depend on when or where they are computed.
#pragma once

#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include "bake/buffer_pool.hpp"
#include "bake/distribution.hpp"
#include "bake/found_frames.hpp"
#include "bake/frame_runner.hpp"
#include "bake/frame_sink.hpp"
#include "bake/frame_source.hpp"
#include "bake/memory_plan.hpp"
#include "bake/stage_times.hpp"
#include "contacts/records_packer.hpp"
#include "files/content_hash.hpp"
#include "files/uncached_output.hpp"

namespace lanefold::tools {

// The inputs of a bake, and the observers of its progress. Everything outlives the pipeline.
struct BakeContext {
    const Scene& scene;
    const HullSet& hulls;
    const ContactsSettings& settings;
    const Options& options;
    const StopToken& stop;
    oneapi::tbb::task_arena& arena;
    std::optional<ReferenceSettings> reference;
    const ContactsWriter& writer;
    Sync sync = Sync::frame;
    bool resume = false;
    bool overlap = true;  // false: one stage after the other, for measuring
    CaptureRecorder* capture = nullptr;
};

// One after the other, but by several threads.
struct BakeEvents {
    std::function<void(const FrameSummary&)> kept;      // the frame was there already
    std::function<void(const FrameSummary&)> finished;  // computed, and there now
};

template <class M>
class FramePipeline {
public:
    FramePipeline(const BakeContext& context, const MemoryPlan& plan, BakeEvents events)
        : context_(context),
          plan_(plan),
          events_(std::move(events)),
          runner_(context.scene, context.hulls, context.options, context.stop, context.arena, context.reference,
                  context.capture),
          buffers_(plan.buffers, plan.piece_pairs * sizeof(M) + UncachedOutput::kBlock),
          packers_([&context] { return RecordsPacker(context.settings.compression, capacity_of<M>()); }),
          packed_buffers_(plan.tokens + plan.writers,
                          RecordsPacker::most_bytes(plan.piece_pairs * sizeof(M)) + UncachedOutput::kBlock),
          scratch_buffers_(plan.tokens, RecordsPacker::scratch_bytes(context.settings.compression, capacity_of<M>(),
                                                                     plan.piece_pairs * sizeof(M))),
          records_begin_(RecordsWriter::begin_bytes(capacity_of<M>(), context.settings.compression)),
          times_(!context.overlap) {
        if (context.settings.find_pairs)
            found_.emplace(context.scene, context.hulls, context.settings.margin, plan.window);
    }

    // The frames that `numbers` names until it names none. Throws Failure; frames that were finished before are there
    // and whole. If a frame cannot be read, these are all frames before it.
    void run(const std::function<std::optional<std::uint64_t>()>& numbers) {
        FrameSource source(context_.scene, found_ ? StoredPairs::left_out : StoredPairs::read, numbers,
                           context_.overlap ? plan_.frames_ahead : 0);
        FrameSink sink(context_.writer, capacity_of<M>(), context_.sync, context_.overlap ? plan_.writers : 1,
                       events_.finished, !context_.overlap);
        source_ = &source;
        sink_ = &sink;
        const std::size_t tokens = context_.overlap ? plan_.tokens : 1;
        in_flight_ = std::vector<std::optional<Piece>>(tokens);
        taken_ = 0;
        unreadable_ = nullptr;
        const LetGo let_go{*this};
        // A pipeline that fails forgets its tokens, so they own nothing.
        using Token = Piece*;
        namespace tbb = oneapi::tbb;
        context_.arena.execute([&] {
            tbb::parallel_pipeline(
                tokens,
                tbb::make_filter<void, Token>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
                    return next_piece(control);
                }) & tbb::make_filter<Token, Token>(tbb::filter_mode::serial_in_order, [&](Token piece) {
                    return collide_piece(piece);
                }) & tbb::make_filter<Token, Token>(tbb::filter_mode::parallel, [&](Token piece) {
                    return encode(piece);
                }) & tbb::make_filter<Token, void>(tbb::filter_mode::serial_in_order, [&](Token piece) {
                    hand_over(*piece);
                    in_flight_[piece->place].reset();
                }));
        });
        sink.close();
        times_.add(sink.times());
        times_.add(source.times());
        bytes_ += sink.bytes();
        if (unreadable_) std::rethrow_exception(unreadable_);
    }

    // Every process computes pieces of the frame, and rank 0 writes all of them. The file is the same as by run().
    void run_shared(std::uint64_t number, Distribution& distribution) {
        SceneFrame scene;
        {
            const StageClock clock = times_.clock(&StageTimes::read);
            context_.scene.read_frame(number, scene);
        }
        const std::uint64_t input = hash_input(scene);
        const bool writes = distribution.rank() == 0;
        std::optional<FrameSummary> there;
        if (writes && context_.resume) there = context_.writer.finished(number, input, capacity_of<M>());
        if (there) events_.kept(*there);
        if (!distribution.all(!there)) return;
        std::optional<FrameSink> sink;
        if (writes) sink.emplace(context_.writer, capacity_of<M>(), context_.sync, 1, events_.finished);
        sink_ = sink ? &*sink : nullptr;
        Frame frame;
        frame.summary.frame = number;
        const std::uint64_t pieces = (scene.pairs.size() + kPiecePairs - 1) / kPiecePairs;
        distribution.share_pieces(
            pieces, [&](std::uint64_t piece) { return compute_shared(scene, piece); },
            [&](const SharedPiece& piece) { write_shared(frame, piece); });
        if (!writes) return;
        frame.summary.input = input;
        frame.summary.content = frame.content.value();
        sink->end(frame.summary);
        sink->close();
        times_.add(sink->times());
        bytes_ += sink->bytes();
    }

    const StageTimer& times() const { return times_; }
    std::uint64_t bytes() const { return bytes_; }  // of the files of records
    const Counters& counters() const { return counters_; }

private:
    struct Frame {
        std::unique_ptr<SceneFrame> scene;
        std::uint64_t input = 0;
        FrameSummary summary;
        ContentHash content;
        std::uint64_t written = 0;  // bytes of the records of earlier pieces
    };
    struct Piece {
        std::size_t place;  // in in_flight_
        std::shared_ptr<Frame> frame;
        std::span<const Pair> pairs;
        bool first = false;
        bool last = false;
        std::shared_ptr<M[]> records;
        std::size_t written = 0;
        FrameSummary summary;
        std::shared_ptr<std::byte> packed;
        std::size_t packed_bytes = 0;
        StageTimer times;

        Piece(std::size_t at, bool one_by_one) : place(at), times(one_by_one) {}
    };

    // Destroys what a failure leaves: pieces, a frame with some pieces taken, and frames that were searched. They point
    // into the source and must not outlive it.
    struct LetGo {
        FramePipeline& of;
        ~LetGo() {
            of.in_flight_.clear();
            of.frame_.reset();
            if (of.found_) of.found_->clear();
        }
    };

    void throw_if_stopped() const {
        if (context_.stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted");
    }

    Piece* next_piece(oneapi::tbb::flow_control& control) {
        throw_if_stopped();
        if (!frame_ && !next_frame()) {
            control.stop();
            return nullptr;
        }
        const std::span<const Pair> pairs = frame_->scene->pairs;
        // Pieces leave in the order in which they came, and no more than the places at once: this one is free.
        const std::size_t place = taken_++ % in_flight_.size();
        Piece* const piece = &in_flight_[place].emplace(place, !context_.overlap);
        piece->frame = frame_;
        piece->first = begun_ == 0;
        piece->pairs = pairs.subspan(begun_, std::min(kPiecePairs, pairs.size() - begun_));
        begun_ += piece->pairs.size();
        piece->last = begun_ == pairs.size();
        if (piece->last) frame_.reset();
        return piece;
    }

    // Null after the last. A frame that cannot be read ends the run, which throws when the frames before it are there.
    std::unique_ptr<SceneFrame> read_frame() {
        try {
            return found_ ? found_->next(*source_, times_) : source_->next();
        } catch (...) {
            unreadable_ = std::current_exception();
            return nullptr;
        }
    }

    // False after the last. Frames that are there already are passed over.
    bool next_frame() {
        for (;;) {
            throw_if_stopped();
            if (!context_.overlap) sink_->drain();
            std::unique_ptr<SceneFrame> scene = read_frame();
            if (!scene) return false;
            const std::uint64_t input = hash_input(*scene);
            if (context_.resume) {
                if (const auto there = context_.writer.finished(scene->index, input, capacity_of<M>())) {
                    events_.kept(*there);
                    source_->recycle(std::move(scene));
                    continue;
                }
            }
            frame_ = std::shared_ptr<Frame>(new Frame, [source = source_](Frame* done) {
                source->recycle(std::move(done->scene));
                delete done;
            });
            frame_->summary.frame = scene->index;
            frame_->input = input;
            frame_->scene = std::move(scene);
            begun_ = 0;
            return true;
        }
    }

    std::uint64_t hash_input(const SceneFrame& frame) {
        const StageClock clock = times_.clock(&StageTimes::read);
        return Scene::frame_hash(frame, true);
    }

    // The place in the buffer of the bytes that begin at `place` of the file. Bytes that lie in memory as they will in
    // the file, up to whole blocks, need not be copied to be written.
    static std::byte* placed(const std::shared_ptr<std::byte>& buffer, std::uint64_t place) {
        return buffer.get() + place % UncachedOutput::kBlock;
    }

    // The records of the piece's pairs, into a buffer.
    void collide_into(Piece& piece, const SceneFrame& scene, std::uint64_t place) {
        // Room for so many records; the first `written` stay.
        const auto room = [&](std::size_t written, std::size_t records) {
            const std::shared_ptr<std::byte> buffer = buffers_.take(records * sizeof(M) + UncachedOutput::kBlock);
            M* const to = reinterpret_cast<M*>(placed(buffer, place));
            if (written > 0) std::memcpy(to, piece.records.get(), written * sizeof(M));
            piece.records = std::shared_ptr<M[]>(buffer, to);
            return std::span<M>(to, records);
        };
        const std::span<M> usual = room(0, piece.pairs.size());
        const StageClock clock = times_.clock(&StageTimes::narrowphase);
        const auto part = runner_.compact(scene, piece.pairs, usual, room);
        piece.written = part.written;
        piece.summary.add(part.result);
        piece.summary.records = part.written;
        piece.summary.hash = part.result.hash;
        counters_ += part.result.counters;
    }

    Piece* collide_piece(Piece* piece) {
        Frame& frame = *piece->frame;
        collide_into(*piece, *frame.scene, records_begin_ + frame.written);
        frame.written += piece->written * sizeof(M);
        return piece;
    }

    Piece* encode(Piece* piece) {
        const StageClock clock = piece->times.clock(&StageTimes::encode);
        if (context_.settings.select) select(*piece);
        if (packs()) pack(*piece, piece->first ? records_begin_ : 0);
        return piece;
    }

    bool packs() const { return context_.settings.compression != Compression::none; }

    void pack(Piece& piece, std::uint64_t place) {
        const std::span<const std::byte> bytes = std::as_bytes(std::span(piece.records.get(), piece.written));
        const std::shared_ptr<std::byte> buffer =
            packed_buffers_.take(RecordsPacker::most_bytes(bytes.size()) + UncachedOutput::kBlock);
        piece.packed = std::shared_ptr<std::byte>(buffer, placed(buffer, place));
        piece.packed_bytes = pack_into(bytes, piece.packed.get());
    }

    std::size_t pack_into(std::span<const std::byte> records, std::byte* out) {
        const Compression compression = context_.settings.compression;
        const std::shared_ptr<std::byte> scratch =
            is_planes(compression)
                ? scratch_buffers_.take(RecordsPacker::scratch_bytes(compression, capacity_of<M>(), records.size()))
                : nullptr;
        return packers_.local().pack(records, scratch.get(), out);
    }

    SharedPiece compute_shared(const SceneFrame& frame, std::uint64_t number) {
        throw_if_stopped();
        const std::span<const Pair> pairs = frame.pairs;
        const std::size_t first = static_cast<std::size_t>(number) * kPiecePairs;
        Piece piece(0, false);
        piece.pairs = pairs.subspan(first, std::min(kPiecePairs, pairs.size() - first));
        collide_into(piece, frame, 0);
        const StageClock clock = times_.clock(&StageTimes::encode);
        if (context_.settings.select) select(piece);
        const std::span<const std::byte> bytes = std::as_bytes(std::span(piece.records.get(), piece.written));
        return {number, piece.summary, {bytes.begin(), bytes.end()}};
    }

    void write_shared(Frame& frame, const SharedPiece& piece) {
        if (piece.number == 0) sink_->begin(frame.summary.frame);
        auto bytes = std::make_shared<std::vector<std::byte>>(piece.records);
        {
            const StageClock clock = times_.clock(&StageTimes::encode);
            frame.content.add(*bytes);
            frame.summary.add(piece.summary);
            if (packs()) {
                auto packed = std::make_shared<std::vector<std::byte>>(RecordsPacker::most_bytes(bytes->size()));
                packed->resize(pack_into(*bytes, packed->data()));
                bytes = packed;
            }
        }
        sink_->add({*bytes, piece.summary.records, packs(), bytes});
    }

    // Leaves out what is not asked for; the counts are of what is left.
    void select(Piece& piece) const {
        const std::span<M> records(piece.records.get(), piece.written);
        FrameSummary kept;
        kept.pairs = piece.summary.pairs;
        RecordCounter counter(kept);
        std::size_t written = 0;
        for (const M& record : records) {
            if (!is_selected(record, context_.settings)) continue;
            counter.add(record);
            records[written++] = record;
        }
        kept.left_out = piece.summary.touching - kept.touching;
        complete_counts(kept);
        kept.hash = sum_of_hashes<M>(records.first(written));
        piece.written = written;
        piece.summary = kept;
    }

    void hand_over(Piece& piece) {
        Frame& frame = *piece.frame;
        const std::span<const std::byte> bytes = std::as_bytes(std::span(piece.records.get(), piece.written));
        {
            const StageClock clock = piece.times.clock(&StageTimes::encode);
            frame.content.add(bytes);
        }
        times_.add(piece.times);
        frame.summary.add(piece.summary);
        if (piece.first) sink_->begin(frame.summary.frame);
        if (piece.packed) {
            sink_->add({{piece.packed.get(), piece.packed_bytes}, piece.written, true, piece.packed});
        } else {
            sink_->add({bytes, piece.written, false, piece.records});
        }
        piece.records.reset();
        if (!piece.last) return;
        frame.summary.input = frame.input;
        frame.summary.content = frame.content.value();
        sink_->end(frame.summary);
    }

    const BakeContext& context_;
    MemoryPlan plan_;
    BakeEvents events_;
    FrameRunner<M> runner_;
    std::optional<FoundFrames> found_;
    BufferPool buffers_;
    oneapi::tbb::enumerable_thread_specific<RecordsPacker> packers_;
    BufferPool packed_buffers_;
    BufferPool scratch_buffers_;
    std::uint64_t records_begin_;  // bytes of a file before its records
    FrameSource* source_ = nullptr;
    FrameSink* sink_ = nullptr;
    std::vector<std::optional<Piece>> in_flight_;
    std::size_t taken_ = 0;         // pieces that were put there
    std::shared_ptr<Frame> frame_;  // that is being taken apart
    std::size_t begun_ = 0;         // pairs of it
    std::exception_ptr unreadable_;
    StageTimer times_;  // each of them is touched by one stage
    std::uint64_t bytes_ = 0;
    Counters counters_;
};

}  // namespace lanefold::tools
