// What is different between two texts, line by line.

/** A line that both have, only the one before, or only the one after. */
export interface DiffLine {
  mark: " " | "-" | "+";
  text: string;
}

/** Beyond so many pairs of lines it is said by blocks: the table would not fit. */
const MOST = 4_000_000;
const AROUND = 2;

export function diff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end++;
  }
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (text: string): DiffLine => ({ mark: " ", text });
  return [
    ...old.slice(Math.max(0, start - AROUND), start).map(same),
    ...middle,
    ...old.slice(old.length - end, old.length - end + AROUND).map(same),
  ];
}

/** By the longest run of lines that both have in the same order. */
function between(old: string[], now: string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ mark: "-", text });
  const come = (text: string): DiffLine => ({ mark: "+", text });
  if (old.length * now.length > MOST) return [...old.map(gone), ...now.map(come)];
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] as number;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ mark: " ", text: old[i] as string });
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(gone(old[i++] as string));
    } else {
      lines.push(come(now[j++] as string));
    }
  }
  return lines;
}
