// What the command line of webpack does, which is a package of its own.

import webpack from "webpack";

webpack({ mode: "production", entry: "./app.js" }, (error, stats) => {
  if (error) throw error;
  if (stats.hasErrors()) throw new Error(stats.toString());
});
