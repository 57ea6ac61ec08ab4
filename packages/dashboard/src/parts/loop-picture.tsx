import { RUNGS } from '@unrut/engine/event';
import { printable } from '@unrut/engine/text/printable';
import { number } from '@unrut/ledger/report/figures';
import { loopKindOf } from '@unrut/ledger/report/html/kinds';
import { DEEDS } from '@unrut/ledger/report/rung-words';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import {
  brackets,
  type Fitted,
  fitted,
  joins,
  labelled,
  type Picture,
  type PictureStep,
} from '../picture-layout.ts';
import { laneText, pictureText } from '../picture-words.ts';
import { ActSign } from './act-sign.tsx';
import { OUTCOMES } from './session-words.tsx';
import { useWidth } from './use-width.ts';

/** Below this width, names stand above their rows. */
const NARROW = 700;
const NAMES = 210;
const COUNTS = 190;
const LEAST_UNIT = 11;
const MAX_UNIT = 46;
const TOP = 26;
const ROW = { wide: 30, narrow: 44 };
const NEWS = 34;
const ACTS = 46;
const AXIS = 20;
/** Pixels per letter of a small label. */
const LETTER = 6.2;

interface Drawn extends Fitted {
  x(index: number): number;
  unit: number;
  isNarrow: boolean;
  width: number;
}

/**
 * A picture of a loop: a lane for each call with equal answers joined, the novelty of results, and
 * Unrut's actions.
 */
export function LoopPicture({ picture, name }: { picture: Picture; name: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 1000);
  const isNarrow = width < NARROW;
  const [left, right] = isNarrow ? [8, 8] : [NAMES, COUNTS];
  const room = width - left - right;
  const shown = fitted(picture, Math.floor(room / LEAST_UNIT) - 2);
  const gap = shown.left > 0 ? 2 : 0;
  const unit = Math.min(MAX_UNIT, room / Math.max(1, shown.steps.length + gap));
  const drawn: Drawn = {
    ...shown,
    unit,
    isNarrow,
    width,
    x: (index) => left + (index + 0.5 + (shown.left > 0 && index >= shown.before ? gap : 0)) * unit,
  };
  const others = shown.steps.some(({ lane, step }) => lane < 0 && step !== undefined);
  const rows = picture.lanes.length + (others ? 1 : 0);
  const row = isNarrow ? ROW.narrow : ROW.wide;
  const news = TOP + rows * row;
  const title = isNarrow ? 14 : 0;
  const acts = news + NEWS + title + 8;
  const hasActs = shown.steps.some(({ act }) => act !== undefined);
  const axis = acts + (hasActs ? ACTS + title : 0);
  return (
    <figure class="loop-picture">
      <div ref={box}>
        <svg
          width={width}
          height={axis + AXIS}
          role="img"
          aria-label={`${name} as a picture. ${pictureText(picture).join(' ')}`}
        >
          <Brackets drawn={drawn} height={news + NEWS + title - TOP} />
          {picture.lanes.map((lane, i) => (
            <Row
              key={lane.what}
              drawn={drawn}
              y={TOP + i * row}
              name={printable(lane.what)}
              counts={laneText(lane)}
              isCode
            />
          ))}
          {others && (
            <Row drawn={drawn} y={TOP + picture.lanes.length * row} name="other steps" counts="" />
          )}
          <Marks drawn={drawn} lanes={picture.lanes.length} row={row} />
          <News drawn={drawn} y={news} since={picture.nothingSince} />
          {hasActs && <Acts drawn={drawn} y={acts} />}
          {shown.left > 0 && <Left drawn={drawn} height={axis} />}
          <Axis drawn={drawn} y={axis + AXIS - 6} />
        </svg>
      </div>
      <Key />
    </figure>
  );
}

/** The vertical position of a row: below its name on a narrow page. */
const middleOf = (y: number, isNarrow: boolean): number => y + (isNarrow ? 28 : ROW.wide / 2);

