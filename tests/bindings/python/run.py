"""Runs scenarios through the component in wasmtime for Python.

Is given the component and scenario files; writes one line of JSON for each file: the answer to every call, and the hash
of what is stored at the end. Each reopening is another instance.
"""

import json
import sys
from pathlib import Path

from host import Storage, World, instance_of
from verbs import call, parted
from wasmtime import Engine
from wasmtime.component import Component

INTERFACE = "keepsake:memory/memory@0.1.0"


class Memory:
    """An open memory in an instance of its own."""

    def __init__(self, engine, component, storage, world, user, config):
        self.store, self.instance = instance_of(engine, component, storage, world)
        self.interface = self.instance.get_export_index(self.store, INTERFACE)
        ok, self.resource = self.ask("[static]memory.open", user, config)
        assert ok, f"the memory does not open: {self.resource.tag}"

    def ask(self, name, *args):
        index = self.instance.get_export_index(self.store, name, self.interface)
        return parted(self.instance.get_func(self.store, index)(self.store, *args))

    def method(self, name, *args):
        return self.ask(f"[method]memory.{name}", self.resource, *args)

    def close(self):
        ok, error = self.method("close")
        assert ok, f"the memory does not close: {error.tag}"


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
            answers.append(call(memory.method, step["call"], step.get("args", {})))
    memory.close()
    return {"answers": answers, "snapshot": storage.snapshot()}


def main(component_file, *files):
    engine = Engine()
    component = Component(engine, Path(component_file).read_bytes())
    for file in files:
        scenario = json.loads(Path(file).read_text("utf-8"))
        print(json.dumps(run(engine, component, scenario)))


main(*sys.argv[1:])
