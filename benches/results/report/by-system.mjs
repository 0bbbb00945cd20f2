// Systems by numbers of entries: which figure is in which cell, and which is the best of its column.

const OWN = "Keepsake";

/**
 * `columns` are `{ what, entries }`. Returns a row for each system, the best at the largest number first: `{ name, notes,
 * cells }`. A cell is `{ figure, reference, best }` with Keepsake's figure as the reference, or `{ missing }`.
 */
export function rowsBySystem({ figures, missing, systems }, where, columns) {
  const find = (list, system, { what, entries }) =>
    list.find(
      (one) => one.what === what && one.where === where && one.entries === entries && one.system === system,
    );
  const shown = systems.filter(({ name }) =>
    columns.some((column) => find([...figures, ...missing], name, column)),
  );
  const last = columns.findLast(({ what }) => what === columns[0].what);
  const order = ({ name }) => find(figures, name, last)?.median ?? Number.POSITIVE_INFINITY;
  const sorted = shown.toSorted((one, other) => compare(order(one), order(other)));
  // The best of a column, if several can be compared.
  const best = columns.map((column) => {
    const all = sorted.flatMap(({ name, lists }) => (lists ? [] : (find(figures, name, column) ?? [])));
    const values = all.filter(({ scale }) => !scale).map(({ median }) => median);
    if (values.length < 2) return undefined;
    return all[0].better === "more" ? Math.max(...values) : Math.min(...values);
  });
  return sorted.map(({ name, lists }) => {
    const own = columns.map((column) => find(figures, name, column));
    const cells = columns.map((column, at) => {
      const figure = own[at];
      if (figure === undefined) return { missing: find(missing, name, column) !== undefined };
      return { figure, reference: find(figures, OWN, column), best: !lists && figure.median === best[at] };
    });
    return { name, notes: [...new Set(own.flatMap((figure) => figure?.note ?? []))].join("; "), cells };
  });
}

const compare = (one, other) => (one === other ? 0 : one - other);

/** Whether a figure can be said as so many times Keepsake's. */
export const isRelative = (figure, reference) =>
  figure.system !== OWN && figure.unit !== "%" && reference?.median > 0 && figure.median > 0;
