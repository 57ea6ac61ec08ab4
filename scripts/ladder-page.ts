import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOUBTS } from '../packages/engine/src/policy/ladder.ts';
import {
  ASIDES,
  AT_END,
  BY_PRICE,
  CLIMBS,
  LEAVING,
  OPEN_STATES,
  RETURNING,
  STREAK_EVENTS,
  STREAK_STATES,
  type Transition,
} from '../packages/engine/src/policy/ladder-table.ts';
import { root } from './build.ts';

export const ladderFile: string = join(root, 'docs/ladder.md');

const BEGIN = '<!-- Made by `npm run format` from packages/engine/src/policy/ladder-table.ts. -->';
const END = '<!-- End of the ladder. -->';

type Move = Pick<Transition<never>, 'name' | 'from' | 'on' | 'says' | 'gives'>;

/** Every move that is not a climb. */
export const MOVES: readonly Move[] = [
  ...Object.values(ASIDES),
  ...AT_END,
  ...Object.values(BY_PRICE),
  ...RETURNING,
  ...LEAVING,
];

/** Composite state of the picture: a streak that is open and climbs. */
const OPEN = 'open';

/** Consecutive transitions to other states: `seen --> told : note`. */
function climbArrows(): string[] {
  const arrows: string[] = [];
  let from: string = 'seen';
  for (const to of new Set(CLIMBS.map((climb) => climb.to))) {
    const rungs = CLIMBS.filter((climb) => climb.to === to).map(({ rung }) => rung);
    arrows.push(`${from} --> ${to} : ${rungs.join(', ')}`);
    from = to;
  }
  return arrows;
}

const isOpenState = (state: string): boolean =>
  (OPEN_STATES as readonly string[]).includes(state) || state === 'ending';

/** Where an arrow begins: one for all open states together, otherwise one for each state. */
const startsOf = ({ from }: Move): readonly string[] =>
  OPEN_STATES.every((state) => from.includes(state))
    ? [OPEN, ...from.filter((state) => !isOpenState(state))]
    : from;

function arrowsOf(move: Move): string[] {
  const { name, gives } = move;
  if (move.on === 'price') return [];
  return startsOf(move).map((from) => {
    const to = { same: from, back: OPEN, gone: '[*]' }[gives as string] ?? gives;
    return `${from} --> ${to} : ${name}`;
  });
}

const isInside = (arrow: string): boolean =>
  [...arrow.split(' : ')[0]!.matchAll(/[\w[\]*]+/g)].every(([state]) => isOpenState(state));

/** The picture: all moves but those by price, which may come at any time and change no state. */
function makePicture(): string {
  const arrows = [...new Set([...climbArrows(), ...MOVES.flatMap(arrowsOf)])];
  return [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${OPEN}`,
    `  state ${OPEN} {`,
    '    [*] --> seen',
    ...arrows.filter(isInside).map((arrow) => `    ${arrow}`),
    '  }',
    ...arrows.filter((arrow) => !isInside(arrow)).map((arrow) => `  ${arrow}`),
    '```',
  ].join('\n');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const namesOf = (list: readonly { name: string }[]): string =>
  list.map(({ name }) => `*${name}*`).join(', ');

const LEADS_TO: Readonly<Record<string, string>> = {
  same: 'the same state',
  back: 'the state of its last plan',
  gone: 'forgotten',
};

/** The picture and its tables, as the code is now. */
function makeLadder(): string {
  const conditions = new Map(
    CLIMBS.flatMap(({ open, due }) => [...open, ...due]).map((each) => [each.name, each]),
  );
  return [
    BEGIN,
    makePicture(),
    table(
      ['state', 'meaning'],
      Object.entries(STREAK_STATES).map(([name, says]) => [`\`${name}\``, says]),
    ),
    '## Climbing',
    'From the least force to the most. A rung that is not open is left out. Until it is due, the\nstreak waits where it is.',
    table(
      ['rung', 'leads to', 'when', 'open if', 'due if'],
      CLIMBS.map(({ rung, to, on, open, due }) => [
        `\`${rung}\``,
        `\`${to}\``,
        STREAK_EVENTS[on],
        namesOf(open),
        namesOf(due),
      ]),
    ),
    table(
      ['condition', 'holds if'],
      [...conditions.values()].map(({ name, says }) => [`*${name}*`, says]),
    ),
    'Certainty limits how high a streak may climb. The lowest limit counts.',
    table(
      ['doubt', 'highest rung'],
      DOUBTS.map(({ name, gives }) => [`*${name}*`, `\`${gives}\``]),
    ),
    '## Other moves',
    table(
      ['move', 'from', 'when', 'if', 'leads to'],
      MOVES.map(({ name, from, on, says, gives }) => [
        `*${name}*`,
        OPEN_STATES.every((state) => from.includes(state))
          ? [
              `any \`${OPEN}\``,
              ...from.filter((state) => !isOpenState(state)).map((state) => `\`${state}\``),
            ].join(', ')
          : from.map((state) => `\`${state}\``).join(', '),
        STREAK_EVENTS[on],
        says,
        LEADS_TO[gives] ?? `\`${gives}\``,
      ]),
    ),
    END,
  ].join('\n\n');
}

/** The page with its picture and tables as the code is now. */
export function withLadder(page: string = readFileSync(ladderFile, 'utf8')): string {
  const [before, rest = ''] = page.split(BEGIN);
  return rest.includes(END) ? `${before}${makeLadder()}${rest.split(END)[1]}` : page;
}
