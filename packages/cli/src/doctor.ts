import { examine, type Health } from '@unrut/agents/install/doctor/examine';
import type { AgentHealth, Connection } from '@unrut/agents/install/doctor/examine-agent';
import { commandWord } from '@unrut/agents/install/hook-files';
import { switchProblems } from '@unrut/computer-use/switches';
import { printable } from '@unrut/engine/text/printable';
import { shellWord } from '@unrut/engine/text/shell-word';
import { counted } from '@unrut/ledger/report/figures';
import { lasting } from '@unrut/ledger/report/time-text';
import { flagOption, optionLines } from './arguments.ts';
import { here, PLACES } from './chosen-agents.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { EXIT } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printJson } from './printed.ts';

const OPTIONS = {
  json: flagOption('print everything as one JSON object'),
} as const;

const HELP = `unrut doctor [options]

Check which coding agents are on this machine, which are connected, whether their hooks work (each is called once, with a temporary
ledger), when each was last seen, and whether the config and the ledger are in order. Changes nothing.

${optionLines(OPTIONS, 10)}

Exit codes: 0 no problems, 1 problems found, 64 usage error.`;

/** Sessions that are named as switched off; the JSON has all. */
const MAX_OFF = 3;

/** `unrut doctor`. */
export const doctor = defineCommand(
  { name: 'doctor', help: HELP, options: OPTIONS, operands: NO_OPERANDS },
  async ({ values }) => {
    const at = here();
    const health = await examine(at, {
      cwd: process.cwd(),
      drivers: DRIVERS,
      problems: switchProblems(process.env),
    });
    if (values.json) printJson<'doctor'>(health);
    else
      for (const line of shown(health, Date.now(), commandWord(at))) console.log(printable(line));
    return health.problems.length > 0 ? EXIT.loops : EXIT.ok;
  },
);

function shown(
  { node, server, ledger, off, offSessions = [], agents, problems, notes }: Health,
  now: number,
  unrut: string,
): string[] {
  const { path, bytes, writable, lastEvent } = ledger;
  const size = bytes === null ? [] : [`${Math.ceil(bytes / 1024)} KB`];
  const content =
    bytes === 0
      ? 'empty'
      : [...size, `last event ${ago(lastEvent, now)}`].join(', ') + failures(ledger);
  const missing = agents.filter(({ found, connections }) => !found && connections.length === 0);
  return [
    `Node               ${node}`,
    ...(server
      ? [
          `Server             ${server.url}: ${server.answers ? 'answers hooks and records' : 'cannot be used'}`,
        ]
      : []),
    `Ledger             ${path}: ${content}`,
    ...(off === undefined
      ? []
      : [`Switched off       ${off}: it only records. Switch it on: ${unrut} on`]),
    ...offSessions
      .slice(0, MAX_OFF)
      .map(
        (name) =>
          `Switched off       for session ${name}: it only records. Switch it on: ${unrut} on --session ${shellWord(name)}`,
      ),
    ...(offSessions.length > MAX_OFF
      ? [`Switched off       for ${counted(offSessions.length - MAX_OFF, 'more session')}`]
      : []),
    ...agents
      .filter((agent) => !missing.includes(agent))
      .flatMap((agent) => agentLines(agent, writable, now, unrut)),
    ...(missing.length > 0
      ? [`Not found          ${missing.map(({ label }) => label).join(', ')}`]
      : []),
    ...(problems.length > 0
      ? ['', `${problems.length === 1 ? '1 problem' : `${problems.length} problems`}:`]
      : []),
    ...problems.map((problem, i) => `${i + 1}. ${problem}`),
    ...(notes.length > 0 ? ['', 'Cannot be enforced:'] : []),
    ...notes.map((note) => `- ${note}`),
  ];
}

const failures = ({ faults, notUnderstood, pending }: Health['ledger']): string =>
  [
    ...(faults > 0 ? [`, ${counted(faults, 'fault')} in the last 24 hours`] : []),
    ...(pending > 0
      ? [`, ${counted(pending, 'hook')} waiting to be recorded by the next one`]
      : []),
    ...(notUnderstood > 0 ? [`, ${counted(notUnderstood, 'payload')} not understood`] : []),
  ].join('');

function agentLines(
  { name, label, connections, lastEvent, notes }: AgentHealth,
  writable: boolean,
  now: number,
  unrut: string,
): string[] {
  const first = label.padEnd(18);
  if (connections.length === 0) return [`${first} not connected: ${unrut} install ${name}`];
  const works = writable ? 'works' : 'works, but cannot record';
  const stateOf = ({ fires, held }: Connection): string =>
    !fires ? 'does not work' : held ? 'does not work yet' : works;
  return [
    ...connections.map(
      (connection, i) =>
        `${i === 0 ? first : ' '.repeat(18)} connected ${PLACES[connection.scope]} (${connection.path})${connection.shadow ? ', record-only' : ''}: ${stateOf(connection)}`,
    ),
    ...(connections.length > 1
      ? [
          `${' '.repeat(18)} connected ${connections.length === 2 ? 'twice' : `${connections.length} times`}: each call counts once, but starts ${connections.length === 2 ? 'an extra process' : 'extra processes'}`,
        ]
      : []),
    `${' '.repeat(18)} ${lastEvent === null ? 'never seen' : `last seen ${ago(lastEvent, now)}`}`,
    ...notes.map((note) => `${' '.repeat(18)} ${note}`),
  ];
}

const ago = (at: number | null, now: number): string =>
  at === null ? 'never' : `${lasting(now - at)} ago`;
