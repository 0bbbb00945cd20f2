"""An open memory, in an instance of the component of its own."""

from host import instance_of
from verbs import parted

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
