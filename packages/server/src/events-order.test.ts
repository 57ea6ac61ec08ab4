import { setTimeout as wait } from 'node:timers/promises';
import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { newPath } from '@unrut/test/ledger-files';
import { lookup } from '@unrut/test/server/served';
import { expect, test } from 'vitest';
import { recordEvents } from './events/record-events.ts';

test('requests at once keep the order of each session', async () => {
  const ledger = createSqliteLedger({ path: newPath() });
  const recorder = createRecorder(ledger, {}, { unsaved: 'drop' });
  const options = [{}, { shadow: true }];
  const counts = [0, 0, 0, 0, 0];
  const eventOf = (session: number) => {
    const nth = counts[session]!++;
    return lookup(nth, {
      session: `s${session}`,
      id: `${session}-${nth}`,
      call: { id: `${nth}`, tool: 'look', args: { nth } },
    });
  };
  const requests: Promise<unknown>[] = [];
  for (let i = 0; i < 300; i++) {
    // Events of several sessions, with different rules, some of them sent later.
    const events = Array.from({ length: 1 + (i % 4) }, (_, k) =>
      eventOf((i * 7 + k * (i % 3)) % 5),
    );
    const expected = events.map(({ id }) => Number(id!.split('-')[1]));
    requests.push(
      recordEvents(events, { recorder, ledger, options: options[Number(i % 5 === 0)]! }).then(
        (verdicts) => expect(verdicts.map(({ step }) => step)).toEqual(expected),
      ),
    );
    if (i % 20 === 0) await wait(1);
  }
  await Promise.all(requests);
  for (const [session, count] of counts.entries())
    expect(
      (await ledger.entries({ session: `s${session}`, kind: 'event' })).map(({ step }) => step),
    ).toEqual(Array.from({ length: count }, (_, i) => i));
  await ledger.close();
});
