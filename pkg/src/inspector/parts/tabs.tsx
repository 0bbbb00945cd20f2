// Tabs with keyboard navigation: arrows, Home and End.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; name: string }[];
  open: Id;
  onOpen(id: Id): void;
}

export function Tabs<Id extends string>({ label, tabs, open, onOpen }: TabsProps<Id>): VNode {
  const list = useRef<HTMLDivElement>(null);
  // If not all tabs fit, the open one is scrolled into view.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`#tab-${open}`);
    if (tab && list.current) {
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
    }
  }, [open]);
  const at = tabs.findIndex(({ id }) => id === open);
  const move = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    onOpen(tab.id);
    list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, name }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === open}
          aria-controls={id === open ? `panel-${id}` : undefined}
          tabIndex={id === open ? 0 : -1}
          onClick={() => onOpen(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface PanelProps {
  id: string;
  class?: string;
  children: ComponentChildren;
}

export function TabPanel({ id, class: name, children }: PanelProps): VNode {
  return (
    <div id={`panel-${id}`} class={name} role="tabpanel" aria-labelledby={`tab-${id}`} tabIndex={0}>
      {children}
    </div>
  );
}
