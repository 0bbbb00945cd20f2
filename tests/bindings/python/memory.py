"""An open memory, in an instance of the component of its own."""

from host import instance_of
from sent import Refused
from wasmtime.component import Variant


class Memory:
    """An open memory in an instance of its own."""

    def __init__(self, engine, component, storage, world, user, config):
        self.store, self.instance = instance_of(engine, component, storage, world)
        self.resource = self.ask("memory", "[static]memory.open", user, config)
        assert not isinstance(self.resource, Variant), f"the memory does not open: {self.resource.tag}"

    def ask(self, interface, name, *args):
        """Calls a function of an exported interface."""
        exported = self.instance.get_export_index(self.store, f"keepsake:memory/{interface}@0.1.0")
        index = self.instance.get_export_index(self.store, name, exported)
        return self.instance.get_func(self.store, index)(self.store, *args)

    def session(self, session, agent):
        opened = self.ask("dialog", "[static]session.open", self.resource, session, agent)
        if isinstance(opened, Variant):
            raise Refused("session" if opened.payload.field == "id" else opened.payload.field)
        return opened

    def close(self):
        error = self.ask("memory", "[method]memory.close", self.resource)
        assert error is None, f"the memory does not close: {error.tag}"
