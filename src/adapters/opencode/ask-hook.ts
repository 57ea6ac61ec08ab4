import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { OpencodeAnswer, OpencodePayload } from './payload.ts';

/** Milliseconds. The hook itself gives up after two seconds. */
const PATIENCE = 3000;

/** Hands a payload to a hook process, and gives its answer; an empty one, whatever goes wrong. */
export async function askHook([program, ...args]: readonly string[], payload: OpencodePayload): Promise<OpencodeAnswer> {
  try {
    const hook = spawn(program!, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: PATIENCE, killSignal: 'SIGKILL', windowsHide: true });
    const failed = new Promise<never>((_, reject) => {
      hook.on('error', reject);
      hook.stdin.on('error', () => {});
    });
    hook.stdin.end(JSON.stringify(payload));
    const printed = await Promise.race([text(hook.stdout), failed]);
    return printed.trim() === '' ? {} : (JSON.parse(printed) as OpencodeAnswer);
  } catch {
    return {};
  }
}
