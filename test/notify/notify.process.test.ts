import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NotifySettings } from '@unrut/ledger/config/settings';
import { type Escalation, notify } from '@unrut/ledger/notify/notify';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { SECRETS } from '../planted-secrets.ts';

const module = fileURLToPath(
  new URL('../../packages/ledger/src/notify/notify.ts', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'unrut-notify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const escalation = (toHuman: string): Escalation => ({
  session: 'run-1',
  host: 'claude-code',
  at: Date.UTC(2026, 0, 1),
  plan: {
    rung: 'escalate',
    reason: 'repeated-call/consecutive',
    recovery: 'ask-human',
    toHuman,
    target: 'file:/home/dev/a.ts',
  },
});
const TOLD = '`npm test` failed 6 times; "$(touch never)" \'quoted\'. Please have a look.';
const MORE = ' (unrut show run-1)';
const TEXT = `Unrut, claude-code: ${TOLD}${MORE}`;
const PLAIN = escalation(TOLD);
const BODY = {
  text: TEXT,
  session: 'run-1',
  host: 'claude-code',
  at: '2026-01-01T00:00:00.000Z',
  rung: 'escalate',
  reason: 'repeated-call/consecutive',
  recovery: 'ask-human',
  target: 'file:/home/dev/a.ts',
};

/**
 * A program that writes what it is given into a file, all at once: its arguments, its text, its
 * input.
 */
const witness = join(folder, 'witness.cjs');
writeFileSync(
  witness,
  `const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const [file, ...args] = process.argv.slice(2);
const { UNRUT_TEXT: text, UNRUT_DELIVERY: rest } = process.env;
writeFileSync(file + '.draft', JSON.stringify({ args, text, rest, input: JSON.parse(readFileSync(0, 'utf8')) }));
renameSync(file + '.draft', file);
`,
);
chmodSync(witness, 0o755);

const seen = (file: string) =>
  vi.waitFor(() => JSON.parse(readFileSync(file, 'utf8')), { timeout: 60_000, interval: 20 });

/** What is on a PATH of its own, with a `notify-send` that writes down what it is given. */
function fakeDesktop(): { file: string; environment: NodeJS.ProcessEnv } {
  const place = mkdtempSync(join(folder, 'desktop-'));
  const file = join(place, 'shown');
  const program = join(place, 'notify-send');
  writeFileSync(
    program,
    `#!/bin/sh\nfor word in "$@"; do echo "$word"; done > '${file}.draft'; mv '${file}.draft' '${file}'\n`,
  );
  chmodSync(program, 0o755);
  const { SSH_CONNECTION: _, SSH_TTY: __, CI: ___, ...rest } = process.env;
  return { file, environment: { ...rest, PATH: `${place}:${process.env.PATH}`, DISPLAY: ':0' } };
}

