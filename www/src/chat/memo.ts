// Components that are drawn again only when what they are given changes. Preact's own stands in its React layer.

import { Component, type ComponentChild, type FunctionComponent, h } from "preact";

/** The same component, drawn again only for other properties. What it watches by itself still draws it. */
export function memo<P extends object>(inner: FunctionComponent<P>): new () => Component<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const now = this.props as Record<string, unknown>;
      return Object.entries(next).some(([name, value]) => now[name] !== value);
    }

    override render(): ComponentChild {
      return h(inner, this.props as P);
    }
  };
}
