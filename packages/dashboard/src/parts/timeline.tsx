import { RUNGS } from '@unrut/engine/event';
import { counted, number } from '@unrut/ledger/report/figures';
import { loopKindOf } from '@unrut/ledger/report/html/kinds';
import { duration } from '@unrut/ledger/report/html/times';
import { DEEDS } from '@unrut/ledger/report/rung-words';
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { isKnownTime } from '../known-time.ts';
import { type Bin, binsOf, lanesOf, pausesIn, ticksOf, zoomed } from '../timeline-bins.ts';
import { clockText, dayText } from '../zone-time.ts';
import { ActSign } from './act-sign.tsx';
import { useWidth } from './use-width.ts';

interface TimelineProps {
  /** A letter for each moment of the session. */
  letters: string;
  /** For each moment, the seconds since the first; empty if times are unknown. */
  seconds: readonly number[];
  /** When the first moment was, in epoch milliseconds. */
  first: number;
  /** For each moment, the highest rung of Unrut's actions. */
  acts: string;
  loops: readonly { bursts: readonly { place: { start: number; end: number } }[] }[];
  /** The moment that is shown. */
  here: number | null;
  /** The description of a moment, if known. */
  tell(moment: number): string;
  onChoose(moment: number): void;
}

const BARS = 44;
const TOP = 18;
const LANE = 11;
const MAX_LANES = 4;
const AXIS = 20;
/** The day and the time below the first moment. */
const LABEL = 90;

/** A short session does not take the whole width. */
const MAX_UNIT = 32;
const MAX_BAR = 14;

const MOVES: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: -1e9,
  End: 1e9,
};

/** The height of each kind of moment, so that kinds do not differ by colour alone. */
export const TALL: Record<string, number> = {
  n: 1,
  e: 0.75,
  '-': 0.5,
  w: 0.3,
  b: 0.5,
  m: 0.2,
  '?': 0.4,
  u: 1,
};

/**
 * The whole session over time: results of steps, bursts of loops, and Unrut's actions. Drag over a
 * part to zoom in; arrow keys move, + and - zoom, Enter shows the moment.
 */
