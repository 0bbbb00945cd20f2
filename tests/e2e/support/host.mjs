// A worker that hosts memories: dedicated, shared, or a service worker. Import maps do not reach into workers, hence the
// path; an app says "keepsake/worker/host".

import { serve } from "/pkg/dist/entry/worker-host-browser.js";

serve({ countTokens: (text) => text.length });

/** How many databases are open here, for a test to ask by this worker's name. */
let databases = 0;
const channel = new BroadcastChannel("databases");
channel.onmessage = ({ data }) => {
  if (data.of === globalThis.name) channel.postMessage({ databases });
};
const { open } = IDBFactory.prototype;
IDBFactory.prototype.open = function (...args) {
  const request = open.apply(this, args);
  request.addEventListener("success", () => {
    databases += 1;
  });
  return request;
};
const { close } = IDBDatabase.prototype;
IDBDatabase.prototype.close = function () {
  databases -= 1;
  close.call(this);
};
