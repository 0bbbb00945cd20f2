"""A small inventory: what is in stock, what was sold, and what has to be ordered again."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Item:
    name: str
    price: float
    stock: int = 0
    tags: set[str] = field(default_factory=set)

    @property
    def value(self) -> float:
        return round(self.price * self.stock, 2)


class Inventory:
    """Items by name. Selling more than there is raises an error and changes nothing."""

    def __init__(self, items: list[Item] | None = None) -> None:
        self._items = {item.name: item for item in items or []}
        self._sold: Counter[str] = Counter()

    def sell(self, name: str, count: int = 1) -> float:
        item = self._items.get(name)
        if item is None:
            raise KeyError(f"unknown item: {name!r}")
        if count < 1 or item.stock < count:
            raise ValueError(f"cannot sell {count} of {name!r}, {item.stock} left")
        item.stock -= count
        self._sold[name] += count
        return item.price * count

    def to_order(self, minimum: int = 5) -> list[tuple[str, int]]:
        missing = ((item.name, minimum - item.stock) for item in self._items.values())
        return sorted((name, count) for name, count in missing if count > 0)

    def bestsellers(self, limit: int = 3) -> list[str]:
        return [name for name, _ in self._sold.most_common(limit)]

    @classmethod
    def load(cls, path: Path) -> "Inventory":
        with path.open(newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file, delimiter=";")
            return cls([Item(row["name"], float(row["price"]), int(row["stock"])) for row in rows])


if __name__ == "__main__":
    shop = Inventory([Item("kettle", 29.9, 4), Item("cup", 3.5, 40, {"kitchen"})])
    print(shop.sell("cup", 6), shop.to_order(), shop.bestsellers())
