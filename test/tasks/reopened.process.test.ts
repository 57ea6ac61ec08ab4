import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roadmapStatus } from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger, type Ledger } from '../../packages/cli/src/index.ts';
import { play, roadmapOf, type Script } from './scripted-run.ts';

const DONE = 'TASK_COMPLETE';
const blocked: Script = () => 'BLOCKED: no key';

/** Runs a task until it is set aside, writes another status into the roadmap, and runs it again. */
async function reopened(first: Script, second: Script, ledger: Ledger = createMemoryLedger()) {
  const before = await play(first, { roadmap: roadmapOf('A', 'B'), ledger });
  const roadmap = roadmapOf({ id: 'A', status: 'in_progress' }, 'B');
  const after = await play(second, { roadmap, ledger });
  return { before, after, roadmap, ledger };
}

const first =
  (script: Script): Script =>
  (context, prompt) =>
    context.task.id === 'A' ? script(context, prompt) : DONE;

describe('a task that was set aside', () => {
  test('is not taken up again by itself', async () => {
    const ledger = createMemoryLedger();
    await play(() => '', { roadmap: roadmapOf('A'), ledger });
    expect((await play(() => DONE, { roadmap: roadmapOf('A'), ledger })).ran).toEqual([]);
  });

  test('is taken up again when its author gives it another status', async () => {
    const { after } = await reopened(
      first(() => ''),
      () => DONE,
    );
    expect(after.ran).toEqual(['A#6']);
    expect(after.result.ending).toBe('done');
  });

  test('and one that a person was asked about, when pending is written where nothing was', async () => {
    const ledger = createMemoryLedger();
    const asked = await play(blocked, { roadmap: roadmapOf('A'), ledger });
    expect(asked.result).toMatchObject({ ending: 'escalated', tasks: [{ setAside: 'escalated' }] });
    const roadmap = roadmapOf({ id: 'A', status: 'pending' });
    expect((await play(() => DONE, { roadmap, ledger })).result.ending).toBe('done');
    // What was written then is no news the next time.
    expect((await play(() => DONE, { roadmap, ledger })).ran).toEqual([]);
  });
});

describe('a task that was taken up again', () => {
  test('is not granted authority over the same blockers again: a person is asked after three more attempts', async () => {
    const { before, after, ledger } = await reopened(first(blocked), first(blocked));
    expect(before.recovered).toEqual([
      'blocked_task_spin → unblock_authority',
      'blocked_task_spin → escalate',
    ]);
    expect(after.recovered).toEqual(['blocked_task_spin → escalate']);
    expect(after.ran).toEqual(['A#7', 'A#8', 'A#9']);
    expect(await ledger.context({ topics: ['unblock_authority'] })).toHaveLength(1);
    const escalations = await ledger.context({ topics: ['loop_escalation'] });
    expect(escalations.map(({ content }) => content.split('\n')[0])).toEqual([
      'ESCALATION: Loop detected on task A after 6 attempts.',
      'ESCALATION: Loop detected on task A after 9 attempts.',
    ]);
  });

  test('is granted authority over other blockers, of which nobody says that it has not helped', async () => {
    const { after } = await reopened(
      first(blocked),
      first(() => 'BLOCKED: the service is down'),
    );
    expect(after.recovered).toEqual([
      'blocked_task_spin → unblock_authority',
      'blocked_task_spin → escalate',
    ]);
  });

  test('has all of its attempts in the summary and in the status; the limit counts those since', async () => {
    const work: Script = ({ attempt, cwd }) => {
      writeFileSync(join(cwd, `part-${attempt}`), `part ${attempt}`);
      return 'Wrote the next part.';
    };
    const { after, ledger, roadmap } = await reopened(first(work), first(work));
    expect(after.ran).toHaveLength(10);
    expect(after.result).toMatchObject({
      ending: 'limit',
      tasks: [{ id: 'A', attempts: 20 }, { attempts: 1 }],
    });
    const { loopDetection, tasks } = await roadmapStatus(ledger, 'run', roadmap.tasks);
    expect(loopDetection).toMatchObject({ A: { attemptCount: 20 }, B: { attemptCount: 1 } });
    expect(tasks[0]).toMatchObject({ attempts: 20 });
  });

  test('reads what was tried before and what it was granted, and not to leave it alone', async () => {
    const { after } = await reopened(first(blocked), () => DONE);
    expect(after.prompts[0]).toContain('UNBLOCK AUTHORITY GRANTED: Task A');
    expect(after.prompts[0]).toContain('blocked by no key [A#6]');
    expect(after.prompts[0]).not.toMatch(/ESCALATION|DO NOT revisit/);
    const left = await reopened(
      first(() => ''),
      () => DONE,
    );
    expect(left.before.prompts.at(-1)).toContain('DO NOT revisit this task');
    expect(left.after.prompts[0]).not.toContain('DO NOT revisit');
  });

  test('is forced on from once more, when it gets nowhere again', async () => {
    const { after } = await reopened(
      first(() => ''),
      first(() => ''),
    );
    expect(after.recovered).toEqual(['no_progress_repeat → force_next']);
    expect(after.ran).toHaveLength(5);
  });
});

test('a task that its author calls blocked waits, whatever blocked it before', async () => {
  const ledger = createMemoryLedger();
  const withCheck = (status?: string) => {
    const roadmap = roadmapOf({ id: 'A', ...(status ? { status } : {}) });
    roadmap.tasks[0]!.checks = ['critic'];
    return { ...roadmap, checks: { critic: { command: 'false', probe: 'false' } } };
  };
  const stop = new AbortController();
  await play(
    () => {
      setTimeout(() => stop.abort());
      return DONE;
    },
    { roadmap: withCheck(), ledger, signal: stop.signal },
  );
  const { result, ran } = await play(() => DONE, { roadmap: withCheck('blocked'), ledger });
  expect({ ending: result.ending, ran }).toEqual({ ending: 'nothing-to-do', ran: [] });
});
