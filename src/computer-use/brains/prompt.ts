import type { Proposal } from '../action.ts';
import type { View } from '../brain.ts';

/** What every model is told about its work. */
export const INSTRUCTIONS = `You control a web browser through screenshots, mouse and keyboard. Do one thing at a time and look at what it changed.
The runner may do something else than you asked for when you go round in circles; it then says so, and the screenshot shows the result.
When the task is done, answer with a short summary of what was achieved, and no tool call. If it cannot be done, begin the answer with FAILED: and say why.`;

/** The opening message: the task, and the labels of what the runner knows to type. */
export function opening({ task, url, pending }: View): string {
  const known =
    pending.length > 0
      ? `\nThe runner knows the values of these fields and types them when you click the field: ${pending.join(', ')}.`
      : '';
  return `${task}\n\nThe browser shows ${url}.${known}`;
}

const FAILED = /^\s*FAILED:?\s*/;

/** An answer without a call is the end. */
export const ending = (text: string): Proposal => ({
  action: { type: 'done', success: !FAILED.test(text), summary: text.replace(FAILED, '').trim() },
});

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
