// Files: the tree of Markdown files, and the open file.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { MemoryFileInfo } from "../../wire/files.js";
import { useInside } from "../inside.js";
import { useLive } from "../parts/live.js";
import { Answer, Empty } from "../parts/state.js";
import { Editor } from "./editor.js";

/** A folder: its files, and the folders below. */
interface Branch {
  files: MemoryFileInfo[];
  folders: Map<string, Branch>;
}

function treeOf(files: readonly MemoryFileInfo[]): Branch {
  const top: Branch = { files: [], folders: new Map() };
  for (const file of files) {
    let branch = top;
    for (const name of file.path.split("/").slice(0, -1)) {
      const next: Branch = branch.folders.get(name) ?? { files: [], folders: new Map() };
      branch.folders.set(name, next);
      branch = next;
    }
    branch.files.push(file);
  }
  return top;
}

export function FilesView(): VNode {
  const { say, target } = useInside();
  const [open, setOpen] = useState<string>();
  const [name, setName] = useState("");
  useEffect(() => {
    if (target?.kind === "file") setOpen(target.id);
  }, [target]);
  const files = useLive("files", (memory) => memory.files.list());
  return (
    <div class="sides">
      <nav class="card side" aria-label={say("files")}>
        <Answer of={files}>
          {(all) =>
            all.length === 0 ? (
              <Empty call="memory.files.write(path, text)">{say("noFiles")}</Empty>
            ) : (
              <Folder branch={treeOf(all)} open={open} onOpen={setOpen} />
            )
          }
        </Answer>
        <form
          class="new-file"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== "") setOpen(name.trim());
            setName("");
          }}
        >
          <label>
            {say("newFile")}
            <input
              value={name}
              placeholder="notes/today.md"
              spellcheck={false}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={name.trim() === ""}>
            {say("create")}
          </button>
        </form>
      </nav>
      <section class="card" aria-label={say("file")}>
        {open === undefined ? <Empty>{say("openFile")}</Empty> : <Editor key={open} path={open} />}
      </section>
    </div>
  );
}

interface FolderProps {
  branch: Branch;
  open: string | undefined;
  onOpen(path: string): void;
}

function Folder({ branch, open, onOpen }: FolderProps): VNode {
  const { size } = useInside();
  return (
    <ul class="tree">
      {[...branch.folders].map(([name, below]) => (
        <li key={`${name}/`}>
          <details open>
            <summary>{name}/</summary>
            <Folder branch={below} open={open} onOpen={onOpen} />
          </details>
        </li>
      ))}
      {branch.files.map((file) => (
        <li key={file.path}>
          <button
            type="button"
            class="leaf"
            aria-current={file.path === open ? "true" : undefined}
            onClick={() => onOpen(file.path)}
          >
            <span class="name">{file.path.split("/").pop()}</span>
            <span class="figure dim">{size(file.size)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
