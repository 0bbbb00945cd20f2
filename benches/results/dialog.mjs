// A conversation: appending a message beside a raw put of the same bytes, and the prompt over all of them. The modules are
// those of `cargo xtask bench`, which take turns between appends and puts.

const MODULE = "../bench/dialog";

export async function dialog({ browser, messages, figures, log }) {
  log(`a conversation of ${messages} messages`);
  const tab = await browser.tab();
  try {
    const { append, put, bytes } = await tab.call(MODULE, "fill", messages);
    const { context, read, first } = await tab.call(MODULE, "contexts", messages);
    await tab.call(MODULE, "close");
    const key = (what, system, note) => {
      return {
        what,
        system,
        where: "chromium",
        entries: messages,
        unit: "ms",
        better: "less",
        ...(note && { note }),
      };
    };
    figures.calls(key("append", "Keepsake"), append);
    figures.calls(
      key("append", "IndexedDB", `a put of the stored bytes, ${bytes.toFixed(0)} on average`),
      put,
    );
    figures.calls(key("prompt", "Keepsake", "session.context with a budget of 4,000 tokens"), context);
    const reading = key("prompt", "IndexedDB", "reads 30 messages, and makes no prompt of them");
    figures.calls({ ...reading, scale: true }, read);
    figures.single(key("first prompt", "Keepsake", "loads the index"), first);
  } finally {
    await tab.close();
  }
}
