import { foldKey } from '../json.ts';
import { lazily, remembering } from '../lazily.ts';
import { soundsGrave } from './grave-words.ts';
import { bareNames } from './index.ts';
import { readName } from './name-words.ts';

/**
 * What a tool is good for after another call has failed. The part before the dash is the world that
 * it belongs to.
 */
export type ToolRole =
  | `page-${'look' | 'find' | 'wait' | 'click' | 'key' | 'scroll' | 'list' | 'dialog' | 'chooser' | 'act'}`
  | `file-${'read' | 'list' | 'find' | 'edit' | 'scope'}`
  | 'shell'
  | 'ask'
  | 'wait';

/**
 * Known tools of hosts and servers by role, most typical first. Case, `_` and `-` do not matter.
 */
const KNOWN: Record<ToolRole, string> = {
  'page-look':
    'browser_snapshot take_snapshot read_page get_page_text get_html extract_content browser_take_screenshot take_screenshot screenshot',
  'page-find': 'find browser_find find_element find_elements',
  'page-wait': 'browser_wait_for wait_for wait_for_selector',
  'page-click': 'browser_click click left_click click_element',
  'page-key': 'browser_press_key press_key keyboard_press keypress send_keys key',
  'page-scroll': 'browser_mouse_wheel scroll scroll_to scroll_down',
  'page-list': 'browser_tabs list_pages browser_tab_list tabs_context',
  'page-dialog': 'browser_handle_dialog handle_dialog',
  'page-chooser': 'browser_file_upload',
  'page-act': `browser_type browser_fill_form browser_select_option browser_hover browser_drag browser_navigate browser_navigate_back
    browser_mouse_click_xy browser_evaluate fill fill_form hover navigate navigate_page new_page type_text form_input double_click computer`,
  'file-read':
    'Read read_text_file read_file view view_file open_file str_replace_based_edit_tool str_replace_editor',
  'file-list': 'list_directory LS list_dir list_files list directory_tree',
  'file-find': 'Glob search_files find_files file_search list_code_definition_names',
  'file-edit':
    'Edit replace edit_file replace_in_file MultiEdit apply_patch patch apply_diff search_replace',
  'file-scope': 'list_allowed_directories',
  shell:
    'Bash run_shell_command shell exec_command shell_command execute_command run_terminal_cmd PowerShell local_shell run_command',
  ask: 'AskUserQuestion ask_user question request_user_input ask_followup_question ask_human',
  wait: 'wait sleep',
};

const ROLES = lazily(() => {
  const roles = new Map<string, { role: ToolRole; place: number }>();
  for (const [role, names] of Object.entries(KNOWN) as [ToolRole, string][])
    for (const [place, name] of names.split(/\s+/).entries())
      roles.set(foldKey(name), { role, place });
  return roles;
});

/** A tool that may help after a failure. */
export interface RoledTool {
  role: ToolRole;
  /** Its position among the tools of its role. Tools that are only guessed come last. */
  place: number;
  /** The server's name and anything else before the tool's own name. */
  prefix: string;
}

const GUESSED = 100;

/**
 * What a tool is good for, by its name; null if nothing is known, or if its name sounds
 * irreversible.
 */
export const toolRoleOf = remembering((tool): RoledTool | null => {
  for (const bare of [tool, ...bareNames(tool)]) {
    const known = ROLES().get(foldKey(bare));
    const prefix = tool.slice(0, tool.length - bare.length);
    if (known && !soundsGrave(prefix)) return { ...known, prefix };
  }
  const bare = bareNames(tool)[0] ?? tool;
  const role = soundsGrave(tool) ? null : guess(bare);
  return role === null
    ? null
    : { role, place: GUESSED, prefix: tool.slice(0, tool.length - bare.length) };
});

/**
 * Whether the tool itself is known and not just guessed by its name. Then we also know what it can
 * do.
 */
export const isKnownTool = (tool: string): boolean =>
  (toolRoleOf(tool)?.place ?? GUESSED) < GUESSED;

const PAGES = new Set(['page', 'browser', 'dom', 'tab', 'webpage', 'screen']);
const FILES = new Set(['file', 'files', 'directory', 'dir', 'folder']);

/**
 * Guesses only reads and waits: what else an unknown tool does is too uncertain to recommend it.
 */
function guess(bare: string): ToolRole | null {
  const name = readName(bare);
  if (name.verb === 'wait') return 'wait';
  if (name.verb !== 'read') return null;
  const has = (words: ReadonlySet<string>): boolean => name.words.some((word) => words.has(word));
  if (has(PAGES)) return name.searches ? 'page-find' : 'page-look';
  if (!has(FILES)) return null;
  if (name.searches) return 'file-find';
  return name.lists || name.words.some((word) => word.startsWith('dir') || word === 'folder')
    ? 'file-list'
    : 'file-read';
}

/** The world that a call belongs to: pages, files, or neither. */
export type World = 'page' | 'file' | 'other';

const PAGE_TARGETS = new Set(['url', 'element', 'browser']);

export function worldOf(tool: string, target: string | null, isShell: boolean): World {
  const role = toolRoleOf(tool)?.role ?? '';
  // `page-find` tools do not count, because tools with the same names also search files.
  if (
    (role.startsWith('page-') && role !== 'page-find') ||
    (target !== null && PAGE_TARGETS.has(target.slice(0, target.indexOf(':'))) && !isShell)
  )
    return 'page';
  return isShell || role.startsWith('file-') || target?.startsWith('file:') ? 'file' : 'other';
}
