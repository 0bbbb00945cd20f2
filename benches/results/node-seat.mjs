// A process of Node that runs one system: calls of driver.mjs come as messages, and their results go back.

const driver = await import("./driver.mjs");

process.on("message", async ({ ticket, name, given }) => {
  try {
    process.send({ ticket, result: await driver[name](...given) });
  } catch (error) {
    process.send({ ticket, error: error.message });
  }
});
process.send({ ready: true });
