// The type by which compiler messages list the allowed values.

/**
 * `T`, without the name of an alias: where a value does not fit, a message of the compiler lists the allowed ones instead of
 * a name such as `Role`.
 */
export type Listed<T> = [T][0];
