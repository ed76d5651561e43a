#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# A fall on rough ground with its events: fall.sh PROGRAM FOLDER [BODIES]. FOLDER gets the scene (fall), its events
# (events, events.jsonl), a picture of them (events.svg), and, if LANEFOLD_PAGE names the live page of ./dev page, the
# fall with its events as a page (fall.html). The same bytes on every machine.
set -euo pipefail

lanefold=$1
folder=$2
bodies=${3:-150}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

mkdir -p "$folder"
"$lanefold" generate terrain "$folder/start" --bodies "$bodies" --cells 32 --seed 56
"$lanefold" simulate "$folder/start" -o "$folder/fall" --steps 480 --rate 240 --every 10 --restitution 0.3 --no-pairs \
    --events "$folder/events" --progress none
"$lanefold" export "$folder/fall" "$folder/events" -o "$folder/events.jsonl"
python3 "$here/draw_events.py" "$folder/events.jsonl" "$folder/events.svg"
if [[ -n ${LANEFOLD_PAGE:-} ]]; then
    "$lanefold" view "$folder/fall" --events "$folder/events" -o "$folder/fall.html"
fi