function Row({
  drawn: { isNarrow, width, x, steps },
  y,
  name,
  counts,
  isCode = false,
}: {
  drawn: Drawn;
  y: number;
  name: string;
  counts: string;
  isCode?: boolean;
}): JSX.Element {
  const middle = middleOf(y, isNarrow);
  const from = isNarrow ? 8 : NAMES - 6;
  const end = x(Math.max(0, steps.length - 1)) + 6;
  const letters = Math.floor((isNarrow ? width - 16 : NAMES - 20) / (isCode ? 7.3 : LETTER));
  const shown = name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
  return (
    <g>
      <line class="rail" x1={from} x2={end} y1={middle} y2={middle} />
      <text
        class={isCode ? 'code' : 'small'}
        x={isNarrow ? 8 : 0}
        y={isNarrow ? y + 12 : middle + 4}
      >
        {shown}
        <title>{`${name}${counts && `, ${counts}`}`}</title>
      </text>
      {!isNarrow && counts !== '' && (
        <text class="small" x={end + 12} y={middle + 4}>
          {counts}
        </text>
      )}
    </g>
  );
}

function Marks({ drawn, lanes, row }: { drawn: Drawn; lanes: number; row: number }): JSX.Element {
  const { steps, x, isNarrow } = drawn;
  const before = joins(drawn);
  const y = ({ lane }: PictureStep): number =>
    middleOf(TOP + (lane < 0 ? lanes : lane) * row, isNarrow);
  return (
    <>
      {steps.map((step, i) =>
        before[i]! >= 0 ? (
          <line
            key={`join ${step.place}`}
            class="join"
            x1={x(before[i]!)}
            x2={x(i)}
            y1={y(step)}
            y2={y(step)}
          />
        ) : null,
      )}
      {steps.map((step, i) =>
        step.step === undefined ? null : (
          <Mark key={step.place} letter={step.letter} x={x(i)} y={y(step)} />
        ),
      )}
    </>
  );
}

/** Colour and shape both tell the outcome of a step. */
function Mark({ letter, x, y }: { letter: string; x: number; y: number }): JSX.Element {
  const { name, meaning } = loopKindOf(letter);
  const title = <title>{meaning}</title>;
  if (letter === 'b')
    return (
      <rect class={`mark ${name}`} x={x - 4} y={y - 4} width={8} height={8}>
        {title}
      </rect>
    );
  if (letter === 'e')
    return (
      <path class={`mark ${name}`} d={`M${x} ${y - 6}l6 6l-6 6l-6 -6z`}>
        {title}
      </path>
    );
  return (
    <circle class={`mark ${name}`} cx={x} cy={y} r={letter === 'n' ? 5.5 : 4}>
      {title}
    </circle>
  );
}

function News({
  drawn: { steps, x, unit, isNarrow },
  y,
  since,
}: {
  drawn: Drawn;
  y: number;
  since: number | undefined;
}): JSX.Element {
  const floor = y + NEWS + (isNarrow ? 14 : 0);
  const end = x(Math.max(0, steps.length - 1));
  return (
    <g>
      <text class="small" x={isNarrow ? 8 : 0} y={isNarrow ? y + 12 : floor - 4}>
        new information
      </text>
      <line class="rail" x1={isNarrow ? 8 : NAMES - 6} x2={end + 6} y1={floor} y2={floor} />
      {steps.map(({ novelty, place, step }, i) =>
        novelty === undefined || step === undefined ? null : (
          <rect
            key={place}
            class={novelty > 0 ? 'news' : 'news none'}
            x={x(i) - Math.min(7, unit / 2 - 1)}
            y={floor - Math.max(2, novelty * (NEWS - 8))}
            width={Math.min(14, unit - 2)}
            height={Math.max(2, novelty * (NEWS - 8))}
          >
            <title>{`step ${number(step)}: ${Math.round(100 * novelty)}% new`}</title>
          </rect>
        ),
      )}
      {!isNarrow && since !== undefined && (
        <text class="small strong" x={end + 18} y={floor - 4}>
          {`nothing new since step ${number(since)}`}
        </text>
      )}
    </g>
  );
}

