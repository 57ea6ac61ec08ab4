import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { describe, expect, it } from 'vitest';
import { answerHook, hookRecorder } from '../../packages/agents/src/hook/answer-hook.ts';
import type { Agent, Place } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { opencode } from './agents/opencode.ts';
import { heardIn } from './heard-in.ts';
import { bringFiles, TWINS, WAITING, type Waiting, waits, withPrograms } from './honest-waiting.ts';
import { installUnrut } from './install-unrut.ts';
import { type Run, runAgent } from './run-agent.ts';
import { heard } from './test-agent.ts';

/** Words that are false of something that may change by itself. */
const FALSE_WORDS = /nothing has changed since|ork with the result above|tart the server/;

const isForce = (rung: string): boolean => !/(?:^| )(?:note|hint)$/.test(rung);

const waitWith = (
  agent: Agent,
  waiting: Waiting,
  takes: number,
  prepare: (place: Place) => void = () => undefined,
): Promise<Run> =>
  runAgent(
    withPrograms(agent),
    waits(waiting, takes),
    async (place) => {
      bringFiles(waiting, place);
      prepare(place);
      await installUnrut(agent)(place);
    },
    { task: waiting.task },
  );

function expectLeftAlone(run: Run, { times }: Waiting): void {
  const said = run.exchanges.flatMap(({ news }) => news.filter((text) => text.includes('Unrut')));
  expect(heard(run).filter(isForce)).toEqual([]);
  if (times !== undefined) expect(heard(run)).toEqual([]);
  expect(said.join('\n')).not.toMatch(FALSE_WORDS);
  expect(run.exchanges.at(-1)?.reply.text, run.output).toBe('Done.');
}

/** What Claude Code hands to hooks, in order, is written there. */
const payloadsOf = ({ home }: Place): string => join(home, 'payloads.jsonl');

function recordPayloads(place: Place): void {
  const file = join(place.home, '.claude/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  const hook = {
    type: 'command',
    command: `(cat; echo) >> ${payloadsOf(place)}`,
  };
  const events = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'];
  const hooks = Object.fromEntries(
    [...events, 'PostToolBatch'].map((event) => [event, [{ hooks: [hook] }]]),
  );
  writeFileSync(file, JSON.stringify({ ...settings, hooks }));
}

/** What hooks answer to recorded payloads if each turn of the model takes this many seconds. */
async function replayed(place: Place, seconds: number): Promise<string[]> {
  const payloads = readFileSync(payloadsOf(place), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const ledger = createMemoryLedger();
  const recorder = hookRecorder(ledger);
  const answers: string[] = [];
  let at = Date.now();
  for (const payload of payloads) {
    at += payload.includes('"hook_event_name":"PreToolUse"') ? seconds * 1000 : 20;
    const { stdout, failed } = await answerHook(payload, {
      environment: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' },
      said: 'claude-code',
      ledger,
      recorder,
      settings: { guard: {} },
      at,
    });
    expect(failed).toBeUndefined();
    answers.push(stdout);
  }
  return answers;
}

describe.each(Object.keys(WAITING))('Claude Code is left alone when it %s', (name) => {
  const waiting = WAITING[name]!;

  it('at once after each answer, or 30 seconds later', async () => {
    const run = await waitWith(claudeCode, waiting, 0, recordPayloads);
    expectLeftAlone(run, waiting);
    const answers = await replayed(run.place, 30);
    expect(answers.length).toBeGreaterThan(16);
    expect(heardIn(answers).filter(isForce)).toEqual([]);
    expect(answers.join('\n')).not.toMatch(FALSE_WORDS);
    expect(answers.join('\n')).not.toContain('"continue":false');
  });

  it('3 seconds after each answer', async () => {
    expectLeftAlone(await waitWith(claudeCode, waiting, 3), waiting);
  });
});

describe('what only looks like waiting is refused', () => {
  it.each(Object.keys(TWINS))('Claude Code %s', async (name) => {
    const run = await waitWith(claudeCode, TWINS[name]!, 0, recordPayloads);
    expect(heard(run).map((each) => each.replace(/^\d+ /, ''))).toContain('block');
    const later = await replayed(run.place, 30);
    expect(heardIn(later)).toContain('block');
  });
});

describe.each([codex, opencode])('$name is left alone when it', (agent) => {
  it.each([
    'asks for a CI run that is done at the ninth look',
    'reads the file that its job in the background writes',
  ])('%s', async (name) => {
    const waiting = WAITING[name]!;
    expectLeftAlone(await waitWith(agent, waiting, 0), waiting);
  });
});
