import type { Proposal, ScreenAction } from '../action.ts';
import type { View } from '../brain.ts';
import { cropPng, scalePng } from '../png.ts';

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

/** What is said to a model whose answer ended at the token limit: that is no end of the task. */
export const CUT_OFF =
  'Your answer was cut off at the token limit, and nothing of it was done. Answer more briefly.';
/** What is said of calls that came after one that was not done, or that turned out differently. */
export const NOT_DONE =
  'Not done: what was to be done before it was not done, or turned out differently.';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export interface ImageLimits {
  /** Pixels of the longer side. */
  side: number;
  /** Pixels of the whole picture. */
  area: number;
}

/** How much smaller a screen must be shown, so that its picture is within the limits: 1 or less. */
export const scaleOf = ({ width, height }: View['viewport'], { side, area }: ImageLimits): number =>
  Math.min(1, side / Math.max(width, height), Math.sqrt(area / (width * height)));

/** The screen as a model is shown it, or a part of it, in base64. */
export async function pictureOf(
  { screenshot }: View,
  scale: number,
  region?: readonly number[],
): Promise<string> {
  const [left = 0, top = 0, right = 0, bottom = 0] = (region ?? []).map((side) => side / scale);
  if (right > left && bottom > top)
    return base64(await cropPng(screenshot, [left, top, right - left, bottom - top]));
  return base64(scale < 1 ? await scalePng(screenshot, scale) : screenshot);
}

/** Arguments of a call, of which nothing is certain. */
export type Input = Readonly<Record<string, unknown>>;

export const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;

/** A number as it is, and another one for anything else. */
export const numberOf = (given: unknown, otherwise = 0): number =>
  typeof given === 'number' && Number.isFinite(given) ? given : otherwise;

const number = { type: 'number' } as const;

/**
 * What a browser has and a computer tool has not, as functions that any model can call. Points are
 * in the picture's pixels.
 */
export const FUNCTIONS: readonly {
  name: string;
  description: string;
  parameters: object;
  read(input: Input): ScreenAction;
}[] = [
  {
    name: 'navigate',
    description:
      'Go to an address that starts with http, or "back" or "forward" in the history of the tab, or "reload".',
    parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    read: ({ to }) => ({ type: 'navigate', to: String(to ?? '') }),
  },
  {
    name: 'switch_tab',
    description: 'Bring the tab with this number to the front; the first one is 0.',
    parameters: { type: 'object', properties: { tab: number }, required: ['tab'] },
    read: ({ tab }) => ({ type: 'switch_tab', tab: Number(tab ?? 0) }),
  },
  {
    name: 'upload',
    description:
      'Choose files for the file field or upload button at a point. Only files that the task names are allowed.',
    parameters: {
      type: 'object',
      properties: { x: number, y: number, files: { type: 'array', items: { type: 'string' } } },
      required: ['x', 'y', 'files'],
    },
    read: ({ x, y, files }) => ({
      type: 'upload',
      x: Number(x ?? 0),
      y: Number(y ?? 0),
      files: [files ?? []].flat().map(String),
    }),
  },
];

/** The action with its points in the pixels of the page. */
export function unscaled<Action extends ScreenAction | null>(
  action: Action,
  scale: number,
): Action {
  if (!action || scale === 1) return action;
  const found = { ...action } as Record<string, unknown>;
  for (const name of ['x', 'y', 'end_x', 'end_y'])
    if (typeof found[name] === 'number') found[name] = Math.round(found[name] / scale);
  return found as unknown as Action;
}
