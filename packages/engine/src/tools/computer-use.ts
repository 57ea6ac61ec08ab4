import {
  type Family,
  listsPages,
  moves,
  navigates,
  type Profile,
  showsPage,
  toolsNamed,
  waits,
} from './profile.ts';

const ELEMENT = [
  'ref',
  'target',
  'uid',
  'selector',
  'index',
  'coordinate',
  'start_coordinate',
  'element',
];

const acts: Profile = { verb: 'execute', target: ELEMENT, kind: 'element' };

/** Actions on a screen or a page, as separate tools or as the `action` of one tool. */
const ACTIONS: Family = {
  ...toolsNamed('screenshot zoom extract_content get_html get_text', showsPage),
  ...toolsNamed('cursor_position web_search', listsPages),
  ...toolsNamed(
    `click left_click right_click middle_click double_click triple_click left_click_drag left_mouse_down left_mouse_up drag mouse_move move hover
     type input_text fill key keypress hold_key send_keys press select_option click_element`,
    acts,
  ),
  ...toolsNamed(
    'scroll scroll_down scroll_up scroll_to scroll_to_text go_back back forward refresh',
    moves,
  ),
  ...toolsNamed('navigate goto go_to_url open_tab switch_tab close_tab', navigates),
  wait: waits,
};

const action: Profile = {
  verb: 'execute',
  target: ELEMENT,
  kind: 'element',
  by: ['action', 'type'],
  subcommands: ACTIONS,
};

/** The computer and browser tools of Anthropic and OpenAI, and the action tools of web agents. */
export const computerUse: Family = {
  ...ACTIONS,
  ...toolsNamed('computer computer_use computer_call browser browser_use browser_action', action),
  ...toolsNamed('read_page get_page_text read_console_messages read_network_requests', showsPage),
  ...toolsNamed('find tabs_context', listsPages),
  ...toolsNamed('form_input dblclick clear keyboard_press keyboard_type mouse_click', acts),
  ...toolsNamed('tabs_create tabs_close', navigates),
  ...toolsNamed('tab_focus tab_close new_tab go_forward', moves),
  javascript_tool: { verb: 'execute', wide: true },
  noop: {
    verb: 'nothing',
    when: (args) => (args.wait_ms === undefined && args.wait === undefined ? null : waits),
  },
};
