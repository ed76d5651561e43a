# SPDX-License-Identifier: MIT
"""Events folders, as the columns of the program."""

import json

import numpy as np
import pytest

import lanefold


def write(folder, events=2, impulses="exact, of the solver"):
    folder.mkdir()
    settings = {"rate": 24, "touch": 0, "release": 0.005, "bounces": False, "impulses": impulses}
    header = {"format": "lanefold-events", "version": 1, "settings": settings, "inputs": {"bodies": 3}}
    (folder / "events.json").write_text(json.dumps(header))
    (folder / "bodies.json").write_text(json.dumps({"movable": [1, 1, 0], "names": ["a", "b", "floor"]}))
    (folder / "events_summary.json").write_text(json.dumps({"events": events}))
    np.save(folder / "begin.npy", np.float64([12, 36][:events]))
    np.save(folder / "end.npy", np.float64([18, 36.5][:events]))
    for name in ("place", "normal"):
        np.save(folder / f"{name}.npy", np.zeros((events, 3), np.float64 if name == "place" else np.float32))
    for name in ("closing_speed", "sliding_speed", "impulse", "impulse_peak", "impulse_sum", "slip"):
        np.save(folder / f"{name}.npy", np.arange(events, dtype=np.float32))
    for name in ("pair", "group"):
        np.save(folder / f"{name}.npy", np.tile(np.uint32([0, 2]), (events, 1)))
    np.save(folder / "flags.npy", np.uint8([1, 4][:events]))


def test_columns_of_a_folder(tmp_path):
    write(tmp_path / "events")
    events = lanefold.Events(tmp_path / "events")
    assert len(events) == 2 and events.rate == 24 and events.impulses == "exact, of the solver"
    assert events.seconds().tolist() == [[0.5, 0.75], [1.5, 36.5 / 24]]
    assert events.has("between").tolist() == [False, True] and events.has("touched_before").tolist() == [True, False]
    assert events.names == ["a", "b", "floor"] and events.movable.tolist() == [True, True, False]
    assert events.closing_speed.tolist() == [0, 1] and events.pair[1].tolist() == [0, 2]
    with pytest.raises(ValueError, match="flag must be one of touched_before, lasts, .* it is 'loud'"):
        events.has("loud")


def test_bodies_that_do_not_fit_are_refused(tmp_path):
    write(tmp_path / "events")
    np.save(tmp_path / "events" / "pair.npy", np.uint32([[0, 2], [1, 3]]))
    with pytest.raises(ValueError, match="pair.npy: an event has body 3; there are 3"):
        lanefold.Events(tmp_path / "events")
    for lists in ({"movable": [1, 1]}, {"movable": [1, 1, 0], "names": ["a", "b"]}):
        (tmp_path / "events" / "bodies.json").write_text(json.dumps(lists))
        with pytest.raises(ValueError, match="bodies.json: a list has not one element for each of the 3 bodies"):
            lanefold.Events(tmp_path / "events")


def test_what_is_no_folder_of_events_is_refused(tmp_path):
    write(tmp_path / "events")
    np.save(tmp_path / "events" / "slip.npy", np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="slip.npy: expected float32"):
        lanefold.Events(tmp_path / "events")
    (tmp_path / "events" / "events_summary.json").unlink()
    with pytest.raises(ValueError, match="not joined yet"):
        lanefold.Events(tmp_path / "events")
    (tmp_path / "events" / "events.json").write_text("{}")
    with pytest.raises(ValueError, match="not a lanefold-events"):
        lanefold.Events(tmp_path / "events")