/** Tells of an escalation from a process of its own. */
const notifyIn = (
  environment: NodeJS.ProcessEnv,
  settings: NotifySettings | undefined,
  told: Escalation,
) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { notify } from ${JSON.stringify(module)}; notify(${JSON.stringify(settings ?? null)} ?? undefined, ${JSON.stringify(told)});`,
    ],
    { env: environment, encoding: 'utf8' },
  );

describe.runIf(process.platform === 'linux')('a desktop', () => {
  test('shows who is asked for, without any setting', async () => {
    const { file, environment } = fakeDesktop();
    expect(notifyIn(environment, undefined, PLAIN)).toMatchObject({ status: 0, stderr: '' });
    const shown = await vi.waitFor(() => readFileSync(file, 'utf8'), {
      timeout: 60_000,
      interval: 20,
    });
    expect(shown).toBe(`--app-name=Unrut\n--\nUnrut\n${TEXT}\n`);
  });

  test('shows nothing if that is switched off, and the command is run all the same', async () => {
    const { file, environment } = fakeDesktop();
    const other = join(folder, 'instead');
    notifyIn(environment, { desktop: false, command: [process.execPath, witness, other] }, PLAIN);
    await seen(other);
    expect(existsSync(file)).toBe(false);
  });
});

test.each([
  ['says nothing of it', 'x failed. Please take a look.', `x failed. Please take a look.${MORE}`],
  [
    'was shown by the host already',
    'x failed. (unrut show run-1; wrong? unrut false-alarm)',
    'x failed. (unrut show run-1; wrong? unrut false-alarm)',
  ],
])('a text that %s says it once', async (_, toHuman, expected) => {
  const file = join(folder, `once-${toHuman.length}`);
  notify({ command: [process.execPath, witness, file], desktop: false }, escalation(toHuman));
  expect((await seen(file)).text).toBe(`Unrut, claude-code: ${expected}`);
});

/** A process that has ended may still be listed where nobody waits for it, as in a container. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return (
    !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  );
}

/** Notifies out of a process that ends at once, as a hook does. */
function notifyAndExit(
  settings: NotifySettings,
  told: Escalation,
): { status: number | null; stdout: string; stderr: string } {
  const code = `import(${JSON.stringify(module)}).then(({ notify }) => {
    notify(${JSON.stringify(settings)}, ${JSON.stringify(told)});
    process.exit(0);
  })`;
  return spawnSync(process.execPath, ['--eval', code], { encoding: 'utf8', cwd: folder });
}

describe('the command', () => {
  test.each<[string, (file: string) => string | string[], string[]]>([
    [
      'of the shell',
      (file) => `"${process.execPath}" "${witness}" "${file}" "$UNRUT_TEXT"`,
      [TEXT],
    ],
    [
      'as a list',
      (file) => [process.execPath, witness, file, '{text}', 'text={text}'],
      [TEXT, `text=${TEXT}`],
    ],
  ])(
    '%s is run with the text and the circumstances, though who started it has ended',
    async (name, command, args) => {
      const file = join(folder, `${name}.json`);
      expect(notifyAndExit({ command: command(file) }, PLAIN)).toMatchObject({
        status: 0,
        stdout: '',
        stderr: '',
      });
      expect(await seen(file)).toEqual({ args, text: TEXT, input: BODY });
      expect(existsSync(join(folder, 'never'))).toBe(false);
    },
  );

  test('is ended with all that it started when it takes too long', async () => {
    const file = join(folder, 'slow.json');
    notify({ command: `sleep 1000 & echo "[$$, $!]" > '${file}'; wait` }, PLAIN, 5_000);
    const pids = (await seen(file)) as number[];
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 60_000 });
  });

  test.each<[string, NotifySettings]>([
    ['is nothing', {}],
    ['does not exist', { command: ['/home/dev/no-such-program'] }],
    ['fails', { command: 'exit 3' }],
    ['reads no input', { command: ['true'] }],
    ['comes with a webhook that nobody answers', { webhook: 'http://127.0.0.1:9/' }],
    ['comes with a webhook that is no address', { webhook: 'nonsense' }],
  ])('that %s harms nobody', (_, settings) => {
    expect(notifyAndExit(settings, PLAIN)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  test.each(Object.entries(SECRETS))('gets no notification %s', async (name, secret) => {
    const file = join(folder, `${name}.json`);
    const told = escalation(
      `\`curl -H "Authorization: Bearer ${secret}"\` failed 6 times.\u001b[31m\nPlease have a look.`,
    );
    notify(
      { command: [process.execPath, witness, file, '{text}'] },
      { ...told, plan: { ...told.plan, target: `url:https://bob:${secret}@x` } },
    );
    const { text, ...rest } = await seen(file);
    expect(text).toMatch(
      /^Unrut, claude-code: `curl -H .*<secret>.*` failed 6 times\. ?Please have a look\. \(unrut show \S+\)$/,
    );
    expect(JSON.stringify(rest)).not.toContain(secret);
  });
});

describe('the webhook', () => {
  test('is posted JSON with a text, though who started it has ended', async () => {
    const requests: { request: IncomingMessage; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      requests.push({ request, body: Buffer.concat(chunks).toString() });
      response.end('ok');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    try {
      notifyAndExit({ webhook: `http://127.0.0.1:${port}/hooks/1` }, PLAIN);
      await vi.waitFor(() => expect(requests).toHaveLength(1), { timeout: 60_000 });
      const [{ request, body }] = requests as [(typeof requests)[0]];
      expect(request).toMatchObject({
        method: 'POST',
        url: '/hooks/1',
        headers: { 'content-type': 'application/json' },
      });
      expect(JSON.parse(body)).toEqual(BODY);
    } finally {
      server.close();
    }
  });
});
