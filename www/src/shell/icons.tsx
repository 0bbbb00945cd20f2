// Icons of buttons. They are hidden from screen readers: the buttons have labels.

const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  fork: "M7 4v16M7 12c6 0 10-2 10-8M14 6l3-3 3 3",
  pencil: "M5 19l1-4L16 5l3 3L9 18z",
  bin: "M5 7h14M10 4h4M7 7l1 13h8l1-13",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M19 14.5A8 8 0 0 1 9.5 5 8 8 0 1 0 19 14.5z",
  gear: "M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h9M17 17h3M15 15v4",
  panel: "M4 5h16v14H4zM14 5v14",
  chat: "M5 5h14v10H11l-4 4v-4H5z",
  box: "M4 8h16v4H4zM6 12v7h12v-7M10 8v6l2-1.5 2 1.5V8",
  down: "M12 5v14M6 13l6 6 6-6",
  keys: "M9.2 9a2.8 2.8 0 1 1 4 2.6c-.8.4-1.2 1-1.2 1.9M12 17v.01",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
