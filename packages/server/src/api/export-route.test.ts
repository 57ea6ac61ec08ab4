import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { mount } from '../route/route.ts';
import { exportRoute } from './export-route.ts';
import type { Looking } from './look-routes.ts';

/** A ledger of sessions with one entry each, which counts how many were asked for. */
function exporting(sessions: readonly string[]) {
  const asked: string[] = [];
  const reading = {
    now: () => 0,
    reports: { sessions: async () => ({ sessions: sessions.map((session) => ({ session })) }) },
    ledger: {
      entries: async ({ session }: { session: string }) => {
        asked.push(session);
        return [{ session }];
      },
    },
  };
  const app = new Hono();
  mount(app, [exportRoute], () => ({ reading }) as unknown as Looking);
  return { asked, request: (method = 'GET') => app.request('/v1/export', { method }) };
}

test('a session is read when somebody reads the export', async () => {
  const { asked, request } = exporting(['a', 'b', 'c']);
  const reader = (await request()).body!.getReader();
  expect(asked).toEqual([]);
  await reader.read();
  expect(asked).toEqual(['a']);
  await reader.cancel();
  expect(asked).toEqual(['a']);
});

test('a session is exported once, however often the list names it', async () => {
  const { request } = exporting(['a', 'b', 'a']);
  expect(await (await request()).text()).toBe('{"session":"a"}\n{"session":"b"}\n');
});

test('a session that becomes active meanwhile is exported too', async () => {
  const sessions = ['a'];
  const { asked, request } = exporting(sessions);
  const reader = (await request()).body!.getReader();
  await reader.read();
  sessions.unshift('b');
  while (!(await reader.read()).done);
  expect(asked).toEqual(['a', 'b']);
});

test('HEAD reads nothing', async () => {
  const { asked, request } = exporting(['a']);
  const response = await request('HEAD');
  expect([response.status, asked]).toEqual([200, []]);
});
