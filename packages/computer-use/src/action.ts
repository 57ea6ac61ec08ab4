import { maskValue } from '@unrut/engine/redact/redact';

/** One action on a screen. Points are in CSS pixels of the viewport. */
export type ScreenAction =
  /** `keys` are held during the click: `Shift`, `Control+Shift`. */
  | { type: 'click'; x: number; y: number; button?: 'left' | 'right' | 'middle'; keys?: string }
  | { type: 'double_click'; x: number; y: number }
  | { type: 'triple_click'; x: number; y: number }
  /** Moves the mouse without pressing anything. */
  | { type: 'move'; x: number; y: number }
  /**
   * With a point, clicks the field there first. `replace` selects its content, so that typing
   * replaces it.
   */
  | { type: 'type_text'; text: string; replace?: boolean; x?: number; y?: number }
  /**
   * Presses a key or a chord in Playwright's notation (`Tab`, `Return`, `Control+A`), `repeat`
   * times or for `seconds`.
   */
  | { type: 'key_press'; keys: string; repeat?: number; seconds?: number }
  | {
      type: 'scroll';
      direction: 'up' | 'down' | 'left' | 'right';
      amount: number;
      x?: number;
      y?: number;
    }
  | { type: 'drag'; x: number; y: number; end_x: number; end_y: number }
  /** Opens an address, goes `back` or `forward` in the tab's history, or does a `reload`. */
  | { type: 'navigate'; to: string }
  /** Brings the tab with this 0-based number to the front. */
  | { type: 'switch_tab'; tab: number }
  /**
   * Chooses files for the file field at a point. Only files that the user allowed can be chosen.
   */
  | { type: 'upload'; x: number; y: number; files: string[] }
  | { type: 'wait'; seconds: number }
  | { type: 'done'; success: boolean; summary: string };

export type ActionType = ScreenAction['type'];

/** An action that a brain proposes, and why. */
export interface Proposal {
  action: ScreenAction;
  reasoning?: string;
  /**
   * 0-based index of the plan's step that the brain works on. The steps before it count as done.
   */
  planStep?: number;
}

/** An ordinary click: the left button without held keys. */
export const isClick = (
  action: ScreenAction,
): action is Extract<ScreenAction, { type: 'click' | 'double_click' }> =>
  (action.type === 'click' && (action.button ?? 'left') === 'left' && !action.keys) ||
  action.type === 'double_click';

/** Return without other keys, which submits a form. */
export const isReturn = (action: ScreenAction): boolean =>
  action.type === 'key_press' && /^(?:return|enter)$/i.test(action.keys);

/** The point of an action, if it has one. */
export const actionPoint = (action: ScreenAction): { x: number; y: number } | null =>
  'x' in action && action.x !== undefined && action.y !== undefined
    ? { x: action.x, y: action.y }
    : null;

/** The action in a form that may be stored and shown: typed text is replaced by its length. */
export const maskAction = (action: ScreenAction): ScreenAction =>
  action.type === 'type_text' ? { ...action, text: maskValue(action.text) } : action;

const at = ({ x, y }: { x: number; y: number }): string => `(${Math.round(x)}, ${Math.round(y)})`;

/** Describes an action in a few words, without typed text. */
export function describeAction(action: ScreenAction): string {
  switch (action.type) {
    case 'click': {
      const kind = [action.keys, action.button === 'left' ? undefined : action.button, 'click']
        .filter((word) => word)
        .join(' ');
      return `${kind} at ${at(action)}`;
    }
    case 'double_click':
      return `double click at ${at(action)}`;
    case 'triple_click':
      return `triple click at ${at(action)}`;
    case 'move':
      return `move to ${at(action)}`;
    case 'type_text':
      return `type ${MASKED.test(action.text) ? action.text : maskValue(action.text)}`;
    case 'key_press':
      return `${action.seconds === undefined ? 'press' : 'hold'} ${action.keys}${(action.repeat ?? 1) > 1 ? ` ${action.repeat} times` : ''}`;
    case 'scroll':
      return `scroll ${action.direction}`;
    case 'drag':
      return `drag from ${at(action)} to ${at({ x: action.end_x, y: action.end_y })}`;
    case 'navigate':
      return MOVES.get(action.to) ?? `go to ${action.to}`;
    case 'switch_tab':
      return `switch to tab ${action.tab}`;
    case 'upload':
      return `choose ${action.files.length} ${action.files.length === 1 ? 'file' : 'files'} at ${at(action)}`;
    case 'wait':
      return `wait ${action.seconds} s`;
    case 'done':
      return action.success ? 'done' : 'give up';
  }
}

const MOVES = new Map([
  ['back', 'go back'],
  ['forward', 'go forward'],
  ['reload', 'load the page again'],
]);

/** The placeholder for text in a stored action. */
const MASKED = /^<value:\d+ chars>$/;
