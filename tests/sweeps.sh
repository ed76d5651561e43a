# SPDX-License-Identifier: MIT
#
# ./dev sweep: campaigns of the tests' own programs at a size of the caller's. Sourced by dev, whose functions and
# variables it takes.
# shellcheck shell=bash

# size OPTION NUMBER DEFAULT WHAT: the number, or the default where there is none.
size() {
    local number=${2:-$3}
    [[ $number =~ ^[1-9][0-9]*$ ]] || fail "$1 takes a number of $4, not '$number'"
    echo "$number"
}

sweep_moving() {
    local steps=$1
    build release batch_certified_optima_test batch_certificate_ends_test kernels_exhaustive_test
    LANEFOLD_PAIR_STEPS=$steps "$programs/batch_certified_optima_test" --gtest_filter='MovingSweep.*' ||
        fail "a step of a stream has other bytes than a cold call"
    LANEFOLD_PAIR_STEPS=$((steps / 5)) "$programs/batch_certificate_ends_test" --gtest_filter='EndsSweep.*' ||
        fail "at the end of a certificate the bytes are not those of a cold call"
    LANEFOLD_PAIR_STEPS=$((steps / 200)) "$programs/kernels_exhaustive_test" ||
        fail "a search left out what an exhaustive one finds"
}

# A process for each core, with seeds of its own. Up to two million pair-steps all distances are the oracle's, of more
# one in 200 and the engine's strict distances, which these are compared with.
sweep_reuse() {
    build release oracle_reuse_sweep_test
    local share=1 k run runs=() seed=${LANEFOLD_SEED:-1}
    (($1 <= 2000000)) || share=200
    for ((k = 0; k < jobs; ++k)); do
        LANEFOLD_SEED=$((seed + 1000 * k)) LANEFOLD_ORACLE_SHARE=${LANEFOLD_ORACLE_SHARE:-$share} \
            LANEFOLD_PAIR_STEPS=$((($1 + jobs - 1) / jobs)) "$programs/oracle_reuse_sweep_test" &
        runs+=($!)
    done
    for run in "${runs[@]}"; do
        wait "$run" || fail "a record of a stream with reuse is off by more than the bound"
    done
}

sweep_energy() {
    build release dynamics_throws_test
    LANEFOLD_THROWS=$1 "$programs/dynamics_throws_test" || fail "a throw gains energy"
}

sweep_impacts() {
    build release dynamics_impacts_test dynamics_seams_test dynamics_passing_test
    LANEFOLD_THROWS=$1 "$programs/dynamics_impacts_test" || fail "an impact is wrong"
    # A flight takes a millisecond: its three kinds fly at the same time.
    local kind run runs=()
    for kind in PlatesStopAll HeadOnAllMeet CornersStrikeWhatTheyMeet; do
        LANEFOLD_THROWS=$1 "$programs/dynamics_passing_test" --gtest_filter="*.$kind" &
        runs+=($!)
    done
    for run in "${runs[@]}"; do wait "$run" || fail "a body passes another"; done
    LANEFOLD_SLIDES=$(($1 / 50)) "$programs/dynamics_seams_test" || fail "a body meets a seam"
}

sweep_ghosts() {
    build release surface_ghost_test surface_judged_test
    LANEFOLD_GHOSTS=$1 "$programs/surface_ghost_test" || fail "a body meets a ghost"
    LANEFOLD_GROUND_BODIES=$(($1 / 500)) "$programs/surface_judged_test" || fail "a record with a surface is wrong"
}

sweep_round() {
    build release round_campaign_test
    LANEFOLD_ROUND_PAIRS=$1 "$programs/round_campaign_test" || fail "a rounded pair is wrong"
}

command_sweep() {
    local programs=$root/build/release/tests number
    need build test
    case ${1-} in
        --moving) number=$(size "$1" "${2-}" 1000000000 pair-steps) && sweep_moving "$number" ;;
        --reuse) number=$(size "$1" "${2-}" 1000000 pair-steps) && sweep_reuse "$number" ;;
        --energy) number=$(size "$1" "${2-}" 50000 "throws of each kind") && sweep_energy "$number" ;;
        --impacts) number=$(size "$1" "${2-}" 50000 "throws of each kind") && sweep_impacts "$number" ;;
        --ghosts) number=$(size "$1" "${2-}" 1000000 placements) && sweep_ghosts "$number" ;;
        --round) number=$(size "$1" "${2-}" 1000000 pairs) && sweep_round "$number" ;;
        *)
            build release oracle_sweep_test contact_patch_sweep_test oracle_thin_sweep_test
            "$root/tests/long_sweep" "$root/build/release" -j "$jobs" "$@"
            ;;
    esac
}
