"""What the component imports, in Python: a storage in memory, and the clock and the chance of a scenario."""

from hashlib import sha256
from itertools import count

from wasmtime import Store as Instances
from wasmtime.component import Linker, Record, ResourceHost, ResourceType, Variant

SPACES = ("meta", "records", "bodies", "log", "index")

# Which of the host's types a resource is of; there is one.
STORE = 1


def record(**fields):
    """A record of WIT."""
    made = Record()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


class World:
    """A clock set by hand, and chance from a seed."""

    def __init__(self, now, seed):
        self.now = now
        self.seed = seed

    def random(self, length):
        drawn = bytearray()
        for _ in range(length):
            self.seed = (self.seed * 6364136223846793005 + 1442695040888963407) % 2**64
            drawn.append(self.seed >> 56)
        return bytes(drawn)


class Storage:
    """Bytes in memory, by their space and their key."""

    def __init__(self):
        self.tables = {space: {} for space in SPACES}
        # How often somebody was told that others had written first.
        self.conflicts = 0

    def within(self, space, key_range):
        end = key_range.end
        inside = (key for key in self.tables[space] if key >= key_range.start and (end is None or key < end))
        return sorted(inside)

    def get(self, space, keys):
        return [self.tables[space].get(key) for key in keys]

    def scan(self, space, key_range, limit):
        keys = self.within(space, key_range)
        items = [record(key=key, value=self.tables[space][key]) for key in keys[:limit]]
        return record(items=items, next=keys[limit] if len(keys) > limit else None)

    def commit(self, batch):
        """Makes all changes, if the guard holds what they were planned on, and answers what it holds then."""
        current = int.from_bytes(self.tables["meta"].get(batch.guard, b""), "big")
        if current != batch.base:
            self.conflicts += 1
            return Variant("conflict", current)
        for op in batch.ops:
            change = op.payload
            table = self.tables[change.space]
            if op.tag == "put":
                table[change.key] = change.value
            elif op.tag == "delete":
                table.pop(change.key, None)
            else:
                for key in self.within(change.space, change.range):
                    del table[key]
        self.tables["meta"][batch.guard] = (current + 1).to_bytes(8, "big")
        return current + 1

    def snapshot(self):
        """The hash of its dump, as README.md beside the scenarios describes it."""
        dump = sha256()
        for space in SPACES:
            for key, value in sorted(self.tables[space].items()):
                dump.update(f"{space} {key.hex()} {value.hex()}\n".encode())
        return dump.hexdigest()


class Handles:
    """The handles to a storage that one instance holds."""

    def __init__(self):
        self.numbers = count(1)
        self.is_open = {}

    def open(self, _store):
        number = next(self.numbers)
        self.is_open[number] = True
        return ResourceHost.own(number, STORE)

    def close(self, store, handle):
        self.is_open[handle.to_host(store).rep] = False

    def drop(self, _store, number):
        del self.is_open[number]

    def through(self, work):
        """A method that asks the storage, as long as its handle is open."""

        def method(store, handle, *args):
            return work(*args) if self.is_open[handle.to_host(store).rep] else Variant("closed")

        return method


def instance_of(engine, component, storage, world):
    """A new instance of the component on `storage`, and the store that it lives in."""
    linker = Linker(engine)
    handles = Handles()
    with linker.root() as root:
        with root.add_instance("keepsake:memory/storage@0.1.0") as imported:
            imported.add_resource("store", ResourceType.host(STORE), handles.drop)
            imported.add_func("[static]store.open", handles.open)
            imported.add_func("[method]store.get", handles.through(storage.get))
            imported.add_func("[method]store.scan", handles.through(storage.scan))
            imported.add_func("[method]store.commit", handles.through(storage.commit))
            imported.add_func("[method]store.close", handles.close)
        with root.add_instance("keepsake:memory/clock@0.1.0") as imported:
            imported.add_func("now", lambda _store: world.now)
        with root.add_instance("keepsake:memory/entropy@0.1.0") as imported:
            imported.add_func("bytes", lambda _store, length: world.random(length))
    store = Instances(engine)
    return store, linker.instantiate(store, component)