export function Timeline({
  letters,
  seconds,
  first,
  acts,
  loops,
  here,
  tell,
  onChoose,
}: TimelineProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 1000);
  const [zoom, setZoom] = useState<{ from: number; to: number } | null>(null);
  const [keyed, goTo] = useState<number | null>(null);
  const [hovered, hover] = useState<number | null>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const shown = zoom ?? { from: 0, to: letters.length };
  const lanes = useMemo(
    () =>
      lanesOf(
        loops.map((loop) => loop.bursts.map(({ place }) => place)),
        MAX_LANES,
      ),
    [loops],
  );
  const bursts = useMemo(() => lanes.flat(), [lanes]);
  const bins = useMemo(
    () => binsOf(letters, acts, bursts, shown, Math.floor(width / 4)),
    [letters, acts, bursts, shown.from, shown.to, width],
  );
  const length = Math.max(1, shown.to - shown.from);
  const unit = Math.min(MAX_UNIT, width / length);
  const x = (moment: number): number =>
    (Math.min(shown.to, Math.max(shown.from, moment)) - shown.from) * unit;
  const at = (event: PointerEvent): number => {
    const left = event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
    return Math.max(shown.from, Math.min(shown.to - 1, shown.from + Math.floor(left / unit)));
  };
  const told = hovered ?? keyed ?? here ?? letters.length - 1;
  const bin = bins.find(({ from, to }) => from <= told && told < to);
  const text = bin ? wordsOf(bin, tell, loops, first, seconds) : '';
  const look = (factor: number): void => {
    const next = zoomed(shown, told, factor, letters.length);
    setZoom(next.to - next.from >= letters.length ? null : next);
  };
  const press = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (event.key === 'Enter') onChoose(told);
    else if (event.key === '+' || event.key === '=') look(0.5);
    else if (event.key === '-') look(2);
    else if (event.key === '0') setZoom(null);
    else if (move !== undefined) {
      hover(null);
      const step = bin ? bin.to - bin.from : 1;
      goTo(Math.min(shown.to - 1, Math.max(shown.from, told + move * step)));
    } else return;
    event.preventDefault();
  };
  const release = (event: PointerEvent): void => {
    const range = drag && {
      from: Math.min(drag.from, at(event)),
      to: Math.max(drag.from, at(event)) + 1,
    };
    setDrag(null);
    if (!range) return;
    if (range.to - range.from < Math.max(3, length / 100)) onChoose(at(event));
    else setZoom(range);
  };
  const height = TOP + BARS + 6 + lanes.length * LANE + (seconds.length > 0 ? AXIS : 4);
  const drawnWidth = Math.max(1, Math.min(width, length * unit));
  return (
    <div class="timeline">
      <div
        class="track"
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={`Timeline of ${counted(letters.length, 'moment')}; Enter shows the one that you are at, + and - zoom`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, letters.length - 1)}
        aria-valuenow={told}
        aria-valuetext={text}
        onKeyDown={press}
        onPointerMove={(event) => {
          hover(at(event));
          if (drag) setDrag({ ...drag, to: at(event) });
        }}
        onPointerDown={(event) => event.button === 0 && setDrag({ from: at(event), to: at(event) })}
        onPointerUp={release}
        onPointerLeave={() => {
          hover(null);
          setDrag(null);
        }}
        onBlur={() => goTo(null)}
      >
        <svg
          width={Math.min(width, Math.max(drawnWidth, LABEL))}
          height={height}
          aria-hidden="true"
        >
          {pausesIn(seconds, shown, 8).map(({ moment, lasted }) => (
            <g key={`pause-${moment}`} class="pause">
              <line x1={x(moment)} x2={x(moment)} y1={TOP} y2={height - AXIS + 4} />
              <title>{`${duration(lasted * 1000)} of silence`}</title>
            </g>
          ))}
          {bins.map((each) => (
            <Column
              key={each.from}
              bin={each}
              left={x(each.from)}
              wide={Math.min(
                each.to - each.from === 1 ? MAX_BAR : Infinity,
                Math.max(1, x(each.to) - x(each.from) - (unit > 5 ? 1 : 0)),
              )}
            />
          ))}
          {lanes.map((parts, lane) =>
            parts
              .filter(({ start, end }) => end >= shown.from && start < shown.to)
              .map(({ start, end }) => (
                <rect
                  key={`${lane} ${start}`}
                  class="burst"
                  x={x(start)}
                  y={TOP + BARS + 6 + lane * LANE}
                  width={Math.max(2, x(end + 1) - x(start) - (unit > 5 ? 1 : 0))}
                  height={LANE - 5}
                  rx={2}
                />
              )),
          )}
          {drag && (
            <rect
              class="chosen"
              x={x(Math.min(drag.from, drag.to))}
              y={0}
              width={Math.abs(x(drag.to) - x(drag.from))}
              height={height}
            />
          )}
          {here !== null && here >= shown.from && here < shown.to && (
            <line class="here" x1={x(here + 0.5)} x2={x(here + 0.5)} y1={0} y2={height} />
          )}
          {(hovered ?? keyed) !== null && (
            <line
              class="pointed"
              x1={x(told + 0.5)}
              x2={x(told + 0.5)}
              y1={TOP - 4}
              y2={height - 4}
            />
          )}
          <Axis {...{ seconds, shown, first, x, width: drawnWidth, y: height - 5 }} />
        </svg>
      </div>
      <div class="zoom">
        <p class="readout" aria-hidden="true">
          {(hovered ?? keyed) === null ? (
            <span class="for-mouse">
              Point at the timeline to read it, click to see the step, drag to zoom.
            </span>
          ) : (
            text
          )}
        </p>
        {letters.length > 20 && (
          <>
            <button type="button" onClick={() => look(0.5)} aria-label="Zoom in">
              +
            </button>
            <button
              type="button"
              onClick={() => look(2)}
              disabled={zoom === null}
              aria-label="Zoom out"
            >
              −
            </button>
            <button type="button" onClick={() => setZoom(null)} disabled={zoom === null}>
              All
            </button>
          </>
        )}
      </div>
    </div>
  );
}

