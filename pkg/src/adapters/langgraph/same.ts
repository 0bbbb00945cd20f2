// Deep equality of JSON values.

/** Whether both are equal, regardless of the order of fields. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.entries(one);
  return (
    fields.length === Object.keys(other).length &&
    fields.every(
      ([name, value]) => Object.hasOwn(other, name) && same(value, other[name as keyof typeof other]),
    )
  );
}
