import type { Verb } from './call.ts';
import { type Act, act, addFiles, has, type Invocation, operands, options, type Rule } from './shell-act.ts';

/** Programs whose first words say what they do: `git status`, `npm run build`. */

/** `look` is a read that shows the state of files; `poll` a read that waits; `script` is judged by the name of what it runs. */
type Kind = Verb | 'look' | 'poll' | 'script';

interface Suite {
  /** Options before the subcommand that take a value. */
  valued: ReadonlySet<string>;
  kinds: ReadonlyMap<string, Kind>;
  otherwise: Kind;
  /** How many words name the subcommand. */
  depth: number;
}

function suite(table: Partial<Record<Kind, string>>, otherwise: Kind, valued = '', depth = 1): Suite {
  const kinds = new Map<string, Kind>();
  for (const [kind, names] of Object.entries(table)) for (const name of names.split(' ')) kinds.set(name.replace('_', ' '), kind as Kind);
  return { valued: options(valued), kinds, otherwise, depth };
}

const PACKAGES =
  'install i ci add remove rm uninstall un update up upgrade link unlink publish version init create dedupe prune rebuild pack set import patch login logout deprecate unpublish cache';
const PACKAGE_READS = 'ls list ll la view info show outdated search root bin prefix why explain audit whoami ping doctor fund help config licenses';
const PACKAGE_OPTIONS = '--prefix --filter -F -C --dir -w --workspace --cwd --registry';