/**
 * One column: the share of each kind from the bottom up, or a single moment; above it Unrut's
 * action.
 */
function Column({
  bin: { from, to, kinds, rung },
  left,
  wide,
}: {
  bin: Bin;
  left: number;
  wide: number;
}): JSX.Element {
  const total = to - from;
  const parts = [
    ...ORDER.flatMap((letter) =>
      kinds[letter]
        ? [[loopKindOf(letter).name, kinds[letter]!, TALL[letter] ?? 0.4] as const]
        : [],
    ),
  ];
  let bottom = TOP + BARS;
  return (
    <g>
      {parts.map(([name, count, tall]) => {
        const high = Math.max(2, (BARS * count * (total === 1 ? tall : 1)) / total);
        bottom -= high;
        return (
          <rect
            key={name}
            class={`bar ${name}`}
            x={left}
            y={Math.max(TOP, bottom)}
            width={wide}
            height={high}
          />
        );
      })}
      {rung > 0 && <ActSign rung={RUNGS[rung - 1] ?? 'note'} middle={left + wide / 2} />}
    </g>
  );
}

const ORDER = ['e', '-', 'b', 'w', '?', 'n', 'm', 'u'];

interface AxisProps {
  seconds: readonly number[];
  shown: { from: number; to: number };
  first: number;
  x(moment: number): number;
  width: number;
  y: number;
}

/** For shorter times, in seconds, the axis includes seconds. */
const SHORT = 1200;

/** The time axis, with the date if it changes. */
function Axis({ seconds, shown, first, x, width, y }: AxisProps): JSX.Element | null {
  if (seconds.length === 0 || !isKnownTime(first)) return null;
  let [before, dayBefore] = ['', ''];
  const isShort = (seconds[shown.to - 1] ?? 0) - (seconds[shown.from] ?? 0) < SHORT;
  return (
    <g class="axis">
      {ticksOf(seconds, shown, Math.max(1, Math.floor(width / 110))).map(
        ({ moment, seconds: since }) => {
          const time = first + since * 1000;
          const day = dayText(time);
          const clock = clockText(time).slice(0, isShort ? 8 : 5);
          const told = day === dayBefore ? clock : `${day.slice(5)} ${clock}`;
          const words = told === before ? '' : told;
          [before, dayBefore] = [told, day];
          return (
            <g key={moment}>
              <line
                class="tick"
                x1={x(moment) + 0.5}
                x2={x(moment) + 0.5}
                y1={y - 14}
                y2={y - 10}
              />
              <text x={x(moment)} y={y}>
                {words}
              </text>
            </g>
          );
        },
      )}
    </g>
  );
}

function wordsOf(
  bin: Bin,
  tell: TimelineProps['tell'],
  loops: TimelineProps['loops'],
  first: number,
  seconds: readonly number[],
): string {
  const { from, to, kinds, looping, rung } = bin;
  const [most] = Object.entries(kinds).sort(([, one], [, other]) => other - one);
  const kind = most ? loopKindOf(most[0]).meaning : 'a repeated call';
  const inside = loops.flatMap(({ bursts }, i) =>
    bursts.some(({ place }) => place.start < to && place.end >= from) ? [`in loop ${i + 1}`] : [],
  );
  const time =
    seconds.length > 0 && isKnownTime(first)
      ? `${clockText(first + (seconds[from] ?? 0) * 1000)} `
      : '';
  const name = RUNGS[rung - 1];
  return [
    time +
      (to - from === 1
        ? tell(from) || kind
        : `${number(to - from)} moments, mostly ${looping * 2 > to - from ? 'repeats' : kind}`),
    ...inside,
    ...(name ? [`Unrut ${DEEDS[name].does}`] : []),
  ].join('; ');
}
