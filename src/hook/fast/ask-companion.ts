import { lstatSync, statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { HookRequest, HookResponse } from '../hook-request.ts';

/** Milliseconds after which the hook answers by itself: the companion is stuck, and nobody should wait for it again. */
const TIMEOUT_MS = 1500;

/** The answer of the process that stays; nothing when there is none, when it cannot, or when it does not in time. Never throws. */
export function askCompanion(path: string, request: HookRequest): Promise<HookResponse | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path, () => socket.end(JSON.stringify({ ...request, sent: Date.now() })));
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
    const timer = setTimeout(giveUp, TIMEOUT_MS);
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', giveUp);
    socket.on('end', () => {
      const answer = read(text);
      if (answer === undefined) return giveUp();
      clearTimeout(timer);
      resolve(answer ?? undefined);
    });
  });
}

/** An answer; null where the companion leaves it to the hook; nothing where it is neither. */
function read(text: string): HookResponse | null | undefined {
  try {
    const answer = JSON.parse(text) as HookResponse | null;
    return answer === null || (typeof answer.stdout === 'string' && Number.isInteger(answer.exitCode)) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this user put it there, and nobody else could have: it will be told of what the agent does, and is believed. */
export function isOurs(path: string): boolean {
  try {
    const user = process.getuid?.();
    const address = lstatSync(path);
    return address.isSocket() && address.uid === user && isPrivate(dirname(path));
  } catch {
    return false;
  }
}

/** A folder that nobody else can change. */
export function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}
