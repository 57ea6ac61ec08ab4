import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scheduler, TaskGuardOptions } from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import { play, roadmapOf, type Script } from './scripted-run.ts';

/** Always the first task, done or not, set aside or not. */
const stubborn: Scheduler = (tasks) => ({ type: 'run_task', task: tasks[0]! });

interface Case {
  name: string;
  script: Script;
  tasks: string[];
  scheduler?: Scheduler;
  guard?: TaskGuardOptions;
  ran: number;
  recovered: string[];
  ending: string;
}

const cases: Case[] = [
  {
    name: 'a task that is done is chosen again and again',
    script: () => 'TASK_COMPLETE',
    tasks: ['A'],
    scheduler: stubborn,
    ran: 3,
    recovered: ['completed_task_revisit → force_next'],
    ending: 'done',
  },
  {
    name: 'a task meets the same blockers for ever: authority at 3, a person at 6',
    script: () => 'BLOCKED: critic:design_system unavailable',
    tasks: ['A'],
    ran: 6,
    recovered: ['blocked_task_spin → unblock_authority', 'blocked_task_spin → escalate'],
    ending: 'escalated',
  },
  {
    name: 'a task meets the same blockers, and nobody may grant anything',
    script: () => 'BLOCKED: critic:design_system unavailable',
    tasks: ['A'],
    guard: { enableAutoUnblock: false },
    ran: 3,
    recovered: ['blocked_task_spin → escalate'],
    ending: 'escalated',
  },
  {
    name: 'only a person can remove the blocker: asked after the first attempt',
    script: () => 'BLOCKED: no staging password',
    tasks: ['A'],
    ran: 1,
    recovered: ['blocked_task_spin → escalate'],
    ending: 'escalated',
  },
  {
    name: 'a task gets nowhere: noted at 3, left at 5',
    script: () => 'WORK: read file A',
    tasks: ['A'],
    ran: 5,
    recovered: ['no_progress_repeat → force_next'],
    ending: 'loop',
  },
  {
    name: 'two tasks take turns',
    script: ({ task }) => `BLOCKED: ${task.id} needs the other`,
    tasks: ['A', 'B'],
    guard: { preset: 'conservative' },
    ran: 8,
    recovered: ['task_cycle → force_next', 'blocked_task_spin → escalate'],
    ending: 'escalated',
  },
  {
    name: 'every attempt claims something new, and changes nothing',
    script: ({ attempt }) => `WORK: part ${attempt}`,
    tasks: ['A'],
    ran: 5,
    recovered: ['no_progress_repeat → force_next'],
    ending: 'loop',
  },
  {
    name: 'every attempt writes something new',
    script: ({ attempt, cwd }) => {
      writeFileSync(join(cwd, `part-${attempt}.ts`), `export const part = ${attempt};`);
      return 'Wrote the next part.';
    },
    tasks: ['A'],
    ran: 10,
    recovered: [],
    ending: 'limit',
  },
  {
    name: 'blockers take turns',
    script: ({ attempt }) => `BLOCKED: reason ${attempt % 2}`,
    tasks: ['A'],
    ran: 10,
    recovered: [],
    ending: 'limit',
  },
  {
    name: 'the agent cannot be started',
    script: () => {
      throw new Error('no such program');
    },
    tasks: ['A'],
    ran: 3,
    recovered: [],
    ending: 'limit',
  },
];

describe('a run comes to an end', () => {
  test.each(cases)(
    'when $name',
    async ({ script, tasks, scheduler, guard = {}, ran, recovered, ending }) => {
      const played = await play(script, {
        roadmap: roadmapOf(...tasks),
        guard,
        ...(scheduler ? { scheduler } : {}),
      });
      expect(played.recovered).toEqual(recovered);
      expect(played.ran).toHaveLength(ran);
      expect(played.result.ending).toBe(ending);
    },
  );

  test('and what is not done is never called done', async () => {
    const { result } = await play(() => 'WORK: read file A', {
      roadmap: roadmapOf('A', { id: 'B', dependsOn: ['A'] }),
    });
    expect(result.tasks.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`)).toEqual([
      'A needs_review 5',
      'B pending 0',
    ]);
  });

  test('and with markDoneOnForceNext it is, as the seed has it', async () => {
    const { result } = await play(({ task }) => (task.id === 'A' ? '' : 'TASK_COMPLETE'), {
      roadmap: roadmapOf('A', { id: 'B', dependsOn: ['A'] }),
      guard: { markDoneOnForceNext: true },
    });
    expect(result.tasks.map(({ id, status }) => `${id} ${status}`)).toEqual(['A done', 'B done']);
  });
});

describe('the next prompt includes', () => {
  test('the authority that was granted, for this task alone', async () => {
    const { prompts, ran } = await play(
      ({ task }) => (task.id === 'A' ? 'BLOCKED: the staging server is down' : 'TASK_COMPLETE'),
      {
        roadmap: roadmapOf({ id: 'A' }, { id: 'B', dependsOn: ['A'] }, 'C'),
      },
    );
    const granted = ran.filter((_, i) => prompts[i]!.includes('UNBLOCK AUTHORITY GRANTED: Task A'));
    expect(granted).toEqual(['A#4', 'A#5', 'A#6']);
    expect(prompts[ran.indexOf('A#4')]).toContain(
      'finish everything that does not need it, and write down what is to be checked when it is back (the staging server is down)',
    );
  });

  test('that a task was left, and a note before that', async () => {
    const { prompts, ran } = await play(({ task }) => (task.id === 'A' ? '' : 'TASK_COMPLETE'), {
      roadmap: roadmapOf('A', 'B'),
    });
    expect(ran.filter((_, i) => prompts[i]!.includes('Note: Task A made no progress'))).toEqual([
      'A#4',
      'A#5',
    ]);
    expect(prompts[ran.indexOf('B#1')]).toContain('DO NOT revisit this task. SELECT NEXT TASK');
  });
});
