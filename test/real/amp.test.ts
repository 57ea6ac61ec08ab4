import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { INSTALL_TIMEOUT, installAgent, PATH, type Program } from './install-agent.ts';
import { installUnrut, recordedIn } from './install-unrut.ts';

const amp: Program = {
  name: 'amp',
  package: '@ampcode/cli',
  version: '0.0.1790142911-g7618fb',
  command: 'amp',
};

/** What Amp's runtime for plugins and Amp say to each other, a line each. */
interface Message {
  type: 'request' | 'response' | 'event';
  id?: string;
  method?: string;
  event?: string;
  params?: unknown;
  result?: unknown;
}

const CLIENT = {
  ampURL: 'https://ampcode.com/',
  workspaceRoot: null,
  authenticatedUser: null,
  executorKind: 'local',
};

/**
 * A plugin in Amp's own runtime, with us in the place of Amp, which does nothing without an
 * account.
 */
async function inRuntime(
  command: string,
  runtime: string,
  plugin: string,
  environment: Record<string, string>,
) {
  const child: ChildProcess = spawn(command, [runtime, plugin], {
    env: {
      ...environment,
      BUN_BE_BUN: '1',
      AMP_PLUGIN_URI: `file://${plugin}`,
      AMP_PLUGIN_NAME: 'unrut',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const waiting = new Map<string, (result: unknown) => void>();
  const shown: string[] = [];
  const send = (message: Message): void => void child.stdin!.write(`${JSON.stringify(message)}\n`);
  const ready = new Promise<unknown>((resolve) => waiting.set('ready', resolve));
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { type, id = '', method, event, params, result } = JSON.parse(line) as Message;
    if (type === 'response') waiting.get(id)?.(result);
    if (event === 'runtime.ready') waiting.get('ready')?.(undefined);
    if (method === 'ui.notify') shown.push((params as { message: string }).message);
    if (type === 'request')
      send({ type: 'response', id, result: method === 'client.info' ? CLIENT : null });
  });
  await ready;
  let asked = 0;
  return {
    shown,
    ask: (method: string, params: object) =>
      new Promise<unknown>((resolve) => {
        const id = `ask-${++asked}`;
        waiting.set(id, resolve);
        send({ type: 'request', id, method, params: { thread: { id: 'T-1' }, ...params } });
      }),
  };
}

/** Has Amp load a plugin that keeps a copy of what runs it. */
async function runtimeOf(
  command: string,
  folder: string,
  environment: Record<string, string>,
): Promise<string> {
  const [runtime, spy] = [join(folder, 'plugin-runtime.ts'), join(folder, 'spy.ts')];
  writeFileSync(
    spy,
    `import { copyFileSync } from 'node:fs';\nexport default () => copyFileSync(process.argv[1], ${JSON.stringify(runtime)});\n`,
  );
  await promisify(execFile)(
    command,
    ['plugins', 'exec', spy, 'session.start', '--data', '{"thread":{"id":"T-0"}}'],
    { env: environment },
  );
  return runtime;
}

it(
  'Amp loads the plugin, which adds notes and hints to results and then refuses the call',
  async () => {
    const command = await installAgent(amp);
    const folder = mkdtempSync(join(tmpdir(), 'unrut-amp-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const place = { home: join(folder, 'home'), project: join(folder, 'project'), url: '' };
    for (const each of [place.home, place.project]) mkdirSync(each);
    await installUnrut(amp)(place);
    const environment = { PATH, HOME: place.home };
    const plugin = join(place.home, '.config', 'amp', 'plugins', 'unrut.ts');
    const { ask, shown } = await inRuntime(
      command,
      await runtimeOf(command, folder, environment),
      plugin,
      environment,
    );

    const answers: unknown[] = [];
    for (let n = 1; n <= 6; n++) {
      const call = {
        toolUseID: `toolu_${n}`,
        tool: 'shell_command',
        input: { command: 'npm test' },
      };
      const before = await ask('tool.call', call);
      answers.push(before);
      if ((before as { action: string }).action !== 'allow') continue;
      answers.push(
        await ask('tool.result', {
          ...call,
          status: 'done',
          output: { output: '1 failed', exitCode: 1 },
        }),
      );
    }
    const allowed = { action: 'allow' };
    const added = (text: string) => ({
      status: 'done',
      output: { output: expect.stringContaining(text), exitCode: 1 },
    });
    const refused = {
      action: 'reject-and-continue',
      message: expect.stringContaining('Unrut (loop guard) did not run `npm test`'),
    };
    expect(answers).toEqual([
      ...[allowed, undefined, allowed, undefined],
      ...[allowed, added('1 failed\n\nUnrut (loop guard): `npm test` failed 3 times')],
      ...[allowed, added('Unrut (loop guard) again: `npm test` failed 4 times')],
      ...[refused, refused],
    ]);
    expect(shown[0]).toContain('Unrut told the agent');
    expect((await recordedIn(place)).filter(({ kind }) => kind === 'fault')).toEqual([]);
  },
  INSTALL_TIMEOUT,
);
