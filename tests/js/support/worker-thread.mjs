// A worker of Node that hosts memories, as the test of workers starts it.

import { parentPort } from "node:worker_threads";
import { serve } from "keepsake/worker/host";

serve({ port: parentPort, countTokens: (text) => text.length });
