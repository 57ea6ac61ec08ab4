import {
  appliesPatch,
  type Family,
  keepsList,
  listsFiles,
  type Profile,
  readsFile,
  SHELL_TALK,
  searchesFiles,
  searchesWeb,
  startsAgent,
  talks,
} from './profile.ts';

const shell: Profile = { verb: 'execute', shell: ['command', 'cmd'], freeText: SHELL_TALK };

/** Without characters it only looks whether the program has said more. */
const stdin: Profile = {
  verb: 'execute',
  target: ['session_id'],
  kind: 'task',
  freeText: SHELL_TALK,
  when: ({ chars }) => (chars === '' || chars === undefined ? { verb: 'read', effect: 'none', poll: true, wide: false } : null),
};

/** OpenAI Codex CLI. */
export const codexTools: Family = {
  shell,
  shell_command: shell,
  exec_command: shell,
  local_shell: shell,
  exec: shell,
  unified_exec: shell,
  write_stdin: stdin,
  apply_patch: appliesPatch,
  update_plan: keepsList,
  view_image: readsFile,
  list_dir: listsFiles,
  grep_files: searchesFiles,
  web_search: searchesWeb,
  spawn_agent: startsAgent,
  send_input: { verb: 'execute', target: ['id', 'agent_id'], kind: 'task' },
  wait_agent: { verb: 'wait' },
  close_agent: { verb: 'write', target: ['id', 'agent_id'], kind: 'task' },
  request_user_input: talks,
  list_mcp_resources: { verb: 'read', wide: true },
  read_mcp_resource: { verb: 'read', target: ['uri'], kind: 'url' },
};
