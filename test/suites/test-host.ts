import type { HookMemory, Host } from '@unrut/agents/hosts/define-host';
import type { Order } from '@unrut/agents/settings-files/order';
import { type AgentEvent, RUNGS, type Rung } from '@unrut/engine/event';
import { emptyVerdict, type Verdict } from '@unrut/engine/guard';
import type { JsonObject } from '@unrut/engine/json';
import { whyNotAnEvent } from '@unrut/engine/read-event';
import { createSource } from '@unrut/logs/importers/source';
import { type Case, check, planOn } from '../../packages/testing/src/case.ts';

/** What is known of a host besides its declaration. What does not apply to it is missing. */
export interface HostSamples {
  /** Recorded payloads: those of one session in each list, in the order in which they came. */
  payloads?: readonly (readonly JsonObject[])[];
  /** Recorded runs: the records of one file in each list. */
  transcripts?: readonly (readonly unknown[])[];
  /** Settings files as people have them. */
  settings?: readonly string[];
  /** The README of its folder. */
  readme?: string;
}

const MALFORMED: readonly unknown[] = [
  ...[undefined, null, 0, '', 'text', [], {}, [[[]]]],
  ...[
    { type: 1 },
    { hook_event_name: 'X' },
    { tool_input: null },
    { hook_event_name: 'PreToolUse', session_id: 3 },
  ],
];

/** What every host promises, as far as it applies to it. */
export function testHost(
  host: Host,
  { payloads = [], transcripts = [], settings = [], readme }: HostSamples,
): Case[] {
  const about = (what: string, run: () => void): Case => ({ name: `${host.name}: ${what}`, run });
  return [
    about('has samples of what it declares, and a README with the command that installs it', () => {
      check(!host.hooks || payloads.length > 0, 'expected recorded payloads of a host with hooks');
      check(
        !host.transcripts || transcripts.length > 0,
        'expected recorded runs of a host with transcripts',
      );
      if (!host.hooks) return;
      check(
        readme?.startsWith(`# ${host.name}\n\n    unrut install ${host.name}\n`),
        'expected a README that begins with its name and how to install it',
      );
      for (const part of ['| is read as | can bring about |', '`fixtures/` '])
        check(readme!.includes(part), `expected ${part} in the README`);
    }),
    ...(host.hooks ? hookCases(host, payloads, about) : []),
    ...(host.hooks && readme
      ? [
          about('says in its README which rungs each hook can bring about', () =>
            checkRungs(host, payloads.flat(), readme),
          ),
        ]
      : []),
    ...(host.transcripts
      ? [
          about('reads its recorded runs, knows every record, and throws on nothing', () =>
            checkTranscripts(host, transcripts),
          ),
        ]
      : []),
    ...(host.install
      ? [
          about('takes out of settings what it has put there, to the byte', () =>
            checkInstall(host, settings),
          ),
        ]
      : []),
  ];
}

type About = (what: string, run: () => void) => Case;

function hookCases(host: Host, sessions: readonly (readonly JsonObject[])[], about: About): Case[] {
  const payloads = sessions.flat();
  const understood = payloads.flatMap((payload) => host.understand(payload) ?? []);
  return [
    about('reads valid events from its recorded payloads, all of which it understands', () => {
      check(
        understood.length === payloads.length,
        'expected every recorded payload to be understood',
      );
      for (const session of sessions) {
        const names = new Set(session.map((payload) => host.understand(payload)?.session));
        check(names.size === 1, `expected one session, got ${[...names].join(', ')}`);
        const events = readAll(host, session);
        check(events.length > 0, 'expected at least one event from the recorded payloads');
        for (const event of events)
          check(whyNotAnEvent(event) === undefined, whyNotAnEvent(event) ?? '');
      }
    }),
    about('gives no event for unknown or malformed input, and never throws', () => {
      for (const payload of MALFORMED)
        check(
          !host.understand(payload),
          `expected nothing to be understood in ${JSON.stringify(payload)}`,
        );
    }),
    about('answers with JSON for each rung that it has, and with nothing without a plan', () => {
      check(
        understood.some((each) => host.can(each).length > 0),
        'expected that something can be done about one of the recorded payloads',
      );
      for (const each of understood) {
        check(host.write([verdict(null)], each) === null, 'expected no answer without a plan');
        for (const rung of host.can(each)) {
          const answer = host.write([verdict(rung)], each);
          check(JSON.stringify(answer) !== undefined, `expected a JSON answer for ${rung}`);
        }
      }
    }),
    about('declares whether a call that is told twice is known again', () => {
      // A hook for one kind of tool is not installed where one for all of them is.
      const installed = sessions.map((session) =>
        session.filter((payload) => !host.understand(payload)?.told.isDetail),
      );
      const isOnce = installed.every((session) => {
        const twice = session.flatMap((payload) => [payload, payload]);
        return (
          JSON.stringify(callsIn(readAll(host, twice))) ===
          JSON.stringify(callsIn(readAll(host, session)))
        );
      });
      check(isOnce === host.hooks!.callsHaveIds, `expected callsHaveIds to be ${isOnce}`);
    }),
  ];
}

