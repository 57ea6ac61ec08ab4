import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Record<string, string>,
  input = '',
) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...environment } });
  child.stdin.on('error', () => {}).end(input);
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
