// SPDX-License-Identifier: MIT
//
// Frames and pieces over the ranks of MPI. Rank 0 works as the others do; a thread of it answers who asks for work.
#pragma once

#include <mpi.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "bake/distribution.hpp"

namespace lanefold::tools {

// Needs MPI_THREAD_MULTIPLE: the thread that answers and the one that asks are not the same.
class MpiDistribution final : public Distribution {
public:
    explicit MpiDistribution(MPI_Comm communicator);
    ~MpiDistribution() override;

    std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
    std::size_t ranks() const override { return static_cast<std::size_t>(ranks_); }
    bool all(bool right) override;
    void begin_frames(std::span<const std::uint64_t> frames) override;
    std::optional<std::uint64_t> next_frame() override;
    void end_frames() override;
    void share_pieces(std::uint64_t pieces, const std::function<SharedPiece(std::uint64_t)>& compute,
                      const std::function<void(const SharedPiece&)>& write) override;

private:
    // Hands out numbers below `count`, none further ahead of what is written than the window; kNone after the last,
    // kWait when the window is full.
    std::uint64_t hand_out();
    std::uint64_t ask();
    void answer_until_all_are_done();
    void start_answering(std::uint64_t count, std::uint64_t window);
    void put(SharedPiece piece);
    void receive(int source, int bytes);
    void flush();
    void work_and_send(const std::function<SharedPiece(std::uint64_t)>& compute);
    void work_and_write(const std::function<SharedPiece(std::uint64_t)>& compute);

    MPI_Comm communicator_ = MPI_COMM_NULL;
    int rank_ = 0;
    int ranks_ = 1;
    std::vector<std::uint64_t> frames_;

    // The state of rank 0.
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t next_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t window_ = 0;
    std::uint64_t written_ = 0;  // pieces
    std::map<std::uint64_t, SharedPiece> arrived_;
    const std::function<void(const SharedPiece&)>* write_ = nullptr;
    std::thread answering_;
};

}  // namespace lanefold::tools
