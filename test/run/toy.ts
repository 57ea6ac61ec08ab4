import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAgentCommand } from '@unrut/tasks/run/run-agent-command';
import { openWorkspace } from '@unrut/tasks/workspace';
import { onTestFinished } from 'vitest';
import { play, roadmapOf, type ScriptedRun } from '../tasks/scripted-run.ts';
import { type Drive, type Driven, drive } from './drive.ts';

/**
 * A toy agent: a shell script that does the same thing each time, as `$n` counts. Where it works,
 * and how it is known to be done.
 */
export interface Toy {
  script: string;
  /** Under git, or in a plain folder. */
  git: boolean;
  /** Default: its promise decides. */
  check?: string;
  files?: Readonly<Record<string, string>>;
}

/** Counts outside the folder, so that counting is no work. */
const COUNT = 'cat >/dev/null; n=$(( $(cat ../n 2>/dev/null || echo 0) + 1 )); echo $n > ../n;';
export const TODO = Object.fromEntries([
  ['todo.md', Array.from({ length: 7 }, (_, i) => `- TODO item ${i + 1}\n`).join('')],
]);

function newPlace({ git, files = TODO }: Toy): string {
  const place = mkdtempSync(join(tmpdir(), 'unrut-toy-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const folder = join(place, 'work');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  if (git) {
    const run = (...args: string[]): void =>
      void execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    run('init', '--quiet');
    for (const [name, value] of Object.entries({ email: 'toy@example.org', name: 'Toy' }))
      run('config', `user.${name}`, value);
    run('add', '--all');
    run('commit', '--quiet', '--allow-empty', '--message', 'start');
  }
  return folder;
}

const command = (toy: Toy): [string, ...string[]] => ['sh', '-c', `${COUNT} ${toy.script}`];

/**
 * Iterates it on a prompt, as `unrut run PROMPT.md` does where nobody is asked: continued once,
 * then stopped.
 */
export async function inPrompt(toy: Toy, options: Drive = {}): Promise<Driven> {
  const cwd = newPlace(toy);
  const workspace = await openWorkspace(cwd);
  onTestFinished(() => workspace.close());
  const { settings, ...rest } = options;
  const signal = new AbortController().signal;
  return drive(
    (_, prompt) => runAgentCommand(command(toy), prompt, { run: 'run-test', cwd, signal }),
    {
      cwd,
      workspace,
      isAsked: false,
      choose: async (_report, { continued }) => (continued === 0 ? 'continue' : 'stop'),
      settings: {
        maxIterations: 12,
        ...(toy.check ? { checks: [toy.check], needsPromise: false } : {}),
        ...settings,
      },
      ...rest,
    },
  );
}

/** Returns it one task, as `unrut run roadmap.yaml` does. */
export async function inRoadmap(
  toy: Toy,
  options: Parameters<typeof play>[1] | object = {},
): Promise<ScriptedRun> {
  const folder = newPlace(toy);
  const roadmap = roadmapOf({
    id: 'T',
    prompt: 'Get it done.',
    ...(toy.check ? { exitCriteria: [toy.check] } : {}),
  });
  return play(
    ({ cwd, signal }, prompt) =>
      runAgentCommand(command(toy), prompt, { run: 'run-test', cwd, signal }),
    {
      roadmap,
      folder,
      limits: { maxIterations: 12 },
      ...options,
    },
  );
}
