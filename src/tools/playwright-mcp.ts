import type { Family, Profile } from './profile.ts';

/** Acts on the page. What it does may change everything that the page shows. */
const acts: Profile = { verb: 'execute', target: ['target', 'ref', 'selector', 'element'], kind: 'element', freeText: ['element'] };
const looks: Profile = { verb: 'read', wide: true, look: true };
const navigates: Profile = { verb: 'navigate', target: ['url'], kind: 'url', effect: 'any' };
const checks: Profile = { verb: 'verify', freeText: ['element'] };
/** Coordinates name no element that could be told again. */
const points: Profile = { verb: 'execute', freeText: ['element'] };

/** Playwright's MCP server. Refs change with every snapshot, so they are only a target until the next one. */
export const playwrightMcp: Family = {
  browser_navigate: navigates,
  browser_navigate_back: navigates,
  browser_navigate_forward: navigates,
  browser_reload: navigates,
  browser_tabs: {
    verb: 'navigate',
    effect: 'any',
    by: ['action'],
    subcommands: { list: { verb: 'read', wide: true }, new: navigates, create: navigates, close: navigates, select: navigates },
  },
  browser_tab_list: { verb: 'read', wide: true },
  browser_tab_new: navigates,
  browser_tab_select: navigates,
  browser_tab_close: navigates,
  browser_snapshot: looks,
  browser_take_screenshot: { ...looks, freeText: ['filename', 'element'] },
  browser_console_messages: looks,
  browser_network_requests: looks,
  browser_network_request: looks,
  browser_generate_locator: { verb: 'read', target: ['target', 'ref'], kind: 'element' },
  browser_click: acts,
  browser_type: acts,
  browser_fill_form: acts,
  browser_select_option: acts,
  browser_check: acts,
  browser_uncheck: acts,
  browser_hover: acts,
  browser_drag: { ...acts, target: ['startTarget', 'startRef', 'endRef'], freeText: ['startElement', 'endElement'] },
  browser_drop: acts,
  browser_file_upload: acts,
  browser_press_key: points,
  browser_press_sequentially: points,
  browser_keydown: points,
  browser_keyup: points,
  browser_handle_dialog: points,
  browser_mouse_click_xy: points,
  browser_mouse_move_xy: points,
  browser_mouse_drag_xy: points,
  browser_mouse_down: points,
  browser_mouse_up: points,
  browser_mouse_wheel: { verb: 'navigate', effect: 'any' },
  browser_evaluate: { ...acts, freeText: ['element'] },
  browser_run_code: points,
  browser_wait_for: { verb: 'wait' },
  browser_resize: points,
  browser_close: navigates,
  browser_install: { verb: 'write', effect: 'any' },
  browser_pdf_save: { verb: 'write', target: ['filename'], clears: 'target' },
  browser_verify_element_visible: checks,
  browser_verify_text_visible: checks,
  browser_verify_list_visible: checks,
  browser_verify_value: checks,
};
