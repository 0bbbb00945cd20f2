// One run of the store contract, in an instance of a module that has it. It loads nothing: any runtime can import it.

import { Wire } from "../../../target/web-testing/inner.js";
import { instantiate } from "../../../target/web-testing/keepsake.js";

/** How many cases there are. */
export const CASES = 24;

/** Puts adapters through the contract, inside a bare instance. `connect` gives a new handle to a storage by its name. */
export function contractIn(module, connect) {
  const instance = instantiate(module);
  return new Promise((resolve, reject) => {
    const guarded = (enter) => {
      try {
        enter();
      } catch (error) {
        reject(error);
      }
    };
    const answer = (ticket, bytes) => guarded(() => instance.answer(ticket, bytes));
    const storages = [];
    instance.start({
      wake: () => queueMicrotask(() => guarded(() => instance.tick())),
      settle: (_call, ok, json) => (ok ? resolve(JSON.parse(json)) : reject(new Error(json))),
      panicked: (place) => reject(new Error(place)),
      decompose: (text) => text.normalize("NFKD"),
      now: Date.now,
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      sleep: (ticket, millis) => setTimeout(() => answer(ticket, new Uint8Array()), millis),
      store: (storage, ticket, request) => storages[storage].serve(request, (bytes) => answer(ticket, bytes)),
      connect: async (ticket, name) => {
        const number = new Uint8Array(new Uint32Array([storages.length]).buffer);
        try {
          storages.push(new Wire(await connect(name)));
          answer(ticket, number);
        } catch (error) {
          reject(error);
        }
      },
    });
    instance.contract(0);
  });
}
