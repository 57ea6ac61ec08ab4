import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './build.ts';

/**
 * The moving picture of the README: what the commands really print on the bundled example, line by
 * line. The same program gives the same picture; a test compares.
 */

export const recordingFile = join(root, 'docs/images/first-minutes.svg');

const COLUMNS = 100;
/** The day after the example's session. */
const NOW = 1_793_700_000_000;
const HOME = '/home/dev';

/** A clock that stands still, and a terminal of this width. */
const SETTING = `const T = ${NOW}, D = Date;
globalThis.Date = class extends D {
  constructor(...given) { given.length > 0 ? super(...given) : super(T); }
  static now() { return T; }
};
process.stdout.isTTY = true; process.stdout.columns = ${COLUMNS};`;

/** A command as it is typed, and the lines that it printed, with their colours. */
export interface Recorded {
  typed: string;
  lines: string[];
}

/** Runs the commands of the first minutes on a machine with one session. */
export function recordCommands(cli: string): Recorded[] {
  const home = mkdtempSync(join(tmpdir(), 'unrut-recording-'));
  try {
    const sessions = join(home, '.claude', 'projects', 'shop');
    mkdirSync(sessions, { recursive: true });
    const session = join(sessions, 'demo.jsonl');
    copyFileSync(join(root, 'examples/stuck-on-a-test.jsonl'), session);
    utimesSync(session, NOW / 1000, NOW / 1000);
    return [[], ['install', 'claude-code']].map((args) => ({
      typed: ['npx unrut', ...args].join(' '),
      lines: run(cli, args, home),
    }));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function run(cli: string, args: readonly string[], home: string): string[] {
  const setting = `data:text/javascript,${encodeURIComponent(SETTING)}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', setting, cli, ...args],
    {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home, TZ: 'UTC' },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`unrut ${args.join(' ')}: exit ${status}: ${stderr}`);
  return stdout.replaceAll(home, HOME).trimEnd().split('\n');
}

/** The lines without colours. */
export const plainLines = ({ lines }: Recorded): string[] =>
  lines.map((line) => line.replaceAll(COLOUR, ''));

const COLOUR = /\u001b\[(\d+)m/g;
const CLASSES: Readonly<Record<string, string>> = {
  1: 'b',
  2: 'd',
  31: 'r',
  32: 'g',
  33: 'y',
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line of a terminal: pieces of text, each with its colour. */
type Piece = [text: string, colour: string | undefined];

/** A line of output as the terminal breaks it. */
function rowsOf(line: string): Piece[][] {
  const rows: Piece[][] = [[]];
  let [column, colour] = [0, undefined as string | undefined];
  const parts = line.split(COLOUR);
  for (const [i, part] of parts.entries()) {
    if (i % 2 === 1) {
      colour = CLASSES[part];
      continue;
    }
    for (const character of part) {
      if (column === COLUMNS) {
        rows.push([]);
        column = 0;
      }
      const last = rows.at(-1)!.at(-1);
      if (last && last[1] === colour) last[0] += character;
      else rows.at(-1)!.push([character, colour]);
      column++;
    }
  }
  return rows;
}

const [TOP, LINE, CHARACTER, LEFT] = [46, 19, 7.83, 18];
/** Seconds: until a command is typed, between two lines that it prints, and after it. */
const [TYPE, STEP, REST] = [1.2, 0.12, 3];

/** The picture: each line appears when its time has come, and stays. */
export function drawRecording(recorded: readonly Recorded[]): string {
  const rows: string[] = [];
  let [second, y] = [0.4, TOP];
  const add = (content: string, kind = ''): void => {
    if (content !== '')
      rows.push(
        `<text x="${LEFT}" y="${y}"${kind} style="animation-delay:${second.toFixed(1)}s">${content}</text>`,
      );
    y += LINE;
  };
  for (const { typed, lines } of recorded) {
    add(`<tspan class="g">$</tspan> ${escaped(typed)}`, ' class="b"');
    second += TYPE;
    for (const row of lines.flatMap(rowsOf)) {
      add(row.map(pieceText).join(''));
      second += STEP;
    }
    y += LINE / 2;
    second += REST;
  }
  const [width, height] = [Math.ceil(COLUMNS * CHARACTER + 2 * LEFT), Math.ceil(y)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: ${recorded.map(({ typed }) => escaped(typed)).join(', then ')}">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d8dee9; white-space: pre; animation: show 0.01s both; }
.b { font-weight: 700; fill: #fff; } .d { fill: #8b95a7; } .r { fill: #ff7b72; } .g { fill: #7ee787; } .y { fill: #f2cc60; }
@keyframes show { from { opacity: 0; } to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#161b22"/>
<circle cx="20" cy="17" r="5.5" fill="#ff5f57"/><circle cx="38" cy="17" r="5.5" fill="#febc2e"/><circle cx="56" cy="17" r="5.5" fill="#28c840"/>
${rows.join('\n')}
</svg>
`;
}

const pieceText = ([text, colour]: Piece): string =>
  colour === undefined ? escaped(text) : `<tspan class="${colour}">${escaped(text)}</tspan>`;
