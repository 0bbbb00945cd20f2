// The timeline of a session: a lane each for hot, warm, cold and frozen messages, and a bracket per compression.

import type { VNode } from "preact";
import type { Message } from "../../wire/messages.js";
import { useInside } from "../inside.js";
import { type Lane, runsOf, type Stretch } from "./lanes.js";

const LANES: readonly Lane[] = ["hot", "warm", "cold"];
const LANE = 20;
const GAP = 2;
const WIDTH = 720;

interface TimeLineProps {
  messages: readonly Message[];
  stretches: readonly Stretch[];
  /** The open item. */
  open: string | undefined;
  onOpen(ref: string): void;
}

export function TimeLine({ messages, stretches, open, onOpen }: TimeLineProps): VNode {
  const { say, time } = useInside();
  // Few messages are spread out, many are drawn closer, and very many scroll.
  const step = Math.max(8, Math.min(28, WIDTH / Math.max(messages.length, 1)));
  const width = Math.max(messages.length, 8) * step;
  const counts = LANES.map((lane) =>
    stretches.filter((stretch) => stretch.lane === lane).reduce((sum, { places }) => sum + places.length, 0),
  );
  const move = (event: KeyboardEvent) => {
    const at = messages.findIndex(({ id }) => id === open);
    const end = messages.length - 1;
    const steps: { [key: string]: number } = {
      ArrowRight: at + 1,
      ArrowLeft: at < 0 ? end : at - 1,
      Home: 0,
      End: end,
    };
    const step = steps[event.key];
    const next = step === undefined ? undefined : messages[Math.max(0, Math.min(end, step))];
    if (!next) return;
    event.preventDefault();
    onOpen(next.id);
  };
  const first = messages[0];
  const last = messages[messages.length - 1];
  const rows = [...LANES, "frozen"] as const;
  const label = rows
    .map((lane, at) => `${say(`lane_${lane}`)} ${say("messages", { n: counts[at] ?? messages.length })}`)
    .join(", ");
  return (
    <div class="timeline">
      <dl class="lanes">
        {rows.map((lane, at) => (
          <div key={lane}>
            <dt>{say(`lane_${lane}`)}</dt>
            <dd class="figure dim">{counts[at] ?? messages.length}</dd>
          </div>
        ))}
      </dl>
      <div class="track-scroll" tabIndex={0} role="group" aria-label={say("timeLine")} onKeyDown={move}>
        <svg
          width={width}
          height={LANE * rows.length}
          viewBox={`0 0 ${width} ${LANE * rows.length}`}
          role="img"
          aria-label={label}
        >
          {rows.map((lane, at) => (
            <line key={lane} class="axis" x1={0} x2={width} y1={(at + 1) * LANE} y2={(at + 1) * LANE} />
          ))}
          {stretches.flatMap(({ lane, item, places }) =>
            runsOf(places).map(([first, last]) => (
              <Piece
                key={`${item.kind}/${item.ref}/${first}`}
                className={`lane-${lane}${item.ref === open ? " on" : ""}`}
                x={first * step}
                y={LANES.indexOf(lane) * LANE}
                width={(last + 1 - first) * step}
                title={`${item.ref} · ${say("tokens", { n: item.tokens })}`}
                onOpen={() => onOpen(item.ref)}
              />
            )),
          )}
          {messages.map((message, at) => (
            <Piece
              key={message.id}
              className={`lane-frozen${message.id === open ? " on" : ""}`}
              x={at * step}
              y={LANES.length * LANE}
              width={step}
              title={`${say(message.role)} · ${time(message.at)}`}
              onOpen={() => onOpen(message.id)}
            />
          ))}
          {stretches
            .filter(({ places }) => places.length > 1)
            .map(({ item, places }) => {
              const [first = 0, last = 0] = [places[0], places[places.length - 1]];
              const y = LANES.length * LANE - 4;
              const path = `M${first * step + GAP} ${y + 4}v-4H${(last + 1) * step - GAP}v4`;
              return <path key={item.ref} class="bracket-line" d={path} />;
            })}
        </svg>
        <div class="ends dim" style={{ width: `${width}px` }}>
          <span>{first && time(first.at)}</span>
          <span>{last && last !== first && time(last.at)}</span>
        </div>
      </div>
    </div>
  );
}

interface PieceProps {
  className: string;
  x: number;
  y: number;
  width: number;
  title: string;
  onOpen(): void;
}

/** The mouse selects an item; the arrow keys move between messages. */
function Piece({ className, x, y, width, title, onOpen }: PieceProps): VNode {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the picture is described as a whole, and arrows go through it
    <rect
      class={className}
      x={x + GAP / 2}
      y={y + 3}
      width={Math.max(1, width - GAP)}
      height={LANE - 7}
      rx={2}
      onClick={onOpen}
    >
      <title>{title}</title>
    </rect>
  );
}
