import { describe, expect, test } from 'vitest';
import { readShell } from '../shell/shell.ts';
import { editWords } from './edit-words.ts';
import { profileOf, type ToolPrint } from './index.ts';

type Case = [tool: string, args: unknown, expected: Partial<ToolPrint>];

const FILE_READ = {
  verb: 'read',
  effect: 'none',
  wide: false,
  look: true,
  patch: false,
} satisfies Partial<ToolPrint>;
const FILE_EDIT = {
  verb: 'write',
  effect: 'target',
  patch: true,
  look: false,
} satisfies Partial<ToolPrint>;
const SEARCH = {
  verb: 'read',
  effect: 'none',
  wide: true,
  target: null,
} satisfies Partial<ToolPrint>;
const PAGE_ACT = { verb: 'execute', effect: 'any', wide: true } satisfies Partial<ToolPrint>;
const PAGE_LOOK = {
  verb: 'read',
  effect: 'none',
  wide: true,
  look: true,
  target: null,
} satisfies Partial<ToolPrint>;

const PATCH =
  '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-const answer = compute(1);\n+const answer = compute(2);\n*** End Patch';

const SEARCH_REPLACE =
  '------- SEARCH\nconst answer = compute(1);\n=======\nconst answer = compute(2);\n+++++++ REPLACE\n';

