import { lazily } from '../lazily.ts';
import type { Verb } from '../prints.ts';
import { options } from './deed.ts';

/** Programs whose subcommands tell what they do: `cargo test`, `npm run build`. */

/** `poll` is a read that waits; `script` depends on the name of what it runs. */
export type Kind = Verb | 'poll' | 'script';

export interface Suite {
  /** Options before the subcommand that take a value. */
  valued(): ReadonlySet<string>;
  kinds(): ReadonlyMap<string, Kind>;
  otherwise: Kind;
  /** How many words make up the subcommand. */
  depth: number;
}

/** Built when first needed: a short process meets few of these programs. */
const suite = (
  table: Partial<Record<Kind, string>>,
  otherwise: Kind,
  valued = '',
  depth = 1,
): Suite => ({
  valued: lazily(() => options(valued)),
  kinds: lazily(() => kindsIn(table)),
  otherwise,
  depth,
});

function kindsIn(table: Partial<Record<Kind, string>>): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const [kind, names] of Object.entries(table))
    for (const name of names.split(' ')) kinds.set(name.replace('_', ' '), kind as Kind);
  return kinds;
}

const PACKAGES =
  'install i ci add remove rm uninstall un update up upgrade link unlink publish version init create dedupe prune rebuild pack set import patch login logout deprecate unpublish cache';
const PACKAGE_READS =
  'ls list ll la view info show outdated search root bin prefix why explain audit whoami ping doctor fund help config licenses';
const PACKAGE_OPTIONS = '--prefix --filter -F -C --dir -w --workspace --cwd --registry';

/** `_` joins two words. */
export const SUITES: Readonly<Record<string, Suite>> = {
  npm: suite(
    {
      verify: 'test t tst it',
      script: 'run run-script',
      read: PACKAGE_READS,
      write: `${PACKAGES} audit_fix config_set`,
    },
    'execute',
    PACKAGE_OPTIONS,
  ),
  pnpm: suite(
    { verify: 'test t', script: 'run', read: PACKAGE_READS, write: PACKAGES },
    'script',
    PACKAGE_OPTIONS,
  ),
  yarn: suite(
    { verify: 'test', script: 'run', read: PACKAGE_READS, write: PACKAGES },
    'script',
    PACKAGE_OPTIONS,
  ),
  bun: suite(
    { verify: 'test build', script: 'run', read: 'pm', write: PACKAGES },
    'script',
    PACKAGE_OPTIONS,
  ),
  deno: suite(
    {
      verify: 'test check lint bench compile',
      script: 'task run',
      read: 'info doc types',
      write: 'fmt install add remove',
    },
    'execute',
  ),
  mise: suite(
    {
      script: 'run r',
      read: 'ls list current where which tasks env doctor',
      write: 'install use trust',
    },
    'execute',
    '-C',
  ),
  just: suite({ read: '--list -l --summary' }, 'script', '-f --justfile -d'),
  task: suite({ read: '--list -l' }, 'script', '-t -d'),
  make: suite({ read: 'help -n' }, 'script', '-C -f -j -I -o -W'),
  turbo: suite({ script: 'run' }, 'script', '--filter'),
  nx: suite(
    { verify: 'test lint build affected run-many', script: 'run', read: 'show graph list report' },
    'script',
  ),
  lerna: suite({ script: 'run', read: 'ls list changed diff' }, 'write'),
  rake: suite({ read: '-T' }, 'script'),
  composer: suite(
    {
      verify: 'test validate',
      script: 'run run-script',
      read: 'show info outdated why',
      write: 'install update require remove',
    },
    'script',
  ),
  cargo: suite(
    {
      verify: 'test t build b check c clippy bench doc nextest miri hack deny audit machete udeps',
      read: 'tree metadata search locate-project version pkgid expand',
      write: 'fmt fix add remove rm install update new init publish clean generate-lockfile vendor',
    },
    'execute',
  ),
  go: suite(
    {
      verify: 'test build vet',
      read: 'list env version doc help mod_graph mod_why mod_verify',
      write: 'mod get install generate fmt work clean fix',
    },
    'execute',
    '-C',
  ),
  mix: suite(
    {
      verify: 'test compile credo dialyzer',
      read: 'deps help phx.routes',
      write: 'format deps.get deps.update ecto.migrate ecto.create',
    },
    'execute',
  ),
  dotnet: suite(
    {
      verify: 'test build msbuild',
      read: 'list --info',
      write: 'restore add remove new format clean publish',
    },
    'execute',
  ),
  terraform: suite(
    {
      verify: 'plan validate',
      read: 'show output state_list state_show providers version graph',
      write: 'fmt',
    },
    'write',
    '-chdir',
  ),
  helm: suite(
    { verify: 'lint', read: 'list ls status get history show search template version' },
    'write',
    '-n --namespace --kube-context',
  ),
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
  gh: suite({ read: 'search browse status', poll: 'run_watch' }, 'write', '-R --repo', 2),
  glab: suite({ read: 'search' }, 'write', '-R --repo', 2),
  aws: suite({ read: 's3_ls' }, 'write', '--profile --region --output --query', 2),
  gcloud: suite({}, 'write', '--project --zone --region --format', 2),
  az: suite({}, 'write', '-o --output --query', 2),
  pip: suite(
    {
      read: 'list show freeze check index search config debug inspect help',
      write: 'install uninstall download wheel',
    },
    'execute',
  ),
  uv: suite(
    {
      read: 'pip_list pip_show pip_freeze pip_check tree version',
      write: 'pip sync add remove lock venv init tool python cache build publish',
    },
    'execute',
  ),
  conda: suite(
    {
      read: 'list info search env_list config',
      write: 'install create remove update activate env',
    },
    'execute',
  ),
  bundle: suite({ read: 'list show info outdated check', write: 'install update add' }, 'execute'),
  brew: suite({ read: 'list ls info search outdated deps config doctor --prefix' }, 'write'),
  apt: suite({ read: 'list show search policy depends' }, 'write'),
  systemctl: suite(
    { read: 'status is-active is-enabled list-units list-unit-files show cat' },
    'write',
  ),
  journalctl: suite({}, 'read'),
  launchctl: suite({ read: 'list print' }, 'write'),
  ruff: suite({ verify: 'check', write: 'format clean', read: 'rule config version' }, 'verify'),
  'pre-commit': suite({ verify: 'run', write: 'install autoupdate' }, 'execute'),
};

export const ALIASES: Readonly<Record<string, string>> = {
  pip3: 'pip',
  gmake: 'make',
  podman: 'docker',
  'docker-compose': 'docker',
  k: 'kubectl',
  oc: 'kubectl',
  tofu: 'terraform',
  'apt-get': 'apt',
  yum: 'apt',
  dnf: 'apt',
  apk: 'apt',
  'apt-cache': 'journalctl',
  mamba: 'conda',
  micromamba: 'conda',
  'go-task': 'task',
};
