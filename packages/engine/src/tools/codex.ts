import {
  appliesPatch,
  type Family,
  keepsList,
  listsFiles,
  type Profile,
  readsFile,
  readsResource,
  runsCommand,
  SHELL_TALK,
  searchesFiles,
  searchesWeb,
  startsAgent,
  talks,
  toolsNamed,
  waits,
} from './profile.ts';

const shell: Profile = { ...runsCommand, shell: ['command', 'cmd'] };

/** Without characters it only checks whether the program has printed more. */
const stdin: Profile = {
  verb: 'execute',
  target: ['session_id'],
  kind: 'task',
  freeText: SHELL_TALK,
  when: ({ chars }) =>
    chars === '' || chars === undefined
      ? { verb: 'read', effect: 'none', poll: true, wide: false }
      : null,
};

/**
 * A command, or a script of the code mode. A script that patches files returns nothing if the patch
 * applied.
 */
const script: Profile = {
  verb: 'execute',
  freeText: SHELL_TALK,
  when: ({ input }) =>
    typeof input !== 'string'
      ? shell
      : /\btools\s*\.\s*apply_patch\s*\(/.test(input)
        ? appliesPatch
        : null,
};

const AGENT = { target: ['id', 'agent_id'], kind: 'task' };

/** OpenAI Codex CLI. */
export const codexTools: Family = {
  ...toolsNamed('shell shell_command exec_command local_shell unified_exec', shell),
  exec: script,
  write_stdin: stdin,
  apply_patch: appliesPatch,
  update_plan: keepsList,
  view_image: readsFile,
  list_dir: listsFiles,
  grep_files: searchesFiles,
  web_search: searchesWeb,
  spawn_agent: startsAgent,
  send_input: { verb: 'execute', ...AGENT },
  wait_agent: waits,
  close_agent: { verb: 'write', ...AGENT },
  request_user_input: talks,
  list_mcp_resources: { verb: 'read', wide: true },
  read_mcp_resource: readsResource,
};
