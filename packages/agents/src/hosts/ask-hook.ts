import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { PluginAnswer, PluginPayload } from '@unrut/reading/plugin-payload';

/** Milliseconds. The hook has its own timeout of two seconds. */
const TIMEOUT_MS = 3000;

/**
 * Passes a plugin's payload to a hook process and returns its answer; an empty one after any
 * failure. `isAlone`: no user can be asked.
 */
export async function askHook(
  [program, ...args]: readonly string[],
  payload: PluginPayload,
  isAlone: boolean,
): Promise<PluginAnswer> {
  try {
    const hook = spawn(program!, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
      env: { ...(isAlone ? { UNRUT_ATTENDED: 'false' } : {}), ...process.env },
    });
    const failed = new Promise<never>((_, reject) => {
      hook.on('error', reject);
      hook.stdin.on('error', () => {});
    });
    hook.stdin.end(JSON.stringify(payload));
    const printed = await Promise.race([text(hook.stdout), failed]);
    return printed.trim() === '' ? {} : (JSON.parse(printed) as PluginAnswer);
  } catch {
    return {};
  }
}
