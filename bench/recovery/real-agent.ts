import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RUNGS } from '@unrut/engine/event';
import { recommended } from '@unrut/engine/presets';
import { userConfigFolder } from '../../packages/ledger/src/config/find-config.ts';
import { bundlePrograms } from '../../scripts/build.ts';
import { serverCommand } from '../../test/mcp/install-servers.ts';
import { claudeCode } from '../../test/real/agents/claude-code.ts';
import { heardIn } from '../../test/real/heard-in.ts';
import { installAgent, PATH } from '../../test/real/install-agent.ts';
import type { Reply, Script } from '../../test/real/model/model.ts';
import { startModelServer } from '../../test/real/model-server.ts';
import { runProgram, writeFiles } from '../../test/real/run-program.ts';
import { randomOf } from './agent.ts';
import type { RecoveryRun } from './arms.ts';
import {
  argsIn,
  type Call,
  judgeFiles,
  MAX_TOOL_STEPS,
  type ToolTask,
  toolTemper,
} from './tools.ts';

/** Every detector only notes its findings. */
const NOTICES = Object.fromEntries(
  recommended.detectors
    .filter(({ rungs }) => RUNGS.indexOf(rungs.first) <= RUNGS.indexOf('hint'))
    .map(({ name, rungs }) => [
      name,
      {
        rungs: {
          first: rungs.first,
          highest: RUNGS.indexOf(rungs.highest) < RUNGS.indexOf('hint') ? rungs.highest : 'hint',
        },
      },
    ]),
);

/** The user's settings of Unrut in each arm; null without Unrut. */
export const AGENT_ARMS: Readonly<Record<string, object | null>> = {
  off: null,
  'notice only': { detectors: NOTICES },
  default: {},
};

/**
 * The tasks with files done by Claude Code itself: its own loop, the file server as its MCP server,
 * Unrut as `unrut install` connects it, and a model that gets stuck.
 */
export async function runWithAgent(
  tasks: readonly ToolTask[],
  arms: readonly string[],
  seeds: number,
  firstSeed: number,
) {
  const runs = new Map<string, RecoveryRun[]>();
  if (seeds === 0) return runs;
  const programs = mkdtempSync(join(tmpdir(), 'unrut-programs-'));
  try {
    await bundlePrograms(programs);
    for (const arm of arms) {
      const mine: RecoveryRun[] = [];
      for (let i = 0; i < seeds * tasks.length; i++)
        mine.push(await runOne(tasks[i % tasks.length]!, arm, firstSeed + i, programs));
      runs.set(arm, mine);
    }
    return runs;
  } finally {
    rmSync(programs, { recursive: true, force: true });
  }
}

async function runOne(
  task: ToolTask,
  arm: string,
  seed: number,
  programs: string,
): Promise<RecoveryRun> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unrut-agent-')));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  const { script, steps } = stuckModel(task, project, randomOf(seed));
  const model = await startModelServer(claudeCode.api, script);
  try {
    for (const each of [home, project]) mkdirSync(each);
    writeFiles(project, task.files);
    const place = { home, project, url: model.url };
    const [command, ...args] = await serverCommand('filesystem', project);
    const servers = join(folder, 'servers.json');
    writeFiles(home, {
      ...claudeCode.settings(place),
      '.claude/settings.json': '{"permissions":{"allow":["mcp__files"]}}',
    });
    writeFiles(folder, {
      'servers.json': JSON.stringify({ mcpServers: { files: { command, args } } }),
    });
    const settings = AGENT_ARMS[arm];
    const env = {
      PATH,
      HOME: home,
      TERM: 'dumb',
      UNRUT_COMPANION: 'false',
      ...claudeCode.environment(place),
    };
    if (settings) {
      writeFiles(userConfigFolder({ home, variables: {}, platform: process.platform }), {
        'unrut.config.json': JSON.stringify(settings),
      });
      await promisify(execFile)('node', [join(programs, 'cli.js'), 'install', claudeCode.name], {
        cwd: project,
        env,
      });
    }
    const asked = [
      '-p',
      `Do the work: ${task.name}.`,
      '--mcp-config',
      servers,
      '--strict-mcp-config',
    ];
    const { exitCode } = await runProgram(await installAgent(claudeCode), asked, project, env);
    const ended = exitCode === null ? 'max_steps' : 'done';
    return {
      task: task.name,
      seed,
      arm,
      ...judgeFiles(task, project),
      steps: steps(),
      forced: {},
      used: [],
      ended,
    };
  } finally {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A model that makes the wrong call until it understands: spontaneously, from a message, or from
 * what it waits for. Then it makes the right one.
 */
function stuckModel(
  task: ToolTask,
  folder: string,
  random: () => number,
): { script: Script; steps(): number } {
  const { stubborn, heed } = toolTemper(random);
  const right = [...task.right];
  let steps = 0;
  let hasUnderstood = false;
  const makes = ([name, given]: Call): Reply => {
    steps++;
    return { calls: [{ name: `mcp__files__${name}`, args: argsIn(folder, given) }] };
  };
  const understands = (news: readonly string[]): boolean => {
    if (steps === 0) return false;
    if (task.after) return news.some((text) => /compiling.+done/s.test(text));
    return (heardIn(news).length > 0 && random() < heed) || random() > stubborn;
  };
  return {
    steps: () => steps,
    script(_, { news }) {
      hasUnderstood ||= understands(news);
      if (task.after && steps === task.after.tries) writeFiles(folder, task.after.files);
      if (!hasUnderstood)
        return steps < MAX_TOOL_STEPS ? makes(task.wrong) : { text: 'I give up.' };
      const next = right.shift();
      return next ? makes(next) : { text: 'Done.' };
    },
  };
}
