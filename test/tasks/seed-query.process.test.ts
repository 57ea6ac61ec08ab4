import { DatabaseSync } from 'node:sqlite';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createTaskGuard } from '@unrut/tasks';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';

/** The query of the observability section, letter by letter. */
const RECOVERIES = `-- Query context entries for loop recoveries
SELECT * FROM context_entries
WHERE topic IN ('loop_recovery', 'unblock_authority', 'loop_escalation')
ORDER BY timestamp DESC
LIMIT 10;`;

/** The same with the topic that directives have here. */
const WITH_DIRECTIVES = RECOVERIES.replace(
  "'loop_recovery',",
  "'loop_recovery', 'loop_recovery_directive',",
);

const start = Date.parse('2025-10-18T22:00:00Z');
const path = newPath();

beforeAll(async () => {
  const ledger = createSqliteLedger({ path });
  let now = start;
  const guard = createTaskGuard({ ledger }, { now: () => now });
  const spin = async (id: string, status: string, blockers: string[], times: number) => {
    for (let i = 0; i < times; i++) guard.recordAttempt(id, status, blockers, [], `session_${i}`);
    now += 60_000;
    await guard.applyRecovery(guard.detectLoop(id));
  };
  await spin('T3.4.2', 'done', [], 4);
  await spin('T3.4.3', 'blocked', ['critic:leakage unavailable'], 3);
  await spin('T3.4.3', 'blocked', ['critic:leakage unavailable'], 3);
  // Of another topic: no recovery.
  await ledger.update([], () => ({
    context: [
      {
        id: 'x',
        session: 'run-1',
        timestamp: now,
        entryType: 'output',
        topic: 'iteration_output',
        content: '',
        relatedTasks: [],
        confidence: 1,
        metadata: {},
      },
    ],
  }));
  await ledger.close();
});

/** The rows of a query on the ledger's own file. */
function rowsOf(query: string, file = path): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(query).all();
  database.close();
  return rows;
}

/**
 * Minutes after the start, topic, task and first words of each row; rows of one moment in the order
 * of their topics.
 */
function briefly(rows: Record<string, unknown>[]): string[] {
  const lines = rows.map(({ timestamp, topic, related_tasks, content }) =>
    [
      (Number(timestamp) - start) / 60_000,
      topic,
      related_tasks,
      String(content).split(':')[0],
    ].join(' '),
  );
  return [...Map.groupBy(lines, (line) => line.split(' ')[0]).values()].flatMap((same) =>
    same.sort(),
  );
}

describe('the query of the observability section', () => {
  test('as it stands gives the recoveries, the newest first', () => {
    expect(briefly(rowsOf(RECOVERIES))).toEqual([
      '3 loop_escalation ["T3.4.3"] ESCALATION',
      '3 loop_recovery ["T3.4.3"] LOOP DETECTED',
      '2 loop_recovery ["T3.4.3"] LOOP DETECTED',
      '2 unblock_authority ["T3.4.3"] UNBLOCK AUTHORITY GRANTED',
      '1 loop_recovery ["T3.4.2"] LOOP DETECTED',
    ]);
  });

  test('with the topic of directives gives those as well', () => {
    expect(briefly(rowsOf(WITH_DIRECTIVES)).slice(-2)).toEqual([
      '1 loop_recovery ["T3.4.2"] LOOP DETECTED',
      '1 loop_recovery_directive ["T3.4.2"] LOOP DETECTED',
    ]);
  });

  test('gives the columns that were asked for, and the session', () => {
    const columns = [
      'confidence',
      'content',
      'entry_type',
      'id',
      'metadata',
      'related_tasks',
      'session',
      'timestamp',
      'topic',
    ];
    expect(Object.keys(rowsOf(RECOVERIES)[0]!).sort()).toEqual(columns);
  });

  test('gives the newest ten where there are more', async () => {
    const many = newPath();
    const ledger = createSqliteLedger({ path: many });
    let now = start;
    const guard = createTaskGuard({ ledger }, { now: () => now });
    for (let task = 1; task <= 12; task++) {
      for (let i = 0; i < 3; i++)
        await guard.recordAttempt(`T${task}`, 'done', [], [], `session_${i}`);
      now += 60_000;
      await guard.applyRecovery(guard.detectLoop(`T${task}`));
    }
    await ledger.close();
    const tasks = rowsOf(RECOVERIES, many).map((row) => row.related_tasks);
    expect(tasks).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((task) => `["T${task}"]`));
  });
});

test('what docs/tasks.md says of the columns holds in SQLite: the time in milliseconds, lists as JSON', () => {
  const [row] =
    rowsOf(`SELECT datetime(timestamp / 1000, 'unixepoch') AS at, task.value AS task, metadata ->> 'loopType' AS loop
    FROM context_entries, json_each(related_tasks) AS task WHERE topic = 'unblock_authority'`);
  expect(row).toEqual({ at: '2025-10-18 22:02:00', task: 'T3.4.3', loop: 'blocked_task_spin' });
});