const families: Record<string, Case[]> = {
  Cline: [
    [
      'replace_in_file',
      { path: 'a.ts', diff: SEARCH_REPLACE },
      { ...FILE_EDIT, target: 'file:a.ts' },
    ],
    ['write_to_file', { path: 'a.ts', content: 'x' }, { ...FILE_EDIT, target: 'file:a.ts' }],
    ['read_files', { files: [{ path: 'a.ts' }] }, { ...FILE_READ, target: 'file:a.ts' }],
    [
      'execute_command',
      { command: 'npm test', requires_approval: 'false' },
      { verb: 'verify', shell: 'npm test' },
    ],
    ['run_commands', { command: 'npm test' }, { verb: 'verify', shell: 'npm test' }],
  ],
  Copilot: [
    ['create', { path: '/a.ts', file_text: 'x' }, { ...FILE_EDIT, target: 'file:/a.ts' }],
    ['view', { path: '/a.ts', view_range: [1, 20] }, { ...FILE_READ, target: 'file:/a.ts' }],
    ['edit', { path: '/a.ts', old_str: 'a', new_str: 'b' }, { ...FILE_EDIT, target: 'file:/a.ts' }],
    [
      'bash',
      { command: 'npm test', sessionId: '1', async: false },
      { verb: 'verify', shell: 'npm test' },
    ],
    ['read_bash', { sessionId: '1', delay: 5 }, { verb: 'read', poll: true, target: 'task:1' }],
  ],
  Cursor: [
    ['Write', { file_path: '/a.ts', contents: 'x' }, { ...FILE_EDIT, target: 'file:/a.ts' }],
    [
      'StrReplace',
      { path: '/a.ts', old_string: 'a', new_string: 'b' },
      { ...FILE_EDIT, target: 'file:/a.ts' },
    ],
    ['Shell', { command: 'npm test', working_directory: '/' }, { verb: 'verify' }],
    ['Read', { path: '/a.ts' }, { ...FILE_READ, target: 'file:/a.ts' }],
  ],
  Kimi: [
    [
      'StrReplaceFile',
      { path: '/a.ts', edit: { old: 'a', new: 'b' } },
      { ...FILE_EDIT, target: 'file:/a.ts' },
    ],
    [
      'StrReplaceFile',
      { path: '/a.ts', edit: [{ old: 'a', new: 'b' }] },
      { ...FILE_EDIT, target: 'file:/a.ts' },
    ],
    ['ReadFile', { path: '/a.ts' }, { ...FILE_READ, target: 'file:/a.ts' }],
  ],
  'Claude Code': [
    [
      'Bash',
      { command: 'npm test', description: 'Run tests' },
      { verb: 'verify', shell: 'npm test', wide: true, look: true },
    ],
    ['Bash', { command: "sed -i 's/a/b/' a.ts" }, { ...FILE_EDIT, target: 'file:a.ts' }],
    [
      'Bash',
      { command: 'rm a.ts' },
      { verb: 'write', patch: false, clears: 'target', target: 'file:a.ts' },
    ],
    ['Bash', { command: 'sleep 30 && kubectl get pod' }, { verb: 'read', poll: true }],
    ['PowerShell', { command: 'Get-Content a.txt' }, { verb: 'read', target: 'file:a.txt' }],
    [
      'Read',
      { file_path: '/repo/./src//a.ts', offset: 10 },
      { ...FILE_READ, target: 'file:/repo/src/a.ts' },
    ],
    [
      'Write',
      { file_path: '/repo/a.ts', content: 'x' },
      { ...FILE_EDIT, target: 'file:/repo/a.ts' },
    ],
    [
      'Edit',
      { file_path: '/repo/a.ts', old_string: 'a', new_string: 'b' },
      { ...FILE_EDIT, target: 'file:/repo/a.ts' },
    ],
    [
      'MultiEdit',
      { file_path: '/repo/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] },
      { ...FILE_EDIT, target: 'file:/repo/a.ts' },
    ],
    [
      'NotebookEdit',
      { notebook_path: '/repo/a.ipynb', cell_id: 'c1', new_source: 'x = 1' },
      { ...FILE_EDIT, target: 'file:/repo/a.ipynb' },
    ],
    ['Grep', { pattern: 'delete', path: '/repo/src' }, { ...SEARCH, look: true }],
    ['Glob', { pattern: '**/*.ts' }, { ...SEARCH, look: false }],
    [
      'WebFetch',
      { url: 'https://a.example/x', prompt: 'p' },
      { verb: 'read', target: 'url:https://a.example/x', wide: false },
    ],
    ['WebSearch', { query: 'how to write' }, SEARCH],
    [
      'TodoWrite',
      { todos: [] },
      { verb: 'write', target: 'todo:list', effect: 'target', patch: false },
    ],
    [
      'TaskUpdate',
      { taskId: '3', status: 'done' },
      { verb: 'write', target: 'task:3', effect: 'target' },
    ],
    ['BashOutput', { bash_id: 'b1' }, { verb: 'read', poll: true, target: 'task:b1' }],
    ['TaskOutput', { task_id: 't1', block: true }, { verb: 'read', poll: true, target: 'task:t1' }],
    ['KillShell', { shell_id: 'b1' }, { verb: 'write', target: 'task:b1' }],
    [
      'Task',
      { prompt: 'p', description: 'd' },
      { verb: 'execute', effect: 'any', freeText: ['description'] },
    ],
    ['AskUserQuestion', { questions: [] }, { verb: 'unknown', effect: 'none' }],
    [
      'mcp__ide__getDiagnostics',
      { uri: 'file:///a.ts' },
      { verb: 'verify', wide: true, look: true },
    ],
    [
      'str_replace_based_edit_tool',
      { command: 'view', path: 'a.ts' },
      { ...FILE_READ, target: 'file:a.ts', tool: 'str_replace_based_edit_tool view' },
    ],
    [
      'str_replace_based_edit_tool',
      { command: 'str_replace', path: 'a.ts', old_str: 'a', new_str: 'b' },
      { ...FILE_EDIT, target: 'file:a.ts' },
    ],
    [
      'str_replace_based_edit_tool',
      { command: 'insert', path: 'a.ts', insert_line: 4, insert_text: 'b' },
      { ...FILE_EDIT, target: 'file:a.ts' },
    ],
    [
      'str_replace_editor',
      { command: 'create', path: 'a.ts', file_text: 'x' },
      { ...FILE_EDIT, target: 'file:a.ts' },
    ],
    [
      'str_replace_editor',
      { command: 'undo_edit', path: 'a.ts' },
      { verb: 'write', patch: false, clears: 'target' },
    ],
  ],
  Codex: [
    [
      'shell',
      { command: ['bash', '-lc', 'cat src/a.ts'], workdir: '/repo' },
      { ...FILE_READ, target: 'file:/repo/src/a.ts' },
    ],
    [
      'exec_command',
      { cmd: 'git status', workdir: '/repo', yield_time_ms: 1000 },
      { verb: 'read', wide: true, look: true },
    ],
    [
      'local_shell',
      { command: ['rm', 'my file.txt'] },
      { verb: 'write', target: 'file:my file.txt' },
    ],
    ['apply_patch', PATCH, { ...FILE_EDIT, target: 'file:src/a.ts' }],
    ['apply_patch', { input: PATCH }, { ...FILE_EDIT, target: 'file:src/a.ts' }],
    ['apply_patch', { command: PATCH }, { ...FILE_EDIT, target: 'file:src/a.ts' }],
    [
      'apply_patch',
      `${PATCH}\n*** Add File: b.ts\n+x`,
      {
        verb: 'write',
        patch: true,
        target: null,
        targets: ['file:src/a.ts', 'file:b.ts'],
        effect: 'any',
      },
    ],
    [
      'apply_patch',
      '*** Begin Patch\n*** Delete File: b.ts\n*** End Patch',
      { verb: 'write', patch: false, clears: 'target', target: 'file:b.ts' },
    ],
    [
      'write_stdin',
      { session_id: 7, chars: '' },
      { verb: 'read', poll: true, effect: 'none', target: 'task:7' },
    ],
    [
      'write_stdin',
      { session_id: 7, chars: 'y\n' },
      { verb: 'execute', poll: false, effect: 'any' },
    ],
    ['update_plan', { plan: [] }, { verb: 'write', target: 'todo:list' }],
    ['view_image', { path: 'a.png' }, { verb: 'read', target: 'file:a.png' }],
    ['functions.exec_command', { cmd: 'npm test' }, { verb: 'verify', shell: 'npm test' }],
    ['exec', { command: 'npm test' }, { verb: 'verify', shell: 'npm test' }],
    [
      'exec',
      { input: 'const p = make(); text(await tools.apply_patch(p));' },
      { verb: 'write', effect: 'any', patch: true },
    ],
    ['exec', { input: 'text(await tools.exec_command({cmd}))' }, { verb: 'execute' }],
  ],
  'Gemini CLI': [
    [
      'run_shell_command',
      { command: 'npm test', description: 'd' },
      { verb: 'verify', shell: 'npm test' },
    ],
    ['read_file', { file_path: 'a.ts' }, { ...FILE_READ, target: 'file:a.ts' }],
    ['write_file', { file_path: 'a.ts', content: 'x' }, { ...FILE_EDIT, target: 'file:a.ts' }],
    [
      'replace',
      { file_path: 'a.ts', old_string: 'a', new_string: 'b', instruction: 'i' },
      { ...FILE_EDIT, target: 'file:a.ts' },
    ],
    ['search_file_content', { pattern: 'x', path: 'src' }, SEARCH],
    ['list_directory', { dir_path: 'src' }, { ...SEARCH, look: false }],
    [
      'read_many_files',
      { include: ['a.ts', 'b.ts'] },
      { verb: 'read', targets: ['file:a.ts', 'file:b.ts'], target: null, look: true },
    ],
    ['google_web_search', { query: 'x' }, SEARCH],
    ['save_memory', { fact: 'x' }, { verb: 'write', effect: 'target', patch: false }],
  ],
  OpenCode: [
    ['bash', { command: 'cargo test' }, { verb: 'verify', shell: 'cargo test' }],
    ['bash', 'ls -la', { verb: 'read', shell: 'ls -la', wide: true }],
    ['read', { filePath: '/repo/a.ts' }, { ...FILE_READ, target: 'file:/repo/a.ts' }],
    [
      'write',
      { filePath: '/repo/a.ts', content: 'x' },
      { ...FILE_EDIT, target: 'file:/repo/a.ts' },
    ],
    [
      'edit',
      { filePath: '/repo/a.ts', oldString: 'a', newString: 'b' },
      { ...FILE_EDIT, target: 'file:/repo/a.ts' },
    ],
    ['patch', { patchText: PATCH }, { ...FILE_EDIT, target: 'file:src/a.ts' }],
    ['grep', { pattern: 'x' }, SEARCH],
    [
      'webfetch',
      { url: 'https://a.example', format: 'text' },
      { verb: 'read', target: 'url:https://a.example' },
    ],
    ['todowrite', { todos: [] }, { verb: 'write', target: 'todo:list' }],
    ['task', { description: 'd', prompt: 'p' }, { verb: 'execute', effect: 'any' }],
  ],
  'the file server of MCP': [
    ['mcp__filesystem__read_text_file', { path: 'a.ts' }, { ...FILE_READ, target: 'file:a.ts' }],
    [
      'mcp_filesystem_write_file',
      { path: 'a.ts', content: 'x' },
      { ...FILE_EDIT, target: 'file:a.ts' },
    ],
    [
      'filesystem.edit_file',
      { path: 'a.ts', edits: [{ oldText: 'a', newText: 'b' }] },
      { ...FILE_EDIT, target: 'file:a.ts' },
    ],
    [
      'edit_file',
      { path: 'a.ts', edits: [], dryRun: true },
      { verb: 'read', patch: false, effect: 'none' },
    ],
    [
      'MCP:read_multiple_files',
      { paths: ['a.ts', 'b.ts'] },
      { verb: 'read', targets: ['file:a.ts', 'file:b.ts'] },
    ],
    [
      'move_file',
      { source: 'a.ts', destination: 'b.ts' },
      { verb: 'write', effect: 'any', patch: false, clears: 'target' },
    ],
    ['search_files', { path: '/', pattern: '*' }, SEARCH],
    ['list_directory', { path: 'src' }, { ...SEARCH, look: false }],
    ['create_directory', { path: 'src' }, { verb: 'write', target: 'file:src', patch: false }],
  ],
  Playwright: [
    [
      'mcp__playwright__browser_navigate',
      { url: 'https://a.example' },
      { verb: 'navigate', target: 'url:https://a.example' },
    ],
    ['browser_navigate_back', {}, { verb: 'navigate', target: null }],
    [
      'mcp__playwright__browser_click',
      { element: 'Save', ref: 'e12' },
      { ...PAGE_ACT, target: 'element:e12', freeText: ['element'] },
    ],
    ['browser_click', { target: 'e12' }, { ...PAGE_ACT, target: 'element:e12' }],
    [
      'mcp_playwright_browser_type',
      { ref: 'e3', text: 'x' },
      { ...PAGE_ACT, target: 'element:e3' },
    ],
    ['browser_snapshot', {}, PAGE_LOOK],
    ['browser_take_screenshot', { type: 'png' }, PAGE_LOOK],
    ['browser_wait_for', { time: 3 }, { verb: 'wait' }],
    ['browser_tabs', { action: 'list' }, { verb: 'read', tool: 'browser_tabs list' }],
    ['browser_tabs', { action: 'select', index: 1 }, { verb: 'navigate' }],
    ['browser_verify_text_visible', { text: 'x' }, { verb: 'verify' }],
  ],
  'Chrome DevTools': [
    ['mcp__chrome-devtools__click', { uid: '1_2' }, { ...PAGE_ACT, target: 'element:1_2' }],
    ['fill', { uid: '1_3', value: 'x' }, { ...PAGE_ACT, target: 'element:1_3' }],
    ['take_snapshot', {}, PAGE_LOOK],
    [
      'navigate_page',
      { type: 'url', url: 'https://a.example' },
      { verb: 'navigate', target: 'url:https://a.example' },
    ],
    ['wait_for', { text: 'x' }, { verb: 'wait' }],
    ['evaluate_script', { function: '() => 1' }, PAGE_ACT],
  ],
  'computer use': [
    ['computer', { action: 'screenshot' }, { ...PAGE_LOOK, tool: 'computer screenshot' }],
    [
      'computer',
      { action: 'left_click', coordinate: [101, 203] },
      { ...PAGE_ACT, target: 'element:@96,208' },
    ],
    ['left_click', { coordinate: [99, 206] }, { ...PAGE_ACT, target: 'element:@96,208' }],
    [
      'left_click',
      { target: { type: 'ref', ref: 'ref_3' } },
      { ...PAGE_ACT, target: 'element:ref_3' },
    ],
    [
      'computer_call',
      { action: { type: 'click', x: 101, y: 203 } },
      { ...PAGE_ACT, target: 'element:@96,208' },
    ],
    ['computer', { action: 'wait', duration: 2 }, { verb: 'wait' }],
    ['computer', { action: 'scroll', scroll_direction: 'down' }, { verb: 'navigate' }],
    ['browser', { action: 'click', index: 4 }, { ...PAGE_ACT, target: 'element:4' }],
    [
      'browser_use',
      { action: 'go_to_url', url: 'https://a.example' },
      { verb: 'navigate', target: 'url:https://a.example' },
    ],
    ['mcp__Claude_Browser__get_page_text', {}, PAGE_LOOK],
    ['click', "'a12'", { ...PAGE_ACT, target: 'element:a12' }],
    ['fill', "'a12', 'red car'", { ...PAGE_ACT, target: 'element:a12' }],
    ['goto', "'https://a.example'", { verb: 'navigate', target: 'url:https://a.example' }],
    ['noop', '', { verb: 'nothing', effect: 'none' }],
    ['noop', 'wait_ms=10000', { verb: 'wait' }],
  ],
  widgets: [
    [
      'patchWidget',
      { spaceId: 's', widgetId: 'X', edits: [] },
      { verb: 'write', target: 'widget:X', space: 's', patch: true, clears: 'none' },
    ],
    [
      'patch_widget',
      { space_id: 's', widget_id: 'X' },
      { target: 'widget:X', space: 's', patch: true },
    ],
    [
      'space.spaces.patchWidget',
      { spaceId: 's', id: 'X' },
      { target: 'widget:X', space: 's', patch: true },
    ],
    ['patchWidget', { widgetId: 'X' }, { target: 'widget:X', space: null, patch: true }],
    ['update_chart', { id: 7 }, { target: 'id:7', patch: true, verb: 'write' }],
    ['get_chart', { id: 7 }, { target: 'id:7', look: true }],
    ['render_chart', { id: 7 }, { patch: false }],
    ['delete_chart', { id: 7 }, { patch: false, clears: 'target' }],
    ['update_reservation', { reservation_id: 7 }, { target: 'id:7', patch: false }],
    ['patchWidget', { spaceId: 's' }, { target: null }],
    [
      'readWidget',
      { spaceId: 's', widgetId: 'X' },
      { verb: 'read', look: true, target: 'widget:X', effect: 'none' },
    ],
    [
      'seeWidget',
      { spaceId: 's', widgetId: 'X' },
      { verb: 'read', look: true, target: 'widget:X' },
    ],
    [
      'renderWidget',
      { spaceId: 's', widgetId: 'X' },
      { patch: false, look: false, clears: 'target', target: 'widget:X' },
    ],
    ['upsertWidget', { spaceId: 's', widgetId: 'X' }, { patch: false, clears: 'target' }],
    [
      'upsertWidgets',
      { spaceId: 's', widgets: [{ id: 'X' }, { id: 'Y' }] },
      { clears: 'target', targets: ['widget:X', 'widget:Y'], target: null },
    ],
    ['reloadWidget', { spaceId: 's', widgetId: 'X' }, { patch: false, clears: 'target' }],
    [
      'reloadWidget',
      { spaceId: 's', widgetId: 'X', silent: true },
      { clears: 'none', look: false },
    ],
    ['removeWidget', { spaceId: 's', widgetId: 'X' }, { clears: 'target', target: 'widget:X' }],
    [
      'removeWidgets',
      { spaceId: 's', widgetIds: ['X', 'Y'] },
      { clears: 'target', targets: ['widget:X', 'widget:Y'] },
    ],
    ['removeAllWidgets', { spaceId: 's' }, { clears: 'space', space: 's' }],
    ['removeSpace', { id: 's' }, { clears: 'space', space: 's' }],
    [
      'rearrangeWidgets',
      { spaceId: 's', layout: {} },
      { patch: false, look: false, clears: 'none', target: 'layout:s' },
    ],
  ],
  'no family': [
    [
      'execute_bash',
      { command: 'cat a.ts' },
      { shell: 'cat a.ts', verb: 'read', target: 'file:a.ts' },
    ],
    [
      'run_terminal_cmd',
      { command: 'npm test', explanation: 'e' },
      { shell: 'npm test', verb: 'verify' },
    ],
    ['run_command', { CommandLine: 'git diff' }, { shell: 'git diff', verb: 'read', look: true }],
    ['mcp__server__terminal', { cmd: 'ls' }, { shell: 'ls' }],
    ['run_tests', { command: 'unit' }, { shell: null, verb: 'verify', wide: true, look: true }],
    ['get_user', { user_id: 'u1' }, { verb: 'read', target: 'id:u1', wide: false, effect: 'none' }],
    ['search_flights', { origin: 'A', path: 'x' }, SEARCH],
    ['lookup', { key: 'a' }, { verb: 'read', target: 'id:a' }],
    ['create_record', { name: 'a' }, { verb: 'write', target: null, effect: 'any', patch: false }],
    [
      'updateReservationFlights',
      { reservation_id: 'r1', payment_id: 'p1' },
      { verb: 'write', target: 'id:r1', effect: 'target', patch: false },
    ],
    [
      'delete_document',
      { path: 'a.md' },
      { verb: 'write', clears: 'target', target: 'file:a.md', patch: false },
    ],
    [
      'insert_lines',
      { file: 'a.md', line: 4, text: 'one more line of text' },
      { ...FILE_EDIT, target: 'file:a.md' },
    ],
    [
      'find_and_replace',
      { file: 'a.md', find: 'a', replace: 'b' },
      { ...FILE_EDIT, target: 'file:a.md' },
    ],
    ['get_or_create_user', { id: 1 }, { verb: 'write', target: 'id:1' }],
    ['check_availability', { date: 'x' }, { verb: 'read' }],
    ['check_types', {}, { verb: 'verify' }],
    ['open_file', { path: 'a.ts' }, { ...FILE_READ, target: 'file:a.ts' }],
    [
      'open_url',
      { url: 'https://a.example' },
      { verb: 'navigate', target: 'url:https://a.example' },
    ],
    ['go_back', {}, { verb: 'navigate' }],
    ['sleep', { seconds: 3 }, { verb: 'wait', effect: 'none' }],
    [
      'editor',
      { command: 'view', path: 'a.ts' },
      { verb: 'read', target: 'file:a.ts', tool: 'editor view' },
    ],
    ['todo', { action: 'add', text: 'x' }, { verb: 'write' }],
    ['github_issue', { method: 'get', issue_id: 4 }, { verb: 'read', target: 'id:4' }],
    [
      'open_file',
      'result = open_file._run(relative_file_path="django/db/writer.py")',
      { verb: 'read', target: 'file:django/db/writer.py' },
    ],
    ['execute_sql', { query: 'SELECT a FROM b' }, { verb: 'read', effect: 'none' }],
    ['execute_sql', { query: 'UPDATE a SET b = 1' }, { verb: 'write', effect: 'any' }],
    ['code_exec', 'print(1)', { verb: 'execute', shell: null }],
    [
      'frobnicate',
      { widget: 'x' },
      { verb: 'unknown', effect: 'target', target: null, wide: false },
    ],
    ['frobnicate', { id: 'x' }, { verb: 'unknown', effect: 'target', target: 'id:x' }],
    ['mcp__mail__read', { message_id: 'm1' }, { verb: 'read', target: 'id:m1' }],
    ['read', { id: 'r1' }, { verb: 'read', target: 'id:r1' }],
  ],
};

describe.each(Object.entries(families))('%s', (_, cases) => {
  test.each(cases)('%s %j', (tool, args, expected) => {
    expect(profileOf(tool, args)).toMatchObject(expected);
  });
});

describe('the place of an edit', () => {
  const edit = (old_string: string, new_string: string) =>
    profileOf('Edit', { file_path: 'a.ts', old_string, new_string }).region!;

  test('is known by the text before and after', () => {
    const one = edit('const answer = compute(1);', 'const answer = compute(2);');
    const two = edit('const answer = compute(2);', 'const answer = compute(3);');
    expect(two.before).toBe(one.after);
    expect(two.hashes.some((hash) => one.hashes.includes(hash))).toBe(true);
    expect(one.hashes).toHaveLength(2);
  });

  test('is not known by lines that occur everywhere', () => {
    const one = edit(
      'if err != nil {\n\treturn nil\n}',
      'if err != nil {\n\treturn errors.Wrap(err, "open the file")\n}',
    );
    const two = edit('if err != nil {\n\treturn nil\n}\nlogger.Printf("closing %s", name)', '}');
    expect(one.hashes.some((hash) => two.hashes.includes(hash))).toBe(false);
  });

  test('has at most 24 hashes, of both sides', () => {
    const lines = (side: string) =>
      Array.from({ length: 100 }, (_, i) => `const ${side}Value${i} = compute(${i});`).join('\n');
    const region = edit(lines('old'), lines('new'));
    expect(region.hashes).toHaveLength(24);
    expect(edit(lines('old'), 'x').hashes.every((hash) => region.hashes.includes(hash))).toBe(true);
  });

  test('is a line range where the tool says so', () => {
    expect(
      profileOf('str_replace_editor', {
        command: 'insert',
        path: 'a',
        insert_line: 4,
        new_str: 'x',
      }).region,
    ).toMatchObject({
      lines: [4, 4],
    });
    expect(
      profileOf('replace_lines', { file: 'a', start_line: 3, end_line: 9, content: 'x' }).region,
    ).toMatchObject({ lines: [3, 9] });
  });

  test('is the whole file for a write, which is known by its content', () => {
    const write = (content: string) => profileOf('Write', { file_path: 'a', content }).region!;
    expect(write('one')).toEqual({ hashes: [], after: expect.any(String) });
    expect(write('one').after).toBe(write('one\n').after);
    expect(write('one').after).not.toBe(write('two').after);
    expect(profileOf('Bash', { command: "cat > a <<'EOF'\none\nEOF" }).region).toEqual(
      write('one'),
    );
  });

  test('is the same for the same insertion, by any tool', () => {
    const insert = (line: number) =>
      profileOf('insert_lines', { file: 'a.md', line, text: 'one more line of text' }).region!;
    expect(insert(4).after).toBe(insert(40).after);
  });

  test('of a patch is known by its hunks', () => {
    expect(profileOf('apply_patch', PATCH).region).toMatchObject(
      edit('const answer = compute(1);', 'const answer = compute(2);'),
    );
  });
});

describe('the words of a note', () => {
  test('for a widget are the ones that users know', () => {
    expect(editWords(profileOf('patchWidget', { spaceId: 's', widgetId: 'X' }).target)).toEqual({
      act: 'patch',
      object: 'on this widget',
      look: 'a fresh readWidget',
      remedy: 'verify visually or report current state instead of patching again',
    });
  });

  test('for a file name it', () => {
    expect(
      editWords(
        profileOf('Edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }).target,
      ),
    ).toMatchObject({
      act: 'edit',
      object: 'of src/a.ts',
      look: 'reading it',
    });
  });
});

test('an edit is at the same place, whichever way it is written', () => {
  const [before, after] = ['const answer = compute(1);', 'const answer = compute(2);'];
  const regions = [
    profileOf('Edit', { file_path: 'a.ts', old_string: before, new_string: after }),
    profileOf('apply_patch', { command: PATCH }),
    profileOf('replace_in_file', { path: 'a.ts', diff: SEARCH_REPLACE }),
    profileOf('StrReplaceFile', { path: 'a.ts', edit: { old: before, new: after } }),
  ].map(({ region }) => region?.hashes);
  expect(regions[0]).toHaveLength(2);
  for (const region of regions) expect(region).toEqual(regions[0]);
});

describe('what is declared', () => {
  test('by hints of MCP beats the words of the name', () => {
    expect(profileOf('frobnicate', {}, { readOnlyHint: true })).toMatchObject({
      verb: 'read',
      effect: 'none',
      wide: true,
    });
    expect(profileOf('run_report', {}, { readOnlyHint: true })).toMatchObject({
      verb: 'read',
      effect: 'none',
    });
    expect(
      profileOf('frobnicate', { id: 1 }, { readOnlyHint: false, destructiveHint: true }),
    ).toMatchObject({
      verb: 'write',
      effect: 'target',
    });
    expect(profileOf('wait_for_build', {}, { readOnlyHint: true })).toMatchObject({
      verb: 'wait',
      effect: 'none',
    });
  });

  test('by hints of MCP does not beat a profile', () => {
    expect(
      profileOf(
        'Edit',
        { file_path: 'a', old_string: 'a', new_string: 'b' },
        { readOnlyHint: true },
      ).verb,
    ).toBe('write');
  });

  test('by the tool beats the profile, and by the user beats the tool', () => {
    expect(
      profileOf(
        'Read',
        { file_path: 'a' },
        { 'unrut/poll': true, 'unrut/identity': ['file_path'] },
      ),
    ).toMatchObject({
      poll: true,
      identity: ['file_path'],
    });
    expect(
      profileOf('BashOutput', { bash_id: 'a' }, { 'unrut/poll': true }, { poll: false }),
    ).toMatchObject({ poll: false });
    expect(profileOf('Read', { file_path: 'a' }, undefined, { verb: 'write' })).toMatchObject({
      verb: 'write',
      effect: 'target',
    });
    expect(
      profileOf('frobnicate', { thing: 'x' }, undefined, { target: 'thing', verb: 'write' }),
    ).toMatchObject({
      target: 'id:x',
      effect: 'target',
    });
  });
});

describe('arguments that do not change what a call does', () => {
  test.each([
    ['Bash', { command: 'ls', description: 'd' }, true],
    ['exec_command', { cmd: 'ls', yield_time_ms: 5 }, true],
    ['probe', { id: 1, description: 'why' }, true],
    ['create_issue', { title: 't', description: 'the issue itself' }, false],
    ['update_issue', { id: 1, description: 'the issue itself' }, false],
  ])('%s %j', (tool, args, free) => {
    expect(profileOf(tool, args).freeText.includes('description')).toBe(free);
  });
});

test.each([
  undefined,
  null,
  5,
  'text',
  [],
  ['a'],
  { path: {} },
  { command: 5 },
  { action: { type: 5 } },
  { edits: [null, 5] },
  '{"broken',
  '{}',
])('arguments of %j are answered for every tool', (args) => {
  for (const cases of Object.values(families))
    for (const [tool] of cases) expect(profileOf(tool, args).tool).toContain(tool);
  for (const tool of [
    '',
    '_',
    'mcp__',
    'mcp_',
    'mcp__a',
    '.',
    ':',
    'a.',
    'constructor',
    '__proto__',
    'toString',
  ])
    profileOf(tool, args);
});

test('a shell tool is read once: the command that it gives is the one that was read', () => {
  const print = profileOf('exec_command', { cmd: 'cat a.ts', workdir: '/repo' });
  expect(readShell(print.shell!)).toMatchObject({
    canonical: 'cat a.ts',
    directory: '/repo',
    target: print.target,
  });
});
