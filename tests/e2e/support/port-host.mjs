// A worker that hosts memories only on a port that it is given.

import { serve } from "/pkg/dist/entry/worker-host-browser.js";

addEventListener("message", ({ data }) => {
  if (data.serveOn) serve({ port: data.serveOn });
});
