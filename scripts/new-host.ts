import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './build.ts';

const HOST = `import { claudeLikeAnswer } from '../claude-code/answer.ts';
import { claudePayload } from '../claude-code/payload.ts';
import { defineHost } from '../define-host.ts';
import { NAME_AS_CODEInstall } from './install.ts';

/** TODO: what it is, and where its hooks differ from Claude Code's. */
export const NAME_AS_CODE = defineHost({
  name: 'NAME',
  label: 'LABEL',
  programs: ['NAME'],
  hooks: {
    // TODO: what an answer brings about, here and below; how its payloads are known; a payload.ts where they are not Claude Code's.
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    // TODO: the tool in which its model runs commands.
    shell: 'Bash',
    signs: { folder: '.NAME' },
    payload: claudePayload,
    answer: claudeLikeAnswer({ PreToolUse: ['block'], PostToolUse: ['note', 'hint'] }),
  },
  install: NAME_AS_CODEInstall,
});
`;

const INSTALL = `import { commandFor } from '../../settings-files/hook-command.ts';
import { joinOn, settingsPath } from '../../settings-files/places.ts';
import { claudeLikeSettings } from '../claude-code/install.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = ['PreToolUse', 'PostToolUse'];

export const NAME_AS_CODEInstall: HostInstall = {
  // TODO: where its settings are, and how hooks stand in them.
  folder: (at) => joinOn(at)(at.home, '.NAME'),
  edits: (order) => [
    claudeLikeSettings(settingsPath(order, NAME_AS_CODEInstall.folder, '.NAME', 'settings.json'), EVENTS, {
      type: 'command',
      command: commandFor('NAME', order, 'powershell'),
    }),
  ],
  instructions: { project: 'AGENTS.md' },
};
`;

const LOOP = `import { claudeLikeBase, claudeLikeCall, refusesLikeClaude } from '../../claude-code/fixtures/loop.ts';
import { type LoopingHost, refusedFrom } from '../../fixtures/looping-host.ts';

const told = (event: string, n: number) => ({ ...claudeLikeBase('.NAME'), hook_event_name: event, ...claudeLikeCall(n) });

export const loop: LoopingHost = {
  before: (n) => told('PreToolUse', n),
  after: (n) => [{ ...told('PostToolUse', n), tool_response: '1 failed' }],
  refuses: refusesLikeClaude,
  happens: ['3 PostToolUse: note', '4 PostToolUse: hint', ...refusedFrom(5, 'PreToolUse')],
};
`;

const PAYLOAD = {
  session_id: 'TODO-recorded',
  transcript_path: '/home/dev/.NAME/TODO.jsonl',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  tool_use_id: 'call 1',
};

const README = `# NAME

    unrut install NAME

| hook | is read as | can bring about |
|---|---|---|
| \`PreToolUse\` | a proposed call | block |
| \`PostToolUse\` | its end | note, hint |

TODO: what differs from other agents.

\`fixtures/\` TODO: recorded with which version, or written by hand after what.
`;

/**
 * The files of a host that speaks as Claude Code does, with a TODO wherever its author has
 * something to say.
 */
export function newHost(name: string): Record<string, string> {
  const code = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const filled = (text: string): string =>
    text
      .replaceAll('NAME_AS_CODE', code)
      .replaceAll('NAME', name)
      .replaceAll('LABEL', labelOf(name));
  const payloads = [
    PAYLOAD,
    { ...PAYLOAD, hook_event_name: 'PostToolUse', tool_response: '3 passed' },
  ];
  return {
    'host.ts': filled(HOST),
    'install.ts': filled(INSTALL),
    'README.md': filled(README),
    'fixtures/loop.ts': filled(LOOP),
    'fixtures/recorded.jsonl': filled(
      payloads.map((payload) => `${JSON.stringify(payload)}\n`).join(''),
    ),
    'fixtures/settings.json': '{\n  "theme": "dark"\n}\n',
  };
}

const labelOf = (name: string): string =>
  name.replace(/(?:^|-)(\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();

/** Its line in the registry, after all others. Biome puts the import where it belongs. */
export function withHost(registry: string, name: string): string {
  const code = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `import { ${code} } from './${name}/host.ts';\n${registry.replace('\n] as const;', `\n  ${code},\n] as const;`)}`;
}

function write(name: string): void {
  const folder = join(root, 'packages/agents/src/hosts', name);
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(name))
    throw new Error(
      `Expected the name of an agent in kebab-case, such as gemini-cli, got "${name}".`,
    );
  if (existsSync(folder)) throw new Error(`There is already a host ${name}.`);
  mkdirSync(join(folder, 'fixtures'), { recursive: true });
  for (const [file, text] of Object.entries(newHost(name))) writeFileSync(join(folder, file), text);
  const registry = join(root, 'packages/agents/src/hosts/index.ts');
  writeFileSync(registry, withHost(readFileSync(registry, 'utf8'), name));
  writeFileSync(
    join(root, `.changeset/${name}.md`),
    `---\n"unrut": minor\n---\n\n\`unrut install ${name}\` connects ${labelOf(name)}. TODO: what is read of it.\n`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const name = process.argv[2] ?? '';
    write(name);
    console.log(
      `Wrote packages/agents/src/hosts/${name}, its line in the registry and a changeset. Run npm run format, then write what is marked TODO.`,
    );
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
