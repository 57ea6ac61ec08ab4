import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A run of these agents takes a few seconds, on a busy machine some more. */
const MAX_LENGTH = 100_000;

/**
 * Runs a program to its end in a process group of its own, so that nothing that it started is left
 * over. The exit code is null when it took too long.
 */
export async function runProgram(
  file: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ output: string; exitCode: number | null }> {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const end = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All of it has ended by itself.
    }
  };
  const timer = setTimeout(end, MAX_LENGTH);
  const exit = new Promise<number | null>((resolve, reject) =>
    child.once('exit', resolve).once('error', reject),
  );
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const exitCode = await exit;
  clearTimeout(timer);
  end();
  return { output: (await output).join('\n'), exitCode };
}

/** Writes files into a folder, by their paths in it. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
