import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { opencode } from './agents/opencode.ts';
import { runAgent } from './run-agent.ts';
import * as scripts from './scripts.ts';
const names = (process.env.S ?? 'noLoop,insists').split(',');
const agents = [claudeCode, codex, geminiCli, opencode].filter(a => !process.env.A || process.env.A.split(',').includes(a.name));
const cmd = process.env.HOOK ?? '/work/main/node_modules/.bin/node /tmp/H6/dist/hook.cjs';
const EV: any = { 'claude-code': ['.claude/settings.json', 'PreToolUse PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit SessionStart SessionEnd Stop SubagentStop'], codex: ['.codex/hooks.json', 'PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStop'], 'gemini-cli': ['.gemini/settings.json', 'BeforeTool AfterTool BeforeAgent AfterAgent SessionEnd'] };
for (const a of agents) for (const s of names) it(`${a.name} ${s}`, async () => {
  const t = Date.now();
  const run = await runAgent(a, (scripts as any)[s], async ({home}) => {
    const [file, events] = EV[a.name]; const path = `${home}/${file}`;
    let old = {}; try { old = JSON.parse(readFileSync(path, 'utf8')) } catch {}
    writeFileSync(path, JSON.stringify({ ...old, hooks: Object.fromEntries(events.split(' ').map((e: string) => [e, [{ ...(a === codex ? {} : { matcher: '*' }), hooks: [{ type: 'command', command: cmd, timeout: a === geminiCli ? 10000 : 10 }] }]])) }));
  });
  console.log(a.name, s, Date.now()-t, run.exitCode, run.tries.join(), run.output.slice(0,600), '\n', run.exchanges.map(e => `${e.nested?'  nested ':''}${e.turn} ${JSON.stringify(e.news).slice(-700)} => ${JSON.stringify(e.reply).slice(0,80)}`).join('\n'));
});
