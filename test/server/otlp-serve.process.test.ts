import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';
import { CONVENTIONS, sendSpans, spansOf } from './otlp-run.ts';
import { toldIn } from './otlp-telemetry.ts';

const { cli } = bundledPrograms();
const TOKEN = 'a-token-that-is-long-enough';

afterEach(() => {
  delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
});

/** `unrut serve` with telemetry; what it wrote by the time that it has ended. */
async function written(
  variables: Record<string, string>,
  send: (url: string) => Promise<void>,
): Promise<LedgerEntry[]> {
  const home = newFolder();
  const server = spawn(process.execPath, [cli, 'serve', '--port', '0'], {
    env: { ...process.env, UNRUT_HOME: home, ...variables },
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const ended = new Promise((resolve) => server.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (data: Buffer) =>
      resolve(/http:\/\/[^,\s]+/.exec(String(data))![0]),
    );
    server.stderr.once('data', (data: Buffer) => reject(new Error(String(data))));
  });
  await send(url);
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const entries = await ledger.entries();
  await ledger.close();
  return entries;
}

test('unrut serve observes what waits before it ends, and exporters find their way by the variables', async () => {
  process.env.OTEL_EXPORTER_OTLP_HEADERS = `Authorization=Bearer%20${TOKEN}`;
  const calls = Array.from({ length: 4 }, () => ({
    tool: 'Bash',
    args: { command: 'npm test' },
    error: 'Error: expected 2, got 3',
  }));
  const entries = await written({ UNRUT_TOKEN: TOKEN }, async (url) => {
    await sendSpans(
      url,
      'protobuf with gzip',
      spansOf(CONVENTIONS['the GenAI conventions']!, 'thread-1', calls),
    );
  });
  expect(toldIn(entries)).toEqual(calls.map(() => 'Bash'));
  expect(entries.some(({ kind }) => kind === 'signal')).toBe(true);
});

test('the example in the docs does what they say', async () => {
  const docs = readFileSync(new URL('../../docs/otlp.md', import.meta.url), 'utf8');
  const [, example = ''] = /```sh\n(curl [\s\S]*?)```/.exec(docs) ?? [];
  const entries = await written({}, async (url) => {
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      example.replace('http://127.0.0.1:4717', url),
    ]);
    expect(stdout).toBe('{}');
  });
  expect(entries.map(({ session, data }) => [session, data.type, data.tool])).toEqual(
    ['call-proposed', 'call-finished'].map((type) => ['by-hand', type, 'Bash']),
  );
});
