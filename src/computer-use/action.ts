import { maskValue } from '../redact/redact.ts';

/** One action on a screen. Points are in CSS pixels of the viewport. */
export type ScreenAction =
  | { type: 'click'; x: number; y: number; button?: 'left' | 'right' | 'middle' }
  | { type: 'double_click'; x: number; y: number }
  /** With a point the field there is clicked first; `replace` selects what it holds, so that it is typed over. */
  | { type: 'type_text'; text: string; replace?: boolean; x?: number; y?: number }
  /** A key or a chord as Playwright names it: `Tab`, `Return`, `Control+A`. */
  | { type: 'key_press'; keys: string }
  | { type: 'scroll'; direction: 'up' | 'down' | 'left' | 'right'; amount: number; x?: number; y?: number }
  | { type: 'drag'; x: number; y: number; end_x: number; end_y: number }
  | { type: 'wait'; seconds: number }
  | { type: 'done'; success: boolean; summary: string };

export type ActionType = ScreenAction['type'];

/** What a brain wants done, and why. */
export interface Proposal {
  action: ScreenAction;
  reasoning?: string;
  /** 0-based index of the plan's step that the brain works on. The steps before it count as done. */
  planStep?: number;
}

export const isClick = (action: ScreenAction): action is Extract<ScreenAction, { type: 'click' | 'double_click' }> =>
  action.type === 'click' || action.type === 'double_click';

/** Where an action is aimed, when it is aimed at a point. */
export const actionPoint = (action: ScreenAction): { x: number; y: number } | null =>
  'x' in action && action.x !== undefined && action.y !== undefined ? { x: action.x, y: action.y } : null;

/** The action as it may be saved and shown: of a typed text only the length is left. */
export const maskAction = (action: ScreenAction): ScreenAction =>
  action.type === 'type_text' ? { ...action, text: maskValue(action.text) } : action;

/** The action in a few words, without what is typed. */
export function describeAction(action: ScreenAction): string {
  switch (action.type) {
    case 'click':
    case 'double_click':
      return `${action.type === 'click' ? 'click' : 'double click'} at (${Math.round(action.x)}, ${Math.round(action.y)})`;
    case 'type_text':
      return `type ${maskValue(action.text)}`;
    case 'key_press':
      return `press ${action.keys}`;
    case 'scroll':
      return `scroll ${action.direction}`;
    case 'drag':
      return `drag from (${Math.round(action.x)}, ${Math.round(action.y)}) to (${Math.round(action.end_x)}, ${Math.round(action.end_y)})`;
    case 'wait':
      return `wait ${action.seconds} s`;
    case 'done':
      return action.success ? 'done' : 'give up';
  }
}
