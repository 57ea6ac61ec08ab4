import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../../src/report/figures.ts';
import { MAX } from '../../../src/report/html/bounds.ts';
import { loopKindOf } from '../../../src/report/html/kinds.ts';
import { type Bracket, binned, brackets } from '../../../src/report/html/timeline.ts';
import type { SessionLoop } from '../../../src/server/api/answers.ts';

interface StripProps {
  /** A letter for each moment of the session. */
  letters: string;
  loops: readonly SessionLoop[];
  /** The moment that is shown. */
  here: number | null;
  /** Words for a moment, where they are known. */
  tell(moment: number): string;
  onChoose(moment: number): void;
}

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

/** The whole session as a strip of signs with its loops as brackets below. Arrow keys go along it, Enter shows the moment. */
export function Strip({ letters, loops, here, tell, onChoose }: StripProps): JSX.Element {
  const size = Math.max(1, Math.ceil(letters.length / MAX.cells));
  const cells = useMemo(() => binned(letters, size), [letters, size]);
  const cellOf = (moment: number): number => Math.min(cells.length - 1, Math.max(0, Math.floor(moment / size)));
  const drawn = brackets(
    loops.map(({ place: { start, noticed, end } }, i) => ({ place: i + 1, loop: { light: false, start, firedAt: noticed, end } })),
    cellOf,
  );
  // A page that scrolls below a pointer at rest must not take the place that the keys have come to: only a move counts.
  const [keyed, goTo] = useState<number | null>(null);
  const [hovered, hover] = useState<number | null>(null);
  const pointed = hovered ?? keyed;
  const told = pointed ?? (here === null ? cells.length - 1 : cellOf(here));
  const text = [words(cells, told, size, letters.length, tell), ...loopsAt(drawn, told)].join('; ');
  const press = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (event.key === 'Enter') onChoose(told * size);
    else if (move !== undefined) {
      hover(null);
      goTo(Math.min(cells.length - 1, Math.max(0, told + move)));
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        class="strip"
        role="slider"
        tabIndex={0}
        aria-label={`Timeline of ${counted(letters.length, 'moment')}; Enter shows the one that you are at`}
        aria-valuemin={0}
        aria-valuemax={cells.length - 1}
        aria-valuenow={told}
        aria-valuetext={text}
        onKeyDown={press}
        onPointerLeave={() => hover(null)}
        onBlur={() => goTo(null)}
      >
        {cells.map((letter, i) => (
          // biome-ignore lint/a11y: the slider around it takes the keys.
          <i
            key={i}
            class={`${loopKindOf(letter).name}${i === told && pointed !== null ? ' here' : ''}`}
            onPointerMove={() => hover(i)}
            onClick={() => onChoose(i * size)}
          >
            {lanesAt(drawn, i)}
          </i>
        ))}
      </div>
      <p class="readout" aria-hidden="true">
        {pointed === null ? 'Point at a sign, or use the arrow keys, to read it; click or press Enter to see it below.' : text}
      </p>
    </>
  );
}

function words(cells: readonly string[], i: number, size: number, total: number, tell: StripProps['tell']): string {
  const meaning = loopKindOf(cells[i] ?? '?').meaning;
  if (size === 1) return tell(i) || meaning;
  return `${counted(Math.min(size, total - i * size), 'moment')}, mostly ${meaning}`;
}

function loopsAt(drawn: readonly Bracket[], i: number): string[] {
  return drawn
    .filter(({ start, end }) => start <= i && i <= end)
    .map(({ place, start, noticed, end }) => {
      const turns = [i === start && 'starts', i === noticed && 'is detected', i === end && 'ends'].filter(Boolean);
      return turns.length > 0 ? `loop ${place} ${turns.join(', ')} here` : `in loop ${place}`;
    });
}

/** The parts of brackets below one cell, one below the other. */
function lanesAt(drawn: readonly Bracket[], i: number): JSX.Element[] {
  const here = drawn.filter(({ start, end }) => start <= i && i <= end);
  const deepest = Math.max(-1, ...here.map(({ lane }) => lane));
  return Array.from({ length: deepest + 1 }, (_, lane) => {
    const bracket = here.find((each) => each.lane === lane);
    if (!bracket) return <b key={lane} />;
    const { place, start, noticed, end } = bracket;
    const parts = ['bracket', i === start && 'start', i === noticed && 'noticed', i > noticed && 'after', i === end && 'end'];
    return <b key={lane} class={parts.filter(Boolean).join(' ')} data-loop={place} />;
  });
}
