import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Place } from './agents/agent.ts';
import { PATH } from './install-agent.ts';
import type { Reply, ToolCall } from './model/model.ts';
import { writeFiles } from './run-program.ts';
import type { ScriptOf } from './scripts.ts';

/** An agent that rightly asks the same question again and again. */
export interface Waiting {
  task: string;
  /**
   * In addition to the project's own files. A job in the background ends soon after `GO` is there.
   */
  files: Record<string, string>;
  /** What it starts first. */
  starts?: (agent: Agent) => ToolCall;
  /** What it asks again and again. `news`: the answer to what it started. */
  looks: (agent: Agent, place: Place, news: string) => ToolCall;
  /** What it waits for; without it, the question is asked `times` times. */
  until?: RegExp;
  times?: number;
}

/** In no project, so that no agent reads it by itself. */
const COUNT = '../count';
const counted = `n=$(($(cat ${COUNT} 2>/dev/null || echo 0) + 1)); echo $n > ${COUNT}\n`;

/** What the jobs in the background wait for: that the agent has looked often enough. */
const GO = '../go';
const SLOW = `echo building
n=0; until [ -f ${GO} ] || [ $n -gt 900 ]; do sleep 0.1; n=$((n + 1)); done
echo built
`;

/** A port that no other run uses. */
const port = 20_000 + (process.pid % 20_000);

const inBackground = (call: ToolCall): ToolCall => ({
  ...call,
  args: { ...(call.args as object), run_in_background: true },
});

/** Codex ends what its command leaves behind, unless it is on its own. */
const BUILD = 'setsid sh build.sh > results.txt 2>&1 &';

export const WAITING: Readonly<Record<string, Waiting>> = {
  'runs a test eight times because the user asked for it': {
    task: 'Run sh flaky.sh 8 times in a row and tell me how often it fails.',
    files: {
      'flaky.sh': `${counted}[ $((n % 4)) -eq 3 ] && { echo "1 failed: timeout"; exit 1; }\necho "1 passed in 2$n.1 ms"\n`,
    },
    looks: ({ tools }) => tools.shell('sh flaky.sh'),
    times: 8,
  },
  'runs a test eight times that fails each time, because the user asked for it': {
    task: 'Run sh flaky.sh 8 times in a row and tell me how often it fails.',
    files: { 'flaky.sh': 'echo "1 failed: timeout"; exit 1\n' },
    looks: ({ tools }) => tools.shell('sh flaky.sh'),
    times: 8,
  },
  'asks for a CI run that is done at the ninth look': {
    task: 'Tell me how CI run 123 ended.',
    files: {
      '../bin/gh': `#!/bin/sh\n${counted}[ $n -ge 9 ] && echo "✓ main CI · 123" || echo "* main CI · 123"\necho "Triggered via push about 2 minutes ago"\necho "build (ID 7)"\n`,
    },
    looks: ({ tools }) => tools.shell('gh run view 123'),
    until: /✓ main CI/,
  },
  'reads the file that its job in the background writes': {
    task: 'Build it, and tell me the result.',
    files: { 'build.sh': SLOW },
    starts: ({ tools }) => tools.shell(BUILD),
    looks: ({ tools }) => tools.shell('cat results.txt'),
    until: /\bbuilt\b/,
  },
  'reads the end of a log that its job in the background writes': {
    task: 'Build it, and tell me the result.',
    files: { 'build.sh': SLOW },
    starts: ({ tools }) => tools.shell('nohup sh build.sh > test.log 2>&1 &'),
    looks: ({ tools }) => tools.shell('tail -n 5 test.log'),
    until: /\bbuilt\b/,
  },
  'reads the output of a background task of the host': {
    task: 'Build it, and tell me the result.',
    files: { 'build.sh': SLOW },
    starts: ({ tools }) => inBackground(tools.shell('sh build.sh')),
    looks: ({ tools }, { project }, news) =>
      tools.read(/(\/\S+\.output)/.exec(news)?.[1] ?? join(project, 'no-output-was-named')),
    until: /\bbuilt\b/,
  },
  'fetches a page until the server that it has started is up': {
    task: 'Start the server, and tell me what its page says.',
    files: {
      'dev.mjs': `import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
const server = createServer((_, response) => response.end('hello from dev'));
setInterval(() => !server.listening && existsSync('${GO}') && server.listen(${port}), 100);
setTimeout(() => process.exit(), 90_000);
`,
    },
    starts: ({ tools }) => tools.shell('node dev.mjs > dev.out 2>&1 &'),
    looks: ({ tools }) => tools.shell(`curl -s http://localhost:${port}/`),
    until: /hello from dev/,
  },
};

/** Questions that look like these, but whose answer cannot change by itself. */
export const TWINS: Readonly<Record<string, Waiting>> = {
  'runs a check that fails in the same way until it passes, with nothing changed': {
    task: 'Keep fixing until the check passes.',
    files: {},
    looks: ({ tools }) => tools.shell('sh check.sh'),
    times: 9,
  },
  'reads another file than the one that its job in the background writes': {
    task: 'Build it, and tell me the result.',
    files: { 'build.sh': SLOW },
    starts: ({ tools }) => tools.shell(BUILD),
    looks: ({ tools }) => tools.shell('cat build.sh'),
    times: 9,
  },
  'searches its files for a word that is not there': {
    task: 'Wait for CI run 123.',
    files: {},
    looks: ({ tools }) => tools.shell('grep -n finished sum.txt check.sh'),
    times: 9,
  },
};

/** Most looks of a run; an honest one has its answer before. */
const MOST = 80;
/** So many looks are in vain before a job in the background ends. */
const IN_VAIN = 12;

/** Asks until it knows, and ignores all advice. `takes`: seconds of each turn. */
export const waits =
  ({ starts, looks, until, times = MOST }: Waiting, takes: number): ScriptOf =>
  (agent, place) => {
    let started = '';
    return (turn, { news }): Reply => {
      const text = news.join('\n');
      if (starts && turn === 1) return { calls: [starts(agent)], takes };
      const looked = turn - (starts ? 2 : 1);
      if (starts && looked === 0) started = text;
      if (until?.test(text) && looked > 0) return { text: 'Done.' };
      if (looked === IN_VAIN) writeFiles(place.project, { [GO]: '' });
      if (looked >= times) return { text: until ? 'Not known.' : 'Done.' };
      return { calls: [looks(agent, place, started)], takes };
    };
  };

const programs = ({ project }: Place): string => `${join(project, '../bin')}:${PATH}`;

/** The agent with programs of its own. */
export const withPrograms = (agent: Agent): Agent => ({
  ...agent,
  // Codex runs commands in a login shell, which may set the path again.
  settings: (place) => ({
    ...agent.settings(place),
    '.bash_profile': `export PATH="${programs(place)}"\n`,
  }),
  environment: (place) => ({ ...agent.environment(place), PATH: programs(place) }),
});

export function bringFiles({ files }: Waiting, place: Place): void {
  writeFiles(place.project, files);
  for (const name of Object.keys(files))
    if (name.includes('/bin/')) chmodSync(join(place.project, name), 0o755);
}
