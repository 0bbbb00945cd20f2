// Each file that is named becomes a bundle of its own.

import webpack from "webpack";

const names = process.argv.slice(2);
const entry = Object.fromEntries(names.map((name) => [name, `./${name}`]));
const output = { path: `${process.cwd()}/webpack`, filename: "[name]" };

webpack({ mode: "production", entry, output }, (error, stats) => {
  if (error) throw error;
  if (stats.hasErrors()) throw new Error(stats.toString());
});
