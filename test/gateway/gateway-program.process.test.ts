import { execFile, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import type { SessionsAnswer } from '@unrut/server/api/answers';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';
import { ask } from '../server/request.ts';

const { cli } = bundledPrograms();
const KEY = 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyz';
const example = (name: string): string => join(root, 'examples/gateway', name);

/** Starts a program and waits for its address. `output`: all of its output. */
async function start(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ url: string; output(): string; end(): Promise<unknown> }> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('close', resolve));
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (data: Buffer): void => {
      said += data;
      const [address] = /http:\/\/[\d.:]+\d/.exec(said) ?? [];
      if (address) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', () => reject(new Error(said)));
  });
  return {
    url,
    output: () => said,
    end() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** A gateway, or a server with one, before a model that never learns. */
async function startGateway(command: 'gateway' | 'serve') {
  const home = newFolder();
  const model = await start([example('stuck-model.mjs'), '0']);
  const gateway = await start([cli, command, '--port', '0', '--upstream', `openai=${model.url}`], {
    UNRUT_HOME: home,
  });
  return { home, ...gateway };
}

const AGENTS: [string, string[]][] = [
  ['curl', ['sh', example('agent.sh')]],
  ["Python's standard library", ['python3', example('agent.py')]],
];
const hasPython = spawnSync('python3', ['--version']).status === 0;

test.each(AGENTS.filter(([, [program]]) => program !== 'python3' || hasPython))(
  'an agent of %s is stopped by its base URL alone',
  async (_, [program, ...args]) => {
    const { url } = await startGateway('gateway');
    const env = { ...process.env, OPENAI_BASE_URL: `${url}/openai/v1`, OPENAI_API_KEY: KEY };
    const { stdout } = await promisify(execFile)(program!, args, { env });
    expect(stdout).toMatch(
      /^[4-8] searches instead of 50\. The last answer:\nUnrut stopped the run: `search the answer` returned the same result/,
    );
  },
);

test('a key is neither recorded nor shown, and the record tells what was done', async () => {
  const { url, home, output, end } = await startGateway('gateway');
  const env = { ...process.env, OPENAI_BASE_URL: `${url}/openai/v1`, OPENAI_API_KEY: KEY };
  await promisify(execFile)('sh', [example('agent.sh')], { env });
  await end();
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.includes('ledger'),
  ))
    expect(readFileSync(join(home, name)).includes(KEY), name).toBe(false);
  expect(output()).not.toContain(KEY);
  expect(output()).toMatch(/\[unrut\] gw \w+: Unrut stopped the run/);
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const plans = (await ledger.entries())
    .filter(({ kind }) => kind === 'plan')
    .map(({ data }) => data.rung);
  await ledger.close();
  expect([...new Set(plans)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
});

test('unrut serve is a gateway too, and shows the session', async () => {
  const { url } = await startGateway('serve');
  const env = { ...process.env, OPENAI_BASE_URL: `${url}/openai/v1`, OPENAI_API_KEY: KEY };
  const { stdout } = await promisify(execFile)('sh', [example('agent.sh')], { env });
  expect(stdout).toContain('Unrut stopped the run');
  await expect
    .poll(
      async () =>
        (JSON.parse((await ask(`${url}/v1/sessions`, { method: 'GET' })).text) as SessionsAnswer)
          .sessions,
      {
        timeout: 60_000,
      },
    )
    .toMatchObject([{ host: 'gateway' }]);
  expect((await ask(`${url}/livez`, { method: 'GET' })).status).toBe(200);
});
