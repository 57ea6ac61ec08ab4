import { join } from 'node:path';
import { CLIMBS } from '../packages/engine/src/policy/ladder-table.ts';
import { root } from './build.ts';

export const pictureFile: string = join(root, 'docs/images/ladder.svg');

const STEP = { width: 150, rise: 44, box: 112, height: 40 };
const MARGIN = 24;
const COLOURS = ['#475569', '#0f766e', '#0369a1', '#a16207', '#c2410c', '#b91c1c'];

/** States from the first to the last that a streak climbs to, each with the rungs that lead to it. */
function steps(): { state: string; rungs: string[] }[] {
  const states = [...new Set(CLIMBS.map(({ to }) => to))];
  return [
    { state: 'seen', rungs: [] },
    ...states.map((state) => ({
      state,
      rungs: CLIMBS.filter(({ to }) => to === state).map(({ rung }) => rung),
    })),
  ];
}

const text = (x: number, y: number, words: string, style: string): string =>
  `<text x="${x}" y="${y}" ${style}>${words}</text>`;

/** The rungs of the ladder as stairs, on a card that is readable on light and dark pages. */
export function makeLadderPicture(): string {
  const list = steps();
  const width = MARGIN * 2 + STEP.width * (list.length - 1) + STEP.box;
  const height = MARGIN * 2 + STEP.rise * (list.length - 1) + STEP.height + 40;
  const parts = list.flatMap(({ state, rungs }, i) => {
    const x = MARGIN + i * STEP.width;
    const y = MARGIN + (list.length - 1 - i) * STEP.rise;
    const middle = y + STEP.height / 2;
    const box = [
      `<rect x="${x}" y="${y}" width="${STEP.box}" height="${STEP.height}" rx="8" fill="${COLOURS[i % COLOURS.length]}"/>`,
      text(
        x + STEP.box / 2,
        middle + 5,
        state,
        'text-anchor="middle" fill="#fff" font-weight="600"',
      ),
    ];
    if (i === 0) return box;
    const from = y + STEP.rise;
    const label = text(
      x + 12,
      from + STEP.height + 18,
      rungs.join(', '),
      'text-anchor="middle" fill="#334155" font-size="12"',
    );
    const arrow = `<path d="M${x - STEP.width + STEP.box} ${from + STEP.height / 2} H${x + STEP.box / 2} V${y + STEP.height + 4}" fill="none" stroke="#64748b" stroke-width="1.5" marker-end="url(#end)"/>`;
    return [...box, arrow, label];
  });
  const note =
    'Progress or a user message ends a streak. If the loop returns, it resumes there, or lower.';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The ladder: ${list.map(({ state }) => state).join(', ')}" font-family="system-ui, sans-serif" font-size="14">
<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#64748b"/></marker></defs>
<rect width="${width}" height="${height}" rx="12" fill="#f8fafc"/>
${parts.join('\n')}
${text(MARGIN, height - 16, note, 'fill="#334155" font-size="12"')}
</svg>
`;
}
