import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/** What a program did. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * A machine with the built command, and a home and a project that are empty. The folders have a
 * blank in their names.
 */
export interface Machine {
  /** The folder of built files. */
  built: string;
  home: string;
  project: string;
  /** Runs `unrut` with these arguments in the project. */
  unrut(...args: string[]): Promise<Ran>;
  /** Runs a program in the project. */
  run(
    program: string,
    args: readonly string[],
    input?: string,
    more?: Record<string, string>,
  ): Promise<Ran>;
  remove(): void;
}

export function createMachine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'unrut machine '));
  const [built, home, project] = ['built files', 'home', 'project'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  for (const each of [home, project]) mkdirSync(each);
  cpSync(inject('programs'), built, { recursive: true });
  const env = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`, HOME: home };

  const run: Machine['run'] = async (program, args, input = '', more = {}) => {
    const child = spawn(program, args, { cwd: project, env: { ...env, ...more } });
    child.stdin.on('error', () => {}).end(input);
    const ended = new Promise<number | null>((resolve, reject) =>
      child.on('close', resolve).on('error', reject),
    );
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { code, stdout, stderr };
  };

  return {
    built,
    home,
    project,
    run,
    unrut: (...args) => run(process.execPath, [join(built, 'cli.js'), ...args]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
