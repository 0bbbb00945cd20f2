// Reading files of measuring data: every failure is a DataError that names the file.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Something about the data or the command line that the user can put right. */
export class DataError extends Error {}

/** The JSON files of a folder in the order of their names; none if there is no such folder. */
export async function jsonFiles(folder) {
  const names = await readdir(folder).catch((cause) => {
    if (cause.code === "ENOENT") return [];
    throw new DataError(`could not read the folder ${folder} (${cause.code})`);
  });
  const files = names.filter((name) => name.endsWith(".json")).sort();
  return files.map((name) => join(folder, name));
}

/** The result of `read` on the parsed file. */
export async function parse(file, format, read) {
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new DataError(`could not read ${file} (${cause.code})`);
  });
  try {
    return read(JSON.parse(text));
  } catch (cause) {
    throw new DataError(`${file} is not in ${format}: ${cause.message}`);
  }
}

/** The value, if it is an array; `field` names it in the error. */
export function array(value, field) {
  if (!Array.isArray(value)) throw new Error(`\`${field}\` must be an array`);
  return value;
}
