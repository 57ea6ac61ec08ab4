import { hookArguments } from '../../settings-files/hook-command.ts';
import type { Order } from '../../settings-files/order.ts';
import { ownFile } from '../../settings-files/own-file.ts';
import { joinOn, settingsFolder } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const WRITTEN = 'Written by `unrut install hermes`; `unrut uninstall hermes` removes it.';

const MANIFEST = `# ${WRITTEN}
name: unrut
version: "1.0.0"
description: Loop guard
`;

/** A Python plugin. Hermes blocks calls whose callback takes too long, so it has a timeout. */
const pluginText = ({ call }: Order): string => `"""${WRITTEN}"""

import json
import os
import subprocess

COMMAND = ${JSON.stringify([call.node, call.hook, ...hookArguments('hermes', call)])}
TIMEOUT = 3
_refused = []
_alone = set()


def _ask(hook, session, event):
    """Hands an event to the hook; an empty answer, whatever goes wrong."""
    if not session:
        return {}
    try:
        payload = {"hook": hook, "session": str(session), "cwd": os.getcwd(), "event": event}
        variables = dict(os.environ)
        if session in _alone:
            variables.setdefault("UNRUT_ATTENDED", "false")
        done = subprocess.run(
            COMMAND,
            input=json.dumps(payload, default=str),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            timeout=TIMEOUT,
            env=variables,
        )
        answer = json.loads(done.stdout) if done.stdout.strip() else {}
        return answer if isinstance(answer, dict) else {}
    except Exception:
        return {}


def pre_tool_call(tool_name="", args=None, session_id="", tool_call_id="", **_):
    event = {"tool_call_id": tool_call_id, "tool_name": tool_name, "args": args}
    refuse = _ask("pre_tool_call", session_id, event).get("refuse")
    if not refuse:
        return None
    _refused.append(tool_call_id)
    del _refused[:-100]
    return {"action": "block", "message": refuse}


def transform_tool_result(
    tool_name="", args=None, result=None, session_id="", tool_call_id="", status=None, **_
):
    if tool_call_id in _refused:
        _refused.remove(tool_call_id)
        return None
    event = {
        "tool_call_id": tool_call_id,
        "tool_name": tool_name,
        "args": args,
        "result": result,
        "status": status,
    }
    append = _ask("transform_tool_result", session_id, event).get("append")
    return f"{result}\\n\\n{append}" if append and isinstance(result, str) else None


def pre_llm_call(session_id="", user_message="", platform=None, parent_session_id=None, **_):
    if platform == "cron":
        _alone.add(session_id)
    elif not parent_session_id:
        _ask("pre_llm_call", session_id, {"user_message": user_message})
    return None


def post_llm_call(session_id="", assistant_response="", **_):
    _ask("post_llm_call", session_id, {"assistant_response": assistant_response})


def on_session_finalize(session_id="", reason=None, **_):
    _alone.discard(session_id)
    _ask("on_session_finalize", session_id, {"reason": reason})


def register(ctx):
    for hook in (
        pre_tool_call,
        transform_tool_result,
        pre_llm_call,
        post_llm_call,
        on_session_finalize,
    ):
        try:
            ctx.register_hook(hook.__name__, hook)
        except Exception:
            pass
`;

export const hermesInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'HERMES_HOME', '.hermes'),
  edits(order) {
    const { at } = order;
    const file = (name: string): string =>
      joinOn(at)(hermesInstall.folder(at), 'plugins', 'unrut', name);
    return [
      ownFile(file('__init__.py'), pluginText(order)),
      ownFile(file('plugin.yaml'), MANIFEST),
    ];
  },
  instructions: { project: 'AGENTS.md' },
  userOnly: true,
  afterwards: 'Enable the plugin: `hermes plugins enable unrut`.',
};
