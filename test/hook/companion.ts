import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { HOOK, newFolder, programOf, runHook } from './hook-command.ts';

export const ON = { UNRUT_COMPANION: 'true' };

/** The address of the companion in a home. */
export const addressIn = (home: string): string | undefined =>
  readdirSync(home).find((name) => name.endsWith('.socket'));

/** The companions that were started for a hook, by their process numbers. */
export function companionsOf(hook: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(`${hook} --companion`))
    .map((line) => Number.parseInt(line, 10));
}

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A home with a hook of its own, so that its companions can be distinguished from others. */
export function newHome(): {
  home: string;
  hook: string;
  run: (payload: unknown, more?: object, args?: string[]) => ReturnType<typeof runHook>;
} {
  const home = newFolder();
  const hook = join(newFolder(), 'hook.cjs');
  copyFileSync(HOOK, hook);
  copyFileSync(programOf(HOOK), programOf(hook));
  onTestFinished(() => {
    for (const pid of companionsOf(hook)) process.kill(pid, 'SIGKILL');
  });
  return {
    home,
    hook,
    run: (payload, more = {}, args = []) => runHook(home, payload, { ...ON, ...more }, args, hook),
  };
}
