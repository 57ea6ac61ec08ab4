import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { mount } from '../route/route.ts';
import { exportRoute } from './export-route.ts';
import type { Looking } from './look-routes.ts';

/** A ledger with one entry per page. `asked`: the pages that were read. */
function exporting(sessions: readonly string[]) {
  const asked: string[] = [];
  const reading = {
    now: () => 0,
    ledger: {
      async *stream() {
        for (const session of sessions) {
          asked.push(session);
          yield session === '' ? [] : [{ session }];
        }
      },
    },
  };
  const app = new Hono();
  mount(app, [exportRoute], () => ({ reading }) as unknown as Looking);
  return { asked, request: (method = 'GET') => app.request('/v1/export', { method }) };
}

test('a page is read when somebody reads the export', async () => {
  const { asked, request } = exporting(['a', 'b', 'c']);
  const reader = (await request()).body!.getReader();
  expect(asked).toEqual([]);
  await reader.read();
  expect(asked).toEqual(['a']);
  await reader.cancel();
  expect(asked).toEqual(['a']);
});

test('an entry is one line, and pages without entries are left out', async () => {
  const { request } = exporting(['a', '', 'b']);
  expect(await (await request()).text()).toBe('{"session":"a"}\n{"session":"b"}\n');
});

test('HEAD reads nothing', async () => {
  const { asked, request } = exporting(['a']);
  const response = await request('HEAD');
  expect([response.status, asked]).toEqual([200, []]);
});
