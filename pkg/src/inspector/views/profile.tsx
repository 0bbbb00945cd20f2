// The profile: each field with its source and time.

import type { VNode } from "preact";
import type { Json } from "../../wire/types.js";
import { useInside } from "../inside.js";
import { useLive } from "../parts/live.js";
import { OutsideRef } from "../parts/ref.js";
import { written } from "../parts/said.js";
import { Answer, Empty } from "../parts/state.js";

export function ProfilePane(): VNode {
  const { say, time } = useInside();
  const details = useLive("profile", (memory) => memory.profile.details());
  return (
    <Answer of={details}>
      {({ profile, fields }) =>
        fields.length === 0 ? (
          <Empty call="memory.profile.update({ … })">{say("noProfile")}</Empty>
        ) : (
          <div class="card table" tabIndex={0} role="group" aria-label={say("profile")}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{say("field")}</th>
                  <th scope="col">{say("value")}</th>
                  <th scope="col">{say("source")}</th>
                  <th scope="col">{say("written")}</th>
                </tr>
              </thead>
              <tbody>
                {fields.map(({ path, source, at }) => (
                  <tr key={JSON.stringify(path)}>
                    <th scope="row">{path.join(" › ")}</th>
                    <td class="text">{written(valueAt(profile, path), 0)}</td>
                    <td>
                      {source !== undefined && (
                        <OutsideRef to={{ kind: "source", ref: source }}>{source}</OutsideRef>
                      )}
                    </td>
                    <td class="figure dim">{time(at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Answer>
  );
}

function valueAt(profile: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = profile;
  for (const name of path) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}
