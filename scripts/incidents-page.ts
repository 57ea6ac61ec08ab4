import { join } from 'node:path';
import { INCIDENTS, type Incident } from '../test/incidents/incidents.ts';
import { replay, type Said } from '../test/incidents/replay.ts';
import { root } from './build.ts';
import { wrapped } from './wrap.ts';

export const incidentsFile: string = join(root, 'docs/what-it-would-have-said.md');

const OPENING = `# What it would have said

Five incidents that people reported in public, replayed. Each is a trace made after the report
(\`test/incidents/\`), shown to the guard with its default settings, event by event; what it blocks
does not run. Beside each is an honest twin, which begins alike and must raise no alarm.
\`npm run format\` writes this page, and the tests check it.
`;

/** The action of a rung, in words for the table. */
const DEEDS: Readonly<Record<string, string>> = {
  note: 'tells the agent',
  hint: 'tells the agent more',
  block: 'blocks the call',
  escalate: 'asks a human',
  stop: 'stops the run',
};

/** A reminder is not an alarm. */
export const isAlarm = ({ reason }: Said): boolean => reason !== 'amnesia/brief';

/** The first time that each rung is used for each reason: the rest is the same again. */
function firsts(all: readonly Said[]): Said[] {
  const known = new Set<string>();
  return all.filter(({ rung, reason }) => {
    const key = `${rung} ${reason}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function timeText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const linkOf = (report: string): string => {
  const [repo, number] = report.split('#');
  return `[${report}](https://github.com/${repo}/issues/${number})`;
};

/** What is read by the model, or by a human where only a human reads it. */
const wordsOf = ({ rung, toModel, toHuman }: Said): string =>
  rung === 'escalate' || rung === 'stop' || toModel === '' ? toHuman : toModel;

function section(incident: Incident): string {
  const { title, reports, story, events, twin, until, unattended } = incident;
  const how = {
    ...(until === undefined ? {} : { until }),
    attended: unattended !== true,
  };
  const said = replay(events(), how);
  const deeds = unattended ? { ...DEEDS, escalate: 'notifies' } : DEEDS;
  const rows = firsts(said).map(
    (each) =>
      `| ${timeText(each.at)} | ${deeds[each.rung]} (\`${each.reason}\`) | ${cell(wordsOf(each))} |`,
  );
  const line = said.find(({ toHuman }) => toHuman.includes(' To allow it, '))?.toHuman;
  const twins = replay(twin.events(), how);
  const quiet = twins.some(isAlarm)
    ? 'an alarm, which is wrong'
    : twins.length > 0
      ? 'no alarm, only the reminder after a compaction'
      : 'nothing';
  return [
    `## ${title}`,
    '',
    `${reports.map(linkOf).join(', ')}. ${story}`,
    '',
    '| after | Unrut | words |',
    '|---|---|---|',
    ...rows,
    '',
    ...(line ? [`The first line for the human names what is missing: *${cell(line)}*`, ''] : []),
    `Its twin, ${twin.story}: ${quiet}.`,
    '',
  ].join('\n');
}

/** The page, from the incidents as the tests replay them. */
export const makeIncidentsPage = (): string =>
  wrapped(`${OPENING}\n${INCIDENTS.map(section).join('\n')}`);
