import {
  editsFile,
  type Family,
  fetchesPage,
  keepsList,
  listsFiles,
  readsFile,
  runsCommand,
  searchesFiles,
  searchesWeb,
  startsAgent,
  talks,
  toolsNamed,
  writesFile,
} from './profile.ts';

/** Gemini CLI, and Qwen Code, which has the same tools. */
export const geminiCliTools: Family = {
  run_shell_command: runsCommand,
  read_file: readsFile,
  read_many_files: { verb: 'read', batch: ['paths', 'include'], wide: true, look: true },
  write_file: writesFile,
  replace: { ...editsFile, freeText: ['instruction', 'expected_replacements'] },
  edit: { ...editsFile, freeText: ['instruction'] },
  ...toolsNamed('list_directory glob', listsFiles),
  ...toolsNamed('search_file_content grep_search', searchesFiles),
  web_fetch: { ...fetchesPage, wide: true },
  google_web_search: searchesWeb,
  save_memory: { verb: 'write', fixed: 'memory:all', effect: 'target' },
  write_todos: keepsList,
  activate_skill: { verb: 'read', target: ['name'], kind: 'skill', wide: false },
  codebase_investigator: startsAgent,
  ...toolsNamed('ask_user enter_plan_mode exit_plan_mode', talks),
};
