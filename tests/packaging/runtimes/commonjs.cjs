// A script of the old kind: ES modules are imported as one goes.

(async () => {
  const { MemoryStorage, openMemory } = await import("keepsake");
  const storage = new MemoryStorage();
  for (const turn of ["first", "second"]) {
    const memory = await openMemory({ user: "u-42", storage: storage.connect() });
    const [hit] = await memory.search("when do deploy keys change?");
    console.log(turn, hit?.summary ?? "nothing");
    await memory.add("Deploy keys rotate on Mondays", { id: "keys" }).catch(() => {});
    await memory.close();
  }
})();
