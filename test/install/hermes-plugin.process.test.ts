import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { hermes } from '../../packages/agents/src/hosts/hermes/host.ts';
import { newFolder } from '../ledger-files.ts';

/** Loads the plugin as Hermes does, and calls its hooks for a command that fails again and again. */
const DRIVER = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("unrut", sys.argv[1])
plugin = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plugin)
hooks = {}
class Context:
    def register_hook(self, name, callback): hooks[name] = callback
plugin.register(Context())
more = {"task_id": "t", "turn_id": "u", "telemetry_schema_version": "hermes.observer.v1"}
said = []
hooks["pre_llm_call"](session_id="s", user_message="Get the check to pass.", platform="cli", **more)
for n in range(int(sys.argv[2])):
    call = {"tool_name": "terminal", "args": {"command": "sh check.sh"}, "session_id": "s", "tool_call_id": f"c{n}", **more}
    blocked = hooks["pre_tool_call"](**call)
    result = json.dumps({"error": blocked["message"]} if blocked else {"output": "1 failed", "exit_code": 1, "error": None})
    changed = hooks["transform_tool_result"](result=result, status="ok", duration_ms=3, **call)
    said.append("block" if blocked else "note" if changed and changed.startswith(result) else "-")
print(json.dumps([sorted(hooks), said]))
`;

function drive(hook: string, times: number) {
  const home = newFolder();
  const order = {
    scope: 'user',
    at: { home, project: home, platform: process.platform, variables: {} },
    call: { node: process.execPath, hook, plugin: '', shadow: false },
  } as const;
  const edits = hermes.install!.edits(order);
  for (const edit of edits) {
    mkdirSync(dirname(edit.path), { recursive: true });
    writeFileSync(edit.path, edit.add(undefined));
  }
  const { stdout, stderr } = spawnSync('python3', ['-c', DRIVER, edits[0]!.path, String(times)], {
    encoding: 'utf8',
    env: { ...process.env, HOME: home, UNRUT_HOME: home, UNRUT_COMPANION: 'false' },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as [hooks: string[], said: string[]];
}

it('the plugin of Hermes adds notes and blocks calls as the hook answers', () => {
  expect(drive(join(inject('programs'), 'hook.cjs'), 6)).toEqual([
    [
      'on_session_finalize',
      'post_llm_call',
      'pre_llm_call',
      'pre_tool_call',
      'transform_tool_result',
    ],
    ['-', '-', 'note', 'note', 'block', 'note'],
  ]);
});

it('the plugin of Hermes changes nothing if the hook is gone', () => {
  expect(drive('/nonexistent/hook.cjs', 4)[1]).toEqual(['-', '-', '-', '-']);
});
