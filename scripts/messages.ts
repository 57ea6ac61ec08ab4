import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallFinished } from '@unrut/engine/event';
import type { ListedTool } from '@unrut/engine/event-parts';
import { createGuard, type GuardOptions } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { recommended } from '@unrut/engine/presets';
import { momentsOf, tracesIn } from '@unrut/testing/trace';
import { failures } from '../packages/engine/src/failures/index.ts';
import { root } from './build.ts';
import { wrapped } from './wrap.ts';

export const messagesFile: string = join(root, 'docs/messages.md');

const readmeOf = (folder: string): string =>
  readFileSync(join(root, 'packages/engine/src', folder, 'README.md'), 'utf8');

const TOOLS: readonly ListedTool[] = [
  ...[
    'browser_snapshot',
    'browser_click',
    'browser_press_key',
    'browser_handle_dialog',
    'browser_tabs',
    'browser_wait_for',
  ],
  ...['list_allowed_directories', 'Bash', 'AskUserQuestion'],
]
  .map((name): ListedTool => ({ name }))
  .concat(
    ['list_directory', 'read_text_file'].map((name) => ({ name, takes: { path: true } })),
    {
      name: 'search_files',
      takes: { path: true, pattern: true },
    },
  );

/** The guard's plans along a trace, with their calls; blocked calls do not run. */
function plansAlong(
  lines: readonly string[],
  options: GuardOptions = {},
): { plan: Plan; call: number; ran: boolean }[] {
  const guard = createGuard(options);
  guard.observe({ type: 'tools-listed', session: 'trace', at: 0, tools: [...TOOLS] });
  let calls = 0;
  let refusal: Plan | null = null;
  return momentsOf(lines).flatMap(({ events }) =>
    events.flatMap((event) => {
      if (event.type === 'call-proposed') calls++;
      const isRefused = event.type === 'call-finished' && refusal?.rung === 'block';
      const { plan } = guard.observe(isRefused ? refused(event, refusal!.toModel) : event);
      if (event.type === 'call-proposed') refusal = plan;
      return plan ? [{ plan, call: calls, ran: event.type === 'call-finished' && !isRefused }] : [];
    }),
  );
}

const refused = (
  { type, session, at, call, batch }: CallFinished,
  result: string,
): CallFinished => ({
  type,
  session,
  at,
  call,
  result,
  refusedBy: 'unrut',
  ...present({ batch }),
});

const quote = (text: string): string => `> ${text.replaceAll('\n', '\n> ')}`;

const LOOP = [
  'Bash {"command":"cat notes/plan.md"} -> exit 1 "cat: notes/plan.md: No such file or directory" x14',
];

function ladder(options: GuardOptions): string {
  const plans = plansAlong(LOOP, options);
  return plans
    .slice(0, 1 + plans.findIndex(({ plan }) => plan.rung === 'stop'))
    .map(
      ({ plan, call, ran }) =>
        `**Call ${call}, which ${ran ? 'ran and failed' : 'did not run'}: ${plan.rung}.** The model reads:\n\n${quote(plan.toModel)}\n\nThe person reads: ${plan.toHuman}`,
    )
    .join('\n\n');
}

/** The first words of each detector, for each thing that it sees in the traces of its README. */
function ofDetectors(): string {
  const rows = recommended.detectors.flatMap((detector) => {
    const said = new Map<string, string>();
    for (const { lines, fires } of tracesIn(readmeOf(`detectors/${detector.name}`))) {
      if (!fires) continue;
      for (const { plan } of plansAlong(lines, {
        preset: { ...recommended, detectors: [detector] },
      }))
        if (!said.has(plan.reason)) said.set(plan.reason, plan.toModel);
    }
    return [...said].map(([reason, text]) => `**${reason}**\n\n${quote(text)}`);
  });
  return rows.join('\n\n');
}

/**
 * The first words after each kind of failure: of the first case in its README, three or four times.
 */
function ofFailures(): string {
  return failures
    .flatMap(({ name, means }) => {
      const [, line = ''] =
        /^## Is one\n+```cases\n(.*)$/m.exec(readmeOf(`failures/${name}`)) ?? [];
      const lines = line === '' ? NO_EFFECT : [`${line} x5`];
      const found = plansAlong(lines, { can: ['note', 'hint'] }).find(
        ({ plan }) => plan.candidates,
      );
      return found ? [`**${name}**: ${means}\n\n${quote(found.plan.toModel)}`] : [];
    })
    .join('\n\n');
}

/** A click that goes through and changes nothing has no words of its own. */
const NO_EFFECT = [
  'browser_click {"element":"Save","target":"e2"} -> "### Page\\n- Page URL: http://127.0.0.1/shop\\n- Page Title: Shop\\n```yaml\\n- heading \\"Your shop, with three lamps, two globes and a map of the town\\"\\n- button \\"Save\\" [ref=e2]\\n```" x5',
];

/** Everything that models and people read, as the code says it. */
export function makeMessages(): string {
  return wrapped(`# What Unrut says

<!-- Written by scripts/messages.ts from what the guard says: \`npm run format\`. -->

Every text has the same order: what repeats, by name and number of times; then one to three next
moves, the best first, with a tool and arguments that the agent really has; then nothing. A note has
fewer than 400 characters, a hint fewer than 700. Each says once that it is Unrut, except the note
on widgets, whose words are fixed. A person reads one line.

Where a text appears differs from agent to agent: next to a result, inside it, or in place of it.
The pages of [Claude
Code](../packages/agents/src/hosts/claude-code/README.md#what-people-and-models-see),
[Codex](../packages/agents/src/hosts/codex/README.md#what-people-and-models-see), [Gemini
CLI](../packages/agents/src/hosts/gemini-cli/README.md#what-people-and-models-see) and
[OpenCode](../packages/agents/src/hosts/opencode/README.md#what-people-and-models-see) say so, and
[mcp.md](mcp.md) for the proxy.

## One loop, with somebody watching

An agent reads a file that is not there, and tries again whatever it is told. It has a shell and the
tools of a file server. A *note* and a *hint* are advice, a *block* refuses a call, *escalate* asks
a person, *stop* ends the run ([recoveries.md](recoveries.md)). A call that did not run is no
failure, so the count stands still there. Before a person is asked, and before a run that a person
watches is stopped, the call runs once more, so that what they hear is still so. Where a ledger
records the session, what the person reads at the end names the command that shows all of it:
\`unrut show 5f1c9a02-77b1\`.

${ladder({})}

## The same loop with nobody watching

${ladder({ attended: false })}

## What each detector says first

The agent's calls are those of the first trace under *Fires* in the detector's README.

${ofDetectors()}

## What is said after each kind of failure

In these examples the agent has a browser, file tools, a shell and a way to ask the user.

${ofFailures()}
`);
}
