import type { ScreenAction } from '../action.ts';
import type { BrowserTab } from '../brain.ts';
import type { Input } from './prompt.ts';

/**
 * Members of Anthropic's browser toolset that are not offered: those that need element references,
 * because the gates identify elements by point, and those that let a model read or run more than
 * the screen shows.
 */
export const NOT_OFFERED = [
  ...['read_page', 'find', 'form_input', 'file_upload', 'scroll_to', 'new_tab', 'close_tab'],
  ...['read_console', 'read_network', 'javascript_exec', 'left_mouse_down', 'left_mouse_up'],
];

/** Members that return only the state of the browser. */
export const STATE_ONLY: ReadonlySet<unknown> = new Set(['list_tabs', 'switch_tab']);

const idOf = ({ id }: BrowserTab): string => `tab_${id}`;

/** All tabs, with those opened since the last call marked. */
export function browserState(
  tabs: readonly BrowserTab[],
  known: Set<number>,
): { type: string; [field: string]: unknown } {
  const opened = known.size === 0 ? [] : tabs.filter(({ id }) => !known.has(id));
  for (const { id } of tabs) known.add(id);
  return {
    type: 'browser_state',
    tabs: tabs.map((tab) => ({
      tab_id: idOf(tab),
      title: tab.title,
      url: tab.url,
      ...(tab.isShown ? { active: true } : {}),
    })),
    ...(opened.length > 0
      ? { state_changes: opened.map((tab) => ({ type: 'tab_opened', tab_id: idOf(tab) })) }
      : {}),
  };
}

/**
 * Translates a call of the browser toolset into an action, a text, or a call of the computer
 * toolset.
 */
export function readBrowserCall(
  name: string,
  input: Input,
  { tabs = [], text = '' }: { tabs?: readonly BrowserTab[]; text?: string },
):
  | { action: ScreenAction }
  | { said: string }
  | { refused: string }
  | { name: string; input: Input } {
  const tab = tabs.find((each) => idOf(each) === input.tab_id);
  if (name === 'switch_tab')
    return tab
      ? { action: { type: 'switch_tab', tab: tabs.indexOf(tab) } }
      : { refused: `There is no tab ${String(input.tab_id)}.` };
  if (typeof input.tab_id === 'string' && !tab?.isShown)
    return { refused: 'Only the tab that is shown can be acted on; switch to it first.' };
  if (name === 'list_tabs') return { said: '' };
  if (name === 'get_page_text') return { said: text || '(The page has no text.)' };
  if (name === 'navigate') return { action: { type: 'navigate', to: String(input.url ?? '') } };
  const { target, from, modifiers } = input;
  if (isReference(target))
    return { refused: 'References to elements are not available here; give a coordinate.' };
  return {
    name: name === 'hover' ? 'mouse_move' : name,
    input: {
      ...input,
      ...(target === undefined ? {} : { coordinate: pointOf(target) }),
      ...(from === undefined ? {} : { start_coordinate: pointOf(from) }),
      ...(typeof modifiers === 'string' ? { text: modifiers } : {}),
    },
  };
}

const isReference = (target: unknown): boolean =>
  (target as { type?: unknown } | undefined)?.type === 'ref';

const pointOf = (target: unknown): unknown[] => {
  const { x, y } = (target ?? {}) as { x?: unknown; y?: unknown };
  return [x, y];
};