/**
 * Each row of the README's table names hooks, and what an answer to them can bring about. A hook
 * that no row names is not looked at.
 */
function checkRungs(
  { name, hooks, understand }: Host,
  payloads: readonly JsonObject[],
  readme: string,
): void {
  const rows = readme
    .split('\n\n')
    .find((part) => part.includes('| is read as | can bring about |'))!
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()));
  const named = rows.map(([, hook = '', , rungs = '']) => ({
    hooks: [...hook.matchAll(/`([^`]+)`/g)].map(([, each]) => each),
    rungs: RUNGS.filter((rung) => new RegExp(`\\b${rung}\\b`).test(rungs)).join(', '),
  }));
  // What the end of a turn can bring about is not about calls.
  const atRest = payloads.flatMap((payload) => {
    const told = understand(payload)?.told;
    return (told?.isRest && hooks!.answer(payload, told)?.does) || [];
  });
  const possible = new Set([...hooks!.can, ...atRest]);
  for (const { rungs } of named)
    check(
      RUNGS.every((rung) => !rungs.includes(rung) || possible.has(rung)),
      `expected rungs that ${name} can, got ${rungs}`,
    );
  for (const payload of payloads) {
    const told = understand(payload)?.told;
    const does = told && hooks!.answer(payload, told)?.does;
    const rungs = RUNGS.filter((rung) => does?.includes(rung)).join(', ');
    const own = named.filter((row) =>
      row.hooks.some((hook) => Object.values(payload).includes(hook)),
    );
    check(
      own.length === 0 || own.some((row) => row.rungs === rungs),
      `expected ${rungs || 'no rung'} for ${own[0]?.hooks.join(', ')} in the README`,
    );
  }
}

const callsIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => ('call' in event ? [[event.type, event.call]] : []));

function readAll(host: Host, payloads: readonly JsonObject[]): AgentEvent[] {
  const memory: HookMemory = [];
  return payloads.flatMap((payload, i) => {
    const understood = host.understand(payload);
    return understood ? host.read(understood, { at: 1_794_800_000_000 + 5000 * i, memory }) : [];
  });
}

function checkTranscripts(host: Host, files: readonly (readonly unknown[])[]): void {
  for (const records of [...files, MALFORMED]) {
    const format = host.transcripts!.find((each) => each.recognises(records.slice(0, 32)));
    check(
      format !== undefined || records === MALFORMED,
      'expected one of its formats to recognise the recorded run',
    );
    const events: AgentEvent[] = [];
    const unknown: string[] = [];
    for (const each of format ? [format] : host.transcripts!) {
      const reading = each.open(
        createSource('file', {
          event: ({ event }) => void events.push(event),
          unknown: (kind) => void unknown.push(kind),
        }),
      );
      for (const record of records) reading.read(record);
      reading.end?.();
    }
    for (const event of events)
      check(whyNotAnEvent(event) === undefined, whyNotAnEvent(event) ?? '');
    if (!format) continue;
    check(
      events.some((event) => event.type === 'call-finished'),
      'expected calls in the recorded run',
    );
    check(unknown.length === 0, `expected every record to be known, got ${unknown.join(', ')}`);
  }
}

function checkInstall({ install }: Host, settings: readonly string[]): void {
  const at = {
    home: '/home/dev',
    project: '/home/dev/project',
    variables: {},
    platform: 'linux' as const,
  };
  const call = {
    node: '/usr/bin/node',
    hook: "/home/dev/it's here/hook.cjs",
    plugin: '/home/dev/plugin.js',
    shadow: false,
  };
  for (const scope of install!.userOnly ? (['user'] as const) : (['user', 'project'] as const)) {
    const order: Order = { scope, at, call };
    for (const [i, edit] of install!.edits(order).entries()) {
      const made = edit.add(undefined);
      check(
        edit.add(made) === made,
        `expected nothing new in ${edit.path} when it is installed again`,
      );
      check(edit.remove(made) === undefined, `expected ${edit.path} to be gone again`);
      for (const text of i === 0 ? settings : [])
        check(edit.remove(edit.add(text)) === text, `expected ${edit.path} to be what it was`);
    }
  }
}

const verdict = (rung: Rung | null): Verdict => ({ ...emptyVerdict(), plan: rung && planOn(rung) });
