import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';
import { ask } from './request.ts';
import { lookup } from './served.ts';

const { cli } = bundledPrograms();

async function serve(
  ...args: string[]
): Promise<{ child: ChildProcess; url: string; ended: Promise<unknown[]> }> {
  const env = { ...process.env, UNRUT_HOME: newFolder() };
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const [data] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, ended, url: /http:\/\/[^,\s]+/.exec(data.toString())![0] };
}

const statusOf = async (url: string): Promise<number> => (await ask(url, { method: 'GET' })).status;
const take = (url: string, i: number) =>
  ask(`${url}/v1/events`, {
    body: JSON.stringify(lookup(i)),
    headers: { connection: 'keep-alive' },
  });

/** All that a stream says until it ends. */
function whole(url: string): { began: Promise<void>; text: Promise<string> } {
  const began = Promise.withResolvers<void>();
  const text = new Promise<string>((resolve, reject) => {
    const asking = request(url, (response) => {
      let read = '';
      began.resolve();
      response.setEncoding('utf8').on('data', (part: string) => {
        read += part;
      });
      response.on('end', () => resolve(read));
    });
    asking.on('error', reject).end();
  });
  return { began: began.promise, text };
}

test('SIGTERM: /readyz is red while requests are still taken, and each answer ends its connection', async () => {
  const { child, url, ended } = await serve('--drain', '600');
  expect((await take(url, 0)).headers.connection).toBe('keep-alive');
  child.kill('SIGTERM');
  await expect.poll(() => statusOf(`${url}/readyz`), { timeout: 30_000 }).toBe(503);
  expect(await statusOf(`${url}/livez`)).toBe(200);
  const { status, headers } = await take(url, 1);
  expect([status, headers.connection]).toEqual([200, 'close']);
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

test('Ctrl-C stops it without that pause', async () => {
  const { child, url, ended } = await serve('--drain', '600');
  expect((await take(url, 0)).status).toBe(200);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('streams end with the moment to come back, each with its own', async () => {
  const { child, url, ended } = await serve();
  const streams = Array.from({ length: 5 }, () => whole(`${url}/v1/stream`));
  await Promise.all(streams.map(({ began }) => began));
  child.kill('SIGTERM');
  const last = await Promise.all(
    streams.map(async ({ text }) => Number(/retry: (\d+)\n\n$/.exec(await text)?.[1])),
  );
  for (const milliseconds of last) expect(milliseconds).toBeGreaterThanOrEqual(500);
  expect(new Set(last).size).toBeGreaterThan(1);
  expect(await ended).toEqual([0, null]);
});

test('a request under way is answered first', async () => {
  const { child, url, ended } = await serve();
  const asking = request(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  const answered = once(asking, 'response');
  const body = JSON.stringify(lookup(0));
  asking.write(body.slice(0, 10));
  await expect.poll(() => statusOf(`${url}/livez`), { timeout: 30_000 }).toBe(200);
  child.kill('SIGTERM');
  await expect.poll(() => statusOf(`${url}/livez`).catch(() => 0), { timeout: 30_000 }).toBe(0);
  asking.end(body.slice(10));
  const [response] = await answered;
  expect(response.statusCode).toBe(200);
  response.resume();
  expect(await ended).toEqual([0, null]);
});
