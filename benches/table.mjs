// Text tables for the terminal.

/** Rows of cells as aligned lines: the first column and the last to the left, figures to the right. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const last = widths.length - 1;
  const line = (row) => {
    const cells = row.map((cell, column) => {
      return column === 0 || column === last ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
    });
    return cells.join("  ").trimEnd();
  };
  return rows.map(line).join("\n");
}
