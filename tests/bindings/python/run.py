"""Runs scenarios through the component in wasmtime for Python.

Is given the component, a number and a file with an array of scenarios. Writes one line of JSON for each scenario: the answer
to every call, and the hash of what is stored at the end; each reopening is another instance. Before that, a line about two
writers that took so many turns.
"""

import json
import sys
from pathlib import Path

from host import Storage, World
from memory import Memory
from verbs import call
from wasmtime import Engine
from wasmtime.component import Component


def run(engine, component, scenario):
    world = World(scenario["now"], scenario["seed"])
    storage = Storage()
    config = json.dumps(scenario["config"]) if "config" in scenario else None

    def opened():
        return Memory(engine, component, storage, world, scenario["user"], config)

    memory = opened()
    answers = []
    for step in scenario["steps"]:
        if "wait" in step:
            world.now += step["wait"]
        elif "reopen" in step:
            memory.close()
            memory = opened()
        else:
            answers.append(call(memory, step["call"], step["args"]))
    memory.close()
    return {"answers": answers, "snapshot": storage.snapshot()}


def write_in_turn(engine, component, turns):
    """Two memories of one user, each in its instance: how much each lists, and how often one came too late."""
    storage, world = Storage(), World(0, 1)
    writers = [Memory(engine, component, storage, world, "u-1", None) for _ in range(2)]
    for turn in range(turns):
        call(writers[turn % 2], "add", {"content": f"turn {turn}"})
    listed = [len(call(memory, "list", {})["gives"]) for memory in writers]
    return {"listed": listed, "conflicts": storage.conflicts}


def main(component_file, turns, scenarios):
    engine = Engine()
    component = Component(engine, Path(component_file).read_bytes())
    print(json.dumps(write_in_turn(engine, component, int(turns))))
    for scenario in json.loads(Path(scenarios).read_text("utf-8")):
        print(json.dumps(run(engine, component, scenario)))


main(*sys.argv[1:])
