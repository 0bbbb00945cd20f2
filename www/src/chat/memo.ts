// Memoised components. Preact's own `memo` is in its React layer.

import { Component, type ComponentChild, type FunctionComponent, h } from "preact";

/** The component, rendered again only for changed properties, or by its own state. */
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
