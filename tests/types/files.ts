// The declarations of files and folders, tried by the compiler. Nothing here runs.

import {
  type ActiveAgent,
  type ActiveMember,
  type ContextParts,
  type Dispatch,
  type DocumentEntry,
  type DocumentItem,
  directoryFolder,
  type EntryStatus,
  type FileWarning,
  type Folder,
  type FolderConflict,
  type FolderSync,
  type FoundEntry,
  type FoundPassage,
  type Memory,
  type MemoryDocument,
  type MemoryFile,
  type MemoryFileInfo,
  type MemoryTool,
  type MemoryToolAnswer,
  type MemoryToolCommand,
  type MergedFile,
  type SourceChanges,
  type ZipFolder,
  zipFolder,
} from "keepsake";
import { type FolderWatch, nodeFolder, watchFolder } from "keepsake/node";

/** Only `true` can be passed, and only when the two types are the same, down to `readonly` and `any`. */
declare function same<A, B>(
  verdict: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void;

export async function tree({ files }: Memory): Promise<void> {
  const file = await files.read("a.md");
  same<MemoryFile | null, typeof file>(true);
  same<MemoryFileInfo[], Awaited<ReturnType<typeof files.list>>>(true);
  same<MemoryFile[], Awaited<ReturnType<typeof files.history>>>(true);
  same<boolean, Awaited<ReturnType<typeof files.delete>>>(true);
  same<MergedFile, Awaited<ReturnType<typeof files.merge>>>(true);
  same<FileWarning[], Awaited<ReturnType<typeof files.lint>>>(true);
  await files.write("a.md", "text", { expect: file?.hash ?? null });
  await files.write("a.md", "text", { expect: undefined });
  await files.merge("a.md", "theirs", "base");
  await files.parse("a.md", "# text");
  // @ts-expect-error: a file has a text
  await files.write("a.md");
  // @ts-expect-error: no such option
  await files.write("a.md", "text", { expected: null });
  // @ts-expect-error: a version is no hash
  await files.write("a.md", "text", { expect: 3 });
  // @ts-expect-error: a listing has no texts
  (await files.list())[0]?.text;
  same<MemoryFile[], Awaited<ReturnType<typeof files.writeSession>>>(true);
  same<SourceChanges, Awaited<ReturnType<typeof files.ingestSources>>>(true);
  await files.writeSession("s-1", { folder: ".airsspec" });
  // @ts-expect-error: no such option
  await files.writeSession("s-1", { root: ".airsspec" });
}

export async function documents({ files }: Memory): Promise<void> {
  const document = await files.parse("context.md");
  same<MemoryDocument | null, typeof document>(true);
  switch (document?.kind) {
    case "context":
      same<ContextParts, typeof document.parts>(true);
      same<DocumentItem[] | undefined, typeof document.parts.activeFocus>(true);
      same<string[][] | undefined, typeof document.parts.projectState>(true);
      // What was read can be written again.
      await files.update("context.md", { ...document.parts, updated: "2025-12-31" });
      // @ts-expect-error: of another document
      document.parts.summary;
      break;
    case "session":
      same<string | undefined, typeof document.parts.summary>(true);
      break;
    case "decisions":
    case "handoffs":
      same<DocumentEntry[], typeof document.entries>(true);
      same<EntryStatus | undefined, NonNullable<(typeof document.entries)[0]>["status"]>(true);
      // @ts-expect-error: it has entries, and no parts
      document.parts;
      break;
    case "dispatchLog":
      same<Dispatch[], typeof document.dispatches>(true);
      break;
    case "other":
      // @ts-expect-error: nothing is known of it
      document.entries;
      break;
  }
  await files.update("context.md", {
    activeFocus: ["one", { text: "two", done: true, details: ["more"] }],
    projectState: [["Build", "good", ""]] as const,
  });
  await files.record("decisions.md", [{ title: "Use Redis", reason: "known" }]);
  // @ts-expect-error: a decision has a title
  await files.record("decisions.md", [{ reason: "known" }]);
  // @ts-expect-error: rows are lists of cells
  await files.update("context.md", { projectState: ["Build"] });
  // @ts-expect-error: no such part
  await files.update("context.md", { dreams: [] });
}

export async function lives({ files }: Memory): Promise<void> {
  const agent = await files.activate("planner");
  same<ActiveAgent, typeof agent>(true);
  same<string, ReturnType<typeof agent.inject>>(true);
  same<FoundEntry[], Awaited<ReturnType<typeof agent.learnings.search>>>(true);
  same<FoundPassage[], Awaited<ReturnType<typeof agent.knowledge.search>>>(true);
  same<[string, string, string], [typeof agent.folder, typeof agent.definition, string]>(true);
  agent.inject();
  const written = await agent.endSession({
    date: "2025-12-31",
    context: { notes: ["x"] },
    decisions: [{ title: "Use Redis" }],
    learnings: [{ title: "Retry", code: "retry(2)", language: "js" }],
    archive: { keyChanges: [["a.ts", "new"]], followUps: ["x", { text: "y", done: true }] },
  });
  same<MemoryFile[], typeof written>(true);
  await agent.endSession({ context: "# Current Context\n" });
  await agent.updateSection("context", "Notes", "- x");
  const member = await files.activateMember("planner");
  same<ActiveMember, typeof member>(true);
  same<DocumentEntry[], typeof member.handoffs>(true);
  const { team } = files;
  await team.setHandoff(member.handoffs[0]?.heading ?? "", "inProgress", { result: "soon", task: "t" });
  same<Dispatch, Awaited<ReturnType<typeof team.dispatch>>>(true);
  await team.dispatch("lead", {
    task: "t",
    plan: [{ specialist: "a", subtask: "b", status: "pending" }] as const,
  });
  // @ts-expect-error: somebody has to do it
  await team.dispatch("lead", { task: "t", plan: [{ subtask: "b" }] });
  same<"team-memory/decisions.md", typeof team.paths.decisions>(true);
  // @ts-expect-error: an agent without a team has no handoffs
  agent.handoffs;
  // @ts-expect-error: no such file
  await agent.updateSection("sessions", "Notes", "- x");
  // @ts-expect-error: no such status
  await team.handoffs({ status: "done" });
  // @ts-expect-error: something is to come of it
  await team.handOver({ fromAgent: "a", toAgent: "b", task: "t", context: "c" });
  // @ts-expect-error: what it is when it was activated stays
  agent.context = "";
}

/** What Anthropic's SDK wants of the handlers of its memory tool, as far as types go. */
interface MemoryToolHandlers {
  view(command: { command: "view"; path: string; view_range?: number[] }): Promise<string>;
  create(command: { command: "create"; path: string; file_text: string }): Promise<string>;
  str_replace(command: {
    command: "str_replace";
    path: string;
    old_str: string;
    new_str: string;
  }): Promise<string>;
  insert(command: {
    command: "insert";
    path: string;
    insert_line: number;
    insert_text: string;
  }): Promise<string>;
  delete(command: { command: "delete"; path: string }): Promise<string>;
  rename(command: { command: "rename"; old_path: string; new_path: string }): Promise<string>;
}

export async function tools({ files }: Memory, command: MemoryToolCommand): Promise<void> {
  const tool = files.memoryTool({ root: "agents/planner/memory" });
  same<MemoryTool, typeof tool>(true);
  const handlers: MemoryToolHandlers = tool;
  same<MemoryToolAnswer, Awaited<ReturnType<typeof tool.run>>>(true);
  await tool.run(command);
  await tool.run({ command: "view", path: "/memories", view_range: [1, -1] });
  // @ts-expect-error: no such command
  await tool.run({ command: "fly", path: "/memories" });
  // @ts-expect-error: a file has a text
  await handlers.create({ command: "create", path: "/memories/a.md" });
}

export async function folders(memory: Memory, handle: FileSystemDirectoryHandle): Promise<void> {
  const { files } = memory;
  const own: Folder = {
    list: async () => [],
    read: async () => new Uint8Array(),
    write: async () => {},
    remove: async () => {},
  };
  const done = await files.sync(own, {
    onConflict: ({ memory, folder }) => (memory.length > folder.length ? memory : null),
    onProgress: ({ done, total, path }) => void [done, total, path],
    only: (path) => path.endsWith(".md"),
    signal: AbortSignal.timeout(1000),
  });
  same<FolderSync, typeof done>(true);
  same<FolderConflict[], typeof done.conflicts>(true);
  await files.importFrom(directoryFolder(handle));
  await files.exportTo(nodeFolder("./memory"));
  const zip = zipFolder();
  same<ZipFolder, typeof zip>(true);
  same<Blob, Awaited<ReturnType<typeof zip.toBlob>>>(true);
  await files.exportTo(zip);
  zipFolder(await zip.toBytes());
  zipFolder(new ArrayBuffer(8));
  const watching = await watchFolder(memory, "./memory", { onSync: ({ imported }) => void imported });
  same<FolderWatch, typeof watching>(true);
  // @ts-expect-error: half a folder is none
  await files.sync({ list: own.list, read: own.read });
  // @ts-expect-error: a path is no folder
  await files.sync("./memory");
  // @ts-expect-error: nothing is merged on the way out
  await files.exportTo(own, { onConflict: () => null });
  // @ts-expect-error: a file is no folder
  directoryFolder(await handle.getFileHandle("a.md"));
}
