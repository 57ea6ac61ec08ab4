import type { AgentEvent } from '@unrut/engine/event';
import { describe, expect, it } from 'vitest';
import type { SessionFigures } from '../figures/session-figures.ts';
import { createMemoryLedger } from '../memory.ts';
import { createRecorder } from '../recorder.ts';
import { noColours } from '../text/paint.ts';
import { timelineOf } from '../views/timeline.ts';
import { timelineText } from './timeline-text.ts';

const SUMMARY = {
  session: 's',
  first: 0,
  last: 0,
  steps: 0,
  loops: 0,
  plans: 0,
  outcomes: {},
  wasted: { steps: 0, tokens: 0, usd: 0 },
} as unknown as SessionFigures;

/** The page of a session with these questions and answers, two seconds apart. */
async function shown(count: number, answer: (i: number) => string): Promise<string[]> {
  const ledger = createMemoryLedger();
  const recorder = createRecorder(ledger, { can: ['note', 'hint'] });
  for (let i = 0; i < count; i++) {
    const call = { id: `c${i}`, tool: 'Read', args: { file_path: '/p/a.ts' } };
    const base = { session: 's', batch: `b${i}`, call };
    const at = 1_794_800_000_000 + i * 2000;
    const events: AgentEvent[] = [
      { type: 'call-proposed', at, ...base },
      { type: 'call-finished', at: at + 50, ...base, result: answer(i) },
    ];
    for (const event of events) await recorder.observe(event);
  }
  const moments = timelineOf(await ledger.entries());
  return timelineText(SUMMARY, moments, { paint: noColours, width: 200 });
}

describe('the page of a session', () => {
  it('has one line for each loop that says what it cost without progress', async () => {
    const lines = await shown(8, () => 'export const a = 1;');
    expect(lines.filter((line) => line.startsWith('Without progress'))).toEqual([
      'Without progress for 5 steps, 0.1 minutes: `Read /p/a.ts` returned the same result 8 times.',
    ]);
  });

  it('names the setting that would allow the denied call', async () => {
    const allow = 'add "Bash(npm test)" to permissions.allow in .claude/settings.json';
    const ledger = createMemoryLedger();
    const recorder = createRecorder(ledger, { can: ['note', 'hint'] });
    for (let i = 0; i < 4; i++) {
      const call = { id: `c${i}`, tool: 'Bash', args: { command: 'npm test' } };
      await recorder.observe({
        type: 'call-finished',
        session: 's',
        at: 1_794_800_000_000 + i * 2000,
        call,
        error: 'This command requires approval',
        refusedBy: 'host',
        allow,
      });
    }
    const moments = timelineOf(await ledger.entries());
    const lines = timelineText(SUMMARY, moments, { paint: noColours, width: 400 });
    expect(lines.filter((line) => line.includes(`For you: To allow it, ${allow}.`))).toHaveLength(
      1,
    );
  });

  it('has no such line if each answer is new', async () => {
    const lines = await shown(
      8,
      (i) => `chapter ${i}: ${'x'.repeat(i)} the story goes on ${i * 7}`,
    );
    expect(lines.filter((line) => line.startsWith('Without progress'))).toEqual([]);
  });
});