/** Two words are joined by `_`. */
const SUITES: Readonly<Record<string, Suite>> = {
  npm: suite({ verify: 'test t tst it', script: 'run run-script', read: PACKAGE_READS, write: `${PACKAGES} audit_fix config_set` }, 'execute', PACKAGE_OPTIONS),
  pnpm: suite({ verify: 'test t', script: 'run', read: PACKAGE_READS, write: PACKAGES }, 'script', PACKAGE_OPTIONS),
  yarn: suite({ verify: 'test', script: 'run', read: PACKAGE_READS, write: PACKAGES }, 'script', PACKAGE_OPTIONS),
  bun: suite({ verify: 'test build', script: 'run', read: 'pm', write: PACKAGES }, 'script', PACKAGE_OPTIONS),
  deno: suite({ verify: 'test check lint bench compile', script: 'task run', read: 'info doc types', write: 'fmt install add remove' }, 'execute'),
  mise: suite({ script: 'run r', read: 'ls list current where which tasks env doctor', write: 'install use trust' }, 'execute', '-C'),
  just: suite({ read: '--list -l --summary' }, 'script', '-f --justfile -d'),
  task: suite({ read: '--list -l' }, 'script', '-t -d'),
  make: suite({}, 'script', '-C -f -j -I -o -W'),
  turbo: suite({ script: 'run' }, 'script', '--filter'),
  nx: suite({ verify: 'test lint build affected run-many', script: 'run', read: 'show graph list report' }, 'script'),
  lerna: suite({ script: 'run', read: 'ls list changed diff' }, 'write'),
  rake: suite({ read: '-T' }, 'script'),
  composer: suite({ verify: 'test validate', script: 'run run-script', read: 'show info outdated why', write: 'install update require remove' }, 'script'),
  cargo: suite(
    {
      verify: 'test t build b check c clippy bench doc nextest miri hack deny audit machete udeps',
      read: 'tree metadata search locate-project version pkgid expand',
      write: 'fmt fix add remove rm install update new init publish clean generate-lockfile vendor',
    },
    'execute',
  ),
  go: suite(
    { verify: 'test build vet', read: 'list env version doc help mod_graph mod_why mod_verify', write: 'mod get install generate fmt work clean fix' },
    'execute',
    '-C',
  ),
  mix: suite({ verify: 'test compile credo dialyzer', read: 'deps help phx.routes', write: 'format deps.get deps.update ecto.migrate ecto.create' }, 'execute'),
  dotnet: suite({ verify: 'test build msbuild', read: 'list --info', write: 'restore add remove new format clean publish' }, 'execute'),
  swift: suite({ verify: 'test build', write: 'package' }, 'execute'),
  zig: suite({ verify: 'build test', write: 'fmt init' }, 'execute'),
  dune: suite({ verify: 'build test runtest', write: 'fmt clean' }, 'execute'),
  flutter: suite({ verify: 'test analyze build', read: 'doctor devices', write: 'pub clean' }, 'execute'),
  dart: suite({ verify: 'test analyze compile', write: 'pub format fix' }, 'execute'),
  rails: suite({ verify: 'test', read: 'routes stats' }, 'execute'),
  stack: suite({ verify: 'build test' }, 'execute'),
  cabal: suite({ verify: 'build test check', write: 'install update' }, 'execute'),
  bazel: suite({ verify: 'build test', read: 'query cquery info' }, 'execute'),
  terraform: suite({ verify: 'plan validate', read: 'show output state_list state_show providers version graph', write: 'fmt' }, 'write', '-chdir'),
  helm: suite({ verify: 'lint', read: 'list ls status get history show search template version' }, 'write', '-n --namespace --kube-context'),
  kubectl: suite(
    {
      read: 'get describe logs log top explain api-resources api-versions cluster-info version diff events auth rollout_history config_view config_get-contexts config_current-context',
      poll: 'wait rollout_status',
      execute: 'port-forward proxy attach',
    },
    'write',
    '-n --namespace --context --kubeconfig --cluster --user -s --server',
  ),
  docker: suite(
    {
      read: 'ps images logs inspect stats top port version info history diff events search container_ls container_ps image_ls volume_ls volume_inspect network_ls network_inspect system_df compose_ps compose_logs compose_config compose_images compose_top compose_ls compose_version context_ls',
      verify: 'build buildx compose_build image_build',
      poll: 'wait',
    },
    'write',
    '-f --file -p --project-name --context -H --env-file --profile',
  ),
  gh: suite({ read: 'search browse status', poll: 'run_watch pr_checks_--watch', write: 'api' }, 'write', '-R --repo', 2),
  glab: suite({ read: 'search' }, 'write', '-R --repo', 2),
  aws: suite({ read: 's3_ls' }, 'write', '--profile --region --output --query', 2),
  gcloud: suite({}, 'write', '--project --zone --region --format', 2),
  az: suite({}, 'write', '-o --output --query', 2),
  pip: suite({ read: 'list show freeze check index search config debug inspect help', write: 'install uninstall download wheel' }, 'execute'),
  uv: suite({ read: 'pip_list pip_show pip_freeze pip_check tree version', write: 'pip sync add remove lock venv init tool python cache build publish' }, 'execute'),
  poetry: suite({ verify: 'check build', read: 'show env version', write: 'install add remove update lock init publish' }, 'execute'),
  conda: suite({ read: 'list info search env_list config', write: 'install create remove update activate env' }, 'execute'),
  gem: suite({ read: 'list search info which', write: 'install uninstall update' }, 'execute'),
  bundle: suite({ read: 'list show info outdated check', write: 'install update add' }, 'execute'),
  brew: suite({ read: 'list ls info search outdated deps config doctor --prefix' }, 'write'),
  apt: suite({ read: 'list show search policy depends' }, 'write'),
  systemctl: suite({ read: 'status is-active is-enabled list-units list-unit-files show cat' }, 'write'),
  service: suite({}, 'write'),
  journalctl: suite({}, 'read'),
  launchctl: suite({ read: 'list print' }, 'write'),
  playwright: suite({ verify: 'test', read: 'show-report show-trace', write: 'install' }, 'execute'),
  cypress: suite({ verify: 'run verify', write: 'install' }, 'execute'),
  vite: suite({ verify: 'build optimize' }, 'execute'),
  next: suite({ verify: 'build lint', read: 'info' }, 'execute'),
  nuxt: suite({ verify: 'build typecheck' }, 'execute'),
  astro: suite({ verify: 'build check' }, 'execute'),
  ng: suite({ verify: 'build test lint e2e', write: 'generate add update' }, 'execute'),
  docusaurus: suite({ verify: 'build' }, 'execute'),
  biome: suite({ verify: 'check lint ci', write: 'format migrate init' }, 'execute'),
  ruff: suite({ verify: 'check', write: 'format clean', read: 'rule config version' }, 'verify'),
  golangci-lint: undefined as never,
  pre_commit: undefined as never,
};

export { SUITES as _SUITES, type Suite as _Suite };
export type { Act as _Act };
void [addFiles, has, operands, act];
export type _Rule = Rule;
export type _Invocation = Invocation;
