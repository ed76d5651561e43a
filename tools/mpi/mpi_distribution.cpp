// SPDX-License-Identifier: MIT
//
// See the header. Three messages: a rank asks for work, rank 0 answers with a number, a rank sends a piece.

#include "mpi/mpi_distribution.hpp"

#include <chrono>
#include <cstring>
#include <type_traits>
#include <utility>

namespace lanefold::tools {
namespace {

constexpr int kAsk = 1;
constexpr int kAnswer = 2;
constexpr int kPiece = 3;

constexpr std::uint64_t kNone = ~std::uint64_t{0};
constexpr std::uint64_t kWait = kNone - 1;

// How often rank 0 looks for messages, and a rank asks again. A piece takes tens of milliseconds.
constexpr std::chrono::microseconds kPoll{200};

// Pieces that may be computed or wait besides the one that is written next, for each rank: 16 or 48 MiB each.
constexpr std::uint64_t kPiecesPerRank = 2;

static_assert(std::is_trivially_copyable_v<FrameSummary>);

}  // namespace

MpiDistribution::MpiDistribution(MPI_Comm communicator) {
    MPI_Comm_dup(communicator, &communicator_);
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &ranks_);
}

MpiDistribution::~MpiDistribution() {
    // Only when a failure comes between: then the caller aborts all ranks.
    if (answering_.joinable()) answering_.detach();
}

bool MpiDistribution::all(bool right) {
    int mine = right ? 1 : 0;
    int together = 0;
    MPI_Allreduce(&mine, &together, 1, MPI_INT, MPI_MIN, communicator_);
    return together == 1;
}

std::uint64_t MpiDistribution::hand_out() {
    const std::lock_guard lock(mutex_);
    if (next_ == count_) return kNone;
    if (next_ >= written_ + window_) return kWait;
    return next_++;
}

std::uint64_t MpiDistribution::ask() {
    for (;;) {
        std::uint64_t number = kNone;
        if (rank_ == 0) {
            number = hand_out();
        } else {
            MPI_Send(nullptr, 0, MPI_BYTE, 0, kAsk, communicator_);
            MPI_Recv(&number, 1, MPI_UINT64_T, 0, kAnswer, communicator_, MPI_STATUS_IGNORE);
        }
        if (number != kWait) return number;
        std::this_thread::sleep_for(kPoll);
    }
}

void MpiDistribution::start_answering(std::uint64_t count, std::uint64_t window) {
    MPI_Barrier(communicator_);
    if (rank_ != 0) return;
    next_ = 0;
    count_ = count;
    window_ = window;
    written_ = 0;
    answering_ = std::thread([this] { answer_until_all_are_done(); });
}

// Until every other rank was told that nothing is left.
void MpiDistribution::answer_until_all_are_done() {
    for (int done = 0; done < ranks_ - 1;) {
        MPI_Status status;
        int there = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_, &there, &status);
        if (there == 0) {
            std::this_thread::sleep_for(kPoll);
            continue;
        }
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        if (status.MPI_TAG == kPiece) {
            receive(status.MPI_SOURCE, bytes);
            continue;
        }
        MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, kAsk, communicator_, MPI_STATUS_IGNORE);
        const std::uint64_t number = hand_out();
        MPI_Send(&number, 1, MPI_UINT64_T, status.MPI_SOURCE, kAnswer, communicator_);
        done += number == kNone ? 1 : 0;
    }
}

void MpiDistribution::begin_frames(std::span<const std::uint64_t> frames) {
    frames_.assign(frames.begin(), frames.end());
    start_answering(frames_.size(), kWait);
}

std::optional<std::uint64_t> MpiDistribution::next_frame() {
    const std::uint64_t number = ask();
    if (number == kNone) return std::nullopt;
    return frames_[static_cast<std::size_t>(number)];
}

void MpiDistribution::end_frames() {
    if (answering_.joinable()) answering_.join();
    MPI_Barrier(communicator_);
}

void MpiDistribution::receive(int source, int bytes) {
    std::vector<std::byte> message(static_cast<std::size_t>(bytes));
    MPI_Recv(message.data(), bytes, MPI_BYTE, source, kPiece, communicator_, MPI_STATUS_IGNORE);
    SharedPiece piece;
    constexpr std::size_t kHead = sizeof piece.number + sizeof piece.summary;
    std::memcpy(&piece.number, message.data(), sizeof piece.number);
    std::memcpy(static_cast<void*>(&piece.summary), message.data() + sizeof piece.number, sizeof piece.summary);
    piece.records.assign(message.begin() + kHead, message.end());
    put(std::move(piece));
}

void MpiDistribution::put(SharedPiece piece) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = piece.number;
    arrived_.emplace(number, std::move(piece));
    changed_.notify_all();
}

void MpiDistribution::share_pieces(std::uint64_t pieces, const std::function<SharedPiece(std::uint64_t)>& compute,
                                   const std::function<void(const SharedPiece&)>& write) {
    start_answering(pieces, kPiecesPerRank * static_cast<std::uint64_t>(ranks_));
    write_ = &write;
    if (rank_ == 0) {
        work_and_write(compute);
    } else {
        work_and_send(compute);
    }
    MPI_Barrier(communicator_);
}

void MpiDistribution::work_and_send(const std::function<SharedPiece(std::uint64_t)>& compute) {
    for (std::uint64_t number = ask(); number != kNone; number = ask()) {
        SharedPiece piece = compute(number);
        piece.number = number;
        std::vector<std::byte> message(sizeof piece.number + sizeof piece.summary + piece.records.size());
        std::memcpy(message.data(), &piece.number, sizeof piece.number);
        std::memcpy(message.data() + sizeof piece.number, &piece.summary, sizeof piece.summary);
        std::memcpy(message.data() + sizeof piece.number + sizeof piece.summary, piece.records.data(),
                    piece.records.size());
        MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0, kPiece, communicator_);
    }
}

// Rank 0 computes between writing; where the window is full, or nothing is left to compute, it waits for what is next.
void MpiDistribution::work_and_write(const std::function<SharedPiece(std::uint64_t)>& compute) {
    while (written_ < count_) {
        const std::uint64_t number = hand_out();
        if (number == kNone || number == kWait) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return arrived_.contains(written_); });
        } else {
            SharedPiece piece = compute(number);
            piece.number = number;
            put(std::move(piece));
        }
        flush();
    }
    answering_.join();
}

// Writes what is next in order.
void MpiDistribution::flush() {
    for (;;) {
        SharedPiece piece;
        {
            const std::lock_guard lock(mutex_);
            const auto next = arrived_.find(written_);
            if (next == arrived_.end()) return;
            piece = std::move(next->second);
            arrived_.erase(next);
        }
        (*write_)(piece);
        const std::lock_guard lock(mutex_);
        ++written_;
    }
}

}  // namespace lanefold::tools
