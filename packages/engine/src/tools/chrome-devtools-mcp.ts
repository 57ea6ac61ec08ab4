import {
  type Family,
  listsPages,
  navigates,
  type Profile,
  showsPage,
  toolsNamed,
  waits,
} from './profile.ts';

const acts: Profile = {
  verb: 'execute',
  target: ['uid', 'from_uid'],
  kind: 'element',
  freeText: ['includeSnapshot'],
};
const sets: Profile = { verb: 'write', fixed: 'browser:settings', effect: 'any' };

/** Chrome's DevTools MCP server. */
export const chromeDevtoolsMcp: Family = {
  ...toolsNamed('click click_at drag fill fill_form hover upload_file', acts),
  ...toolsNamed('press_key type_text', { verb: 'execute', freeText: ['includeSnapshot'] }),
  ...toolsNamed('handle_dialog performance_start_trace', { verb: 'execute' }),
  evaluate_script: { verb: 'execute', wide: true },
  ...toolsNamed('navigate_page navigate_page_history new_page select_page close_page', {
    ...navigates,
    freeText: ['timeout'],
  }),
  wait_for: waits,
  ...toolsNamed('list_pages take_memory_snapshot performance_analyze_insight', listsPages),
  ...toolsNamed('take_snapshot list_console_messages list_network_requests', showsPage),
  take_screenshot: { ...showsPage, freeText: ['filePath'] },
  get_console_message: { verb: 'read', target: ['msgid'], kind: 'id' },
  get_network_request: { verb: 'read', target: ['reqid', 'url'], kind: 'id' },
  ...toolsNamed('emulate emulate_cpu emulate_network resize_page', sets),
  ...toolsNamed('lighthouse_audit performance_stop_trace', { verb: 'verify' }),
};
