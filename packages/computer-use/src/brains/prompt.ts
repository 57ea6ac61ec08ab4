import type { Proposal, ScreenAction } from '../action.ts';
import type { View } from '../brain.ts';
import { cropPng, scalePng } from '../png.ts';

/** The instructions for every model. */
export const INSTRUCTIONS = `You control a web browser through screenshots, mouse and keyboard. Do one thing at a time and look at what it changed.
If you repeat yourself, the runner may perform another action than the one you asked for; it then says so, and the screenshot shows the result.
When the task is done, answer with a short summary of what was achieved, and no tool call. If it cannot be done, begin the answer with FAILED: and say why.`;

/** The opening message: the task and the labels of the values that the runner can type. */
export function opening({ task, url, pending }: View): string {
  const known =
    pending.length > 0
      ? `\nThe runner knows the values of these fields and types them when you click the field: ${pending.join(', ')}.`
      : '';
  return `${task}\n\nThe browser shows ${url}.${known}`;
}

const FAILED = /^\s*FAILED:?\s*/;

/** An answer without a call ends the task. */
export const ending = (text: string): Proposal => ({
  action: { type: 'done', success: !FAILED.test(text), summary: text.replace(FAILED, '').trim() },
});

/** Sent to a model whose answer was cut off at the token limit. */
export const CUT_OFF =
  'Your answer was cut off at the token limit, and nothing of it was done. Answer more briefly.';
/** The result of calls that follow one that failed or had another effect than expected. */
export const NOT_DONE =
  'Not done: an earlier action was not performed, or had another effect than expected.';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export interface ImageLimits {
  /** Maximum length of the longer side in pixels. */
  side: number;
  /** Maximum number of pixels. */
  area: number;
}

/** The scale, at most 1, at which a screen fits into the limits. */
export const scaleOf = ({ width, height }: View['viewport'], { side, area }: ImageLimits): number =>
  Math.min(1, side / Math.max(width, height), Math.sqrt(area / (width * height)));

/** The screen or a part of it, scaled for the model, in base64. */
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

/** Arguments of a call, not validated. */
export type Input = Readonly<Record<string, unknown>>;

export const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;

/** The given value if it is a number, otherwise the default. */
export const numberOf = (given: unknown, otherwise = 0): number =>
  typeof given === 'number' && Number.isFinite(given) ? given : otherwise;

const number = { type: 'number' } as const;

/**
 * Browser actions that computer tools lack, as functions that any model can call. Points are in
 * pixels of the image.
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

/** The action with its points converted to pixels of the page. */
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
