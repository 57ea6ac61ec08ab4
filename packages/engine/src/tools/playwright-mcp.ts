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

/** Acts on the page, which may change everything that the page shows. */
const acts: Profile = {
  verb: 'execute',
  target: ['target', 'ref', 'selector', 'element'],
  kind: 'element',
  freeText: ['element'],
};
const checks: Profile = { verb: 'verify', freeText: ['element'] };
/** Coordinates do not identify an element. */
const points: Profile = { verb: 'execute', freeText: ['element'] };

/**
 * Playwright's MCP server. Refs change with every snapshot, so they identify a target only until
 * the next one.
 */
export const playwrightMcp: Family = {
  ...toolsNamed(
    'browser_navigate browser_navigate_back browser_navigate_forward browser_reload browser_close',
    navigates,
  ),
  ...toolsNamed('browser_tab_new browser_tab_select browser_tab_close', navigates),
  browser_tabs: {
    ...moves,
    by: ['action'],
    subcommands: { list: listsPages, ...toolsNamed('new create close select', navigates) },
  },
  browser_tab_list: listsPages,
  ...toolsNamed(
    'browser_snapshot browser_console_messages browser_network_requests browser_network_request',
    showsPage,
  ),
  browser_take_screenshot: { ...showsPage, freeText: ['filename', 'element'] },
  browser_generate_locator: { verb: 'read', target: ['target', 'ref'], kind: 'element' },
  ...toolsNamed(
    'browser_click browser_type browser_fill_form browser_select_option browser_check browser_uncheck browser_hover',
    acts,
  ),
  ...toolsNamed('browser_drop browser_file_upload browser_evaluate', acts),
  browser_drag: {
    ...acts,
    target: ['startTarget', 'startRef', 'endRef'],
    freeText: ['startElement', 'endElement'],
  },
  ...toolsNamed(
    'browser_press_key browser_press_sequentially browser_keydown browser_keyup browser_handle_dialog',
    points,
  ),
  ...toolsNamed(
    'browser_mouse_click_xy browser_mouse_move_xy browser_mouse_drag_xy browser_mouse_down browser_mouse_up',
    points,
  ),
  ...toolsNamed('browser_run_code browser_resize', points),
  browser_mouse_wheel: moves,
  browser_wait_for: waits,
  browser_install: { verb: 'write', effect: 'any' },
  browser_pdf_save: { verb: 'write', target: ['filename'], clears: 'target' },
  ...toolsNamed(
    'browser_verify_element_visible browser_verify_text_visible browser_verify_list_visible browser_verify_value',
    checks,
  ),
};