function Acts({ drawn, y }: { drawn: Drawn; y: number }): JSX.Element {
  const { steps, x, isNarrow } = drawn;
  const top = y + (isNarrow ? 14 : 0);
  const acted = steps.flatMap((each, i) => (each.act ? [{ ...each, act: each.act, i }] : []));
  // The same thing again says nothing more.
  const labels = acted.map(({ act, i }, at) => ({
    x: x(i),
    text: act.rung === acted[at - 1]?.act.rung ? '' : DEEDS[act.rung].brief,
    weight: RUNGS.indexOf(act.rung),
  }));
  const isShown = labelled(labels, LETTER);
  return (
    <g>
      <text class="small" x={isNarrow ? 8 : 0} y={isNarrow ? y + 12 : top + 13}>
        Unrut
      </text>
      {acted.map(({ act, i, place }, at) => (
        <g key={place} class={`act ${act.shadow ? 'shadow' : (act.outcome ?? '')}`}>
          <g transform={`translate(0 ${top})`}>
            <ActSign rung={act.rung} middle={x(i)} />
          </g>
          <title>
            {[
              DEEDS[act.rung].brief,
              act.shadow ? 'only recorded' : act.outcome && OUTCOMES[act.outcome].name,
            ]
              .filter(Boolean)
              .join(': ')}
          </title>
          {isShown[at] && (
            <text class="small" x={x(i)} y={top + 28} text-anchor="middle">
              {labels[at]!.text}
              {act.outcome === 'recovered' && !act.shadow && ' ✓'}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

const Brackets = ({ drawn, height }: { drawn: Drawn; height: number }): JSX.Element => (
  <>
    {brackets(drawn).map(({ from, to }, i) => {
      const [start, end] = [drawn.x(from) - drawn.unit / 2, drawn.x(to) + drawn.unit / 2];
      return (
        <g key={from}>
          <rect class="within" x={start} y={TOP - 6} width={end - start} height={height + 6} />
          <path class="bracket" d={`M${start + 1} ${TOP - 6}v-6H${end - 1}v6`} />
          {i === 0 && (
            <text class="small strong" x={start} y={11}>
              the loop
            </text>
          )}
        </g>
      );
    })}
  </>
);

/** The mark of steps that are left out. */
function Left({
  drawn: { x, unit, before, left },
  height,
}: {
  drawn: Drawn;
  height: number;
}): JSX.Element {
  const middle = x(before) - 1.5 * unit;
  return (
    <g class="left">
      <rect x={middle - 0.9 * unit} y={TOP - 6} width={1.8 * unit} height={height - TOP + 2} />
      <text
        class="small"
        text-anchor="middle"
        transform={`translate(${middle + 4} ${(TOP + height) / 2}) rotate(-90)`}
      >
        {`${number(left)} more`}
      </text>
    </g>
  );
}

function Axis({ drawn: { steps, x, isNarrow }, y }: { drawn: Drawn; y: number }): JSX.Element {
  const ticks = steps.flatMap(({ step }, i) =>
    step === undefined ? [] : [{ x: x(i), text: number(step) }],
  );
  const isShown = labelled(ticks, 12);
  return (
    <g class="axis">
      {!isNarrow && (
        <text class="small" x={0} y={y}>
          step
        </text>
      )}
      {ticks.map((tick, i) =>
        isShown[i] ? (
          <text key={tick.text} x={tick.x} y={y} text-anchor="middle">
            {tick.text}
          </text>
        ) : null,
      )}
    </g>
  );
}

const KEY = ['n', '-', 'e', 'b'] as const;
const KEY_WORDS = { n: 'something new', '-': 'nothing new', e: 'failed', b: 'blocked' };

const Key = (): JSX.Element => (
  <figcaption>
    {KEY.map((letter) => (
      <span key={letter}>
        <svg width={16} height={16} aria-hidden="true">
          <Mark letter={letter} x={8} y={8} />
        </svg>
        {KEY_WORDS[letter]}
      </span>
    ))}
    <span>
      <svg width={26} height={16} aria-hidden="true">
        <line class="join" x1={1} x2={25} y1={8} y2={8} />
      </svg>
      same answer
    </span>
  </figcaption>
);
