import type { Family, Profile } from './profile.ts';

const acts: Profile = { verb: 'execute', target: ['uid', 'from_uid'], kind: 'element', freeText: ['includeSnapshot'] };
const looks: Profile = { verb: 'read', wide: true, look: true };
const navigates: Profile = { verb: 'navigate', target: ['url'], kind: 'url', effect: 'any', freeText: ['timeout'] };
const sets: Profile = { verb: 'write', fixed: 'browser:settings', effect: 'any' };

/** Chrome's DevTools MCP server. */
export const chromeDevtoolsMcp: Family = {
  click: acts,
  click_at: acts,
  drag: acts,
  fill: acts,
  fill_form: acts,
  hover: acts,
  upload_file: acts,
  press_key: { verb: 'execute', freeText: ['includeSnapshot'] },
  type_text: { verb: 'execute', freeText: ['includeSnapshot'] },
  handle_dialog: { verb: 'execute' },
  evaluate_script: { verb: 'execute', wide: true },
  navigate_page: navigates,
  navigate_page_history: navigates,
  new_page: navigates,
  select_page: navigates,
  close_page: navigates,
  wait_for: { verb: 'wait' },
  list_pages: { verb: 'read', wide: true },
  take_snapshot: looks,
  take_screenshot: { ...looks, freeText: ['filePath'] },
  take_memory_snapshot: { verb: 'read', wide: true },
  list_console_messages: looks,
  get_console_message: { verb: 'read', target: ['msgid'], kind: 'id' },
  list_network_requests: looks,
  get_network_request: { verb: 'read', target: ['reqid', 'url'], kind: 'id' },
  emulate: sets,
  emulate_cpu: sets,
  emulate_network: sets,
  resize_page: sets,
  lighthouse_audit: { verb: 'verify' },
  performance_start_trace: { verb: 'execute' },
  performance_stop_trace: { verb: 'verify' },
  performance_analyze_insight: { verb: 'read', wide: true },
};
