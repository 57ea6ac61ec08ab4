import { unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import type { HookRequest, Printed } from './hook-request.ts';

/** Milliseconds after which the hook answers by itself: the companion is stuck, and nobody should wait for it again. */
const PATIENCE = 1000;

/** The answer of the process that stays; nothing when there is none, or when it does not answer in time. Never throws. */
export function askCompanion(path: string, request: HookRequest): Promise<Printed | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path, () => socket.end(JSON.stringify(request)));
    const giveUp = (): void => {
      clearTimeout(timer);
      socket.destroy();
      // Whoever comes next need not try; one that works puts its address there again.
      try {
        unlinkSync(path);
      } catch {
        // Somebody else was faster.
      }
      resolve(undefined);
    };
    const timer = setTimeout(giveUp, PATIENCE);
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', giveUp);
    socket.on('end', () => {
      try {
        const { stdout, exitCode } = JSON.parse(text) as Printed;
        clearTimeout(timer);
        resolve({ stdout, exitCode });
      } catch {
        giveUp();
      }
    });
  });
}
