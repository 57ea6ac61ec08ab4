import type { Family, Profile } from './profile.ts';

const ELEMENT = ['ref', 'target', 'uid', 'selector', 'index', 'coordinate', 'start_coordinate', 'element'];

const acts: Profile = { verb: 'execute', target: ELEMENT, kind: 'element' };
const looks: Profile = { verb: 'read', wide: true, look: true };
const navigates: Profile = { verb: 'navigate', target: ['url'], kind: 'url', effect: 'any' };
const moves: Profile = { verb: 'navigate', effect: 'any' };
const waits: Profile = { verb: 'wait' };

/** Actions on a screen or a page, as tools of their own or as the `action` of one tool. */
const ACTIONS: Family = {
  screenshot: looks,
  zoom: looks,
  cursor_position: { verb: 'read', wide: true },
  click: acts,
  left_click: acts,
  right_click: acts,
  middle_click: acts,
  double_click: acts,
  triple_click: acts,
  left_click_drag: acts,
  left_mouse_down: acts,
  left_mouse_up: acts,
  drag: acts,
  mouse_move: acts,
  move: acts,
  hover: acts,
  type: acts,
  input_text: acts,
  fill: acts,
  key: acts,
  keypress: acts,
  hold_key: acts,
  send_keys: acts,
  press: acts,
  select_option: acts,
  click_element: acts,
  scroll: moves,
  scroll_down: moves,
  scroll_up: moves,
  scroll_to: moves,
  scroll_to_text: moves,
  wait: waits,
  navigate: navigates,
  goto: navigates,
  go_to_url: navigates,
  open_tab: navigates,
  switch_tab: navigates,
  close_tab: navigates,
  go_back: moves,
  back: moves,
  forward: moves,
  refresh: moves,
  extract_content: looks,
  get_html: looks,
  get_text: looks,
  web_search: { verb: 'read', wide: true },
};

const action: Profile = { verb: 'execute', target: ELEMENT, kind: 'element', by: ['action', 'type'], subcommands: ACTIONS };

/** Anthropic's and OpenAI's computer and browser tools, and web agents' action tools. */
export const computerUse: Family = {
  ...ACTIONS,
  computer: action,
  computer_use: action,
  computer_call: action,
  browser: action,
  browser_use: action,
  browser_action: action,
  read_page: looks,
  get_page_text: looks,
  find: { verb: 'read', wide: true },
  form_input: acts,
  javascript_tool: { verb: 'execute', wide: true },
  read_console_messages: looks,
  read_network_requests: looks,
  tabs_context: { verb: 'read', wide: true },
  tabs_create: navigates,
  tabs_close: navigates,
  tab_focus: moves,
  tab_close: moves,
  new_tab: moves,
  go_forward: moves,
  dblclick: acts,
  clear: acts,
  keyboard_press: acts,
  keyboard_type: acts,
  mouse_click: acts,
  noop: { verb: 'nothing', when: (args) => (args.wait_ms === undefined && args.wait === undefined ? null : { verb: 'wait' }) },
};
