import type { Asks } from '../prints.ts';
import type { Act } from './act.ts';

/**
 * Programs that ask for the state of something that runs: processes, ports, containers, jobs,
 * deployments, clocks. Their answer changes by itself.
 */
const STATE = `ps pgrep pidof top htop free uptime vmstat iostat vm_stat lsof netstat ss date jobs nvidia-smi
  squeue sinfo sacct qstat atq dmesg last who w df ping nc dig nslookup host journalctl get-process get-date
  pm2 supervisorctl rabbitmqctl redis-cli watch test [ [[ test-path`;

/** The same, by program and subcommand. */
const STATE_OF =
  `gh run|gh pr checks|gh pr status|gh pr view|gh workflow view|gh status|glab ci|glab pipeline|glab mr|
  kubectl get|kubectl describe|kubectl logs|kubectl log|kubectl top|kubectl events|kubectl rollout|kubectl wait|
  docker ps|docker logs|docker inspect|docker stats|docker top|docker events|docker port|docker wait|
  docker container|docker compose ps|docker compose logs|docker compose top|docker compose ls|
  systemctl status|systemctl is-active|systemctl show|systemctl list-units|launchctl list|launchctl print|
  helm status|helm list|helm ls|helm history|git ls-remote|tmux capture-pane|service status`
    .split('|')
    .map((name) => name.trim());

/** Subcommands of cloud and hosting programs that ask for the state of what they run. */
const CLOUDS = /^(?:aws|gcloud|az|fly|flyctl|heroku|vercel|netlify|railway|render|doctl|oc|k)\b/;
const STATE_WORDS = /[ -](?:status|ps|logs?|describe|get|list|show|events?|tail|state|wait|view)\b/;

/** Addresses that say whether a server works. */
const HEALTH =
  /\/(?:_?health\w*|_?status\w*|ready\w*|live|livez|liveness|ping|up|metrics|progress|heartbeat)(?:[/?#]|$)/i;

/** Files that running programs append to. */
const LOG =
  /\.(?:log|out|output|err|trace)(?:\.\d+)?$|(?:^|\/)(?:logs?|nohup\.out|syslog|messages)(?:\/|$)/i;
/** `tail` of anything else than source code or a document looks at the end of something that grows. */
const WRITTEN_BY_HAND =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|scala|sh|md|mdx|rst|html?|css|scss|vue|svelte|sql|ya?ml|toml|ini|xml|lock)$/i;

const CONTENT = new Set(
  `cat bat head less more wc nl od xxd file stat diff cmp grep egrep fgrep zgrep rg ag ack find fd ls ll dir tree
  sed awk jq yq git get-content get-childitem select-string`.split(/\s+/),
);

export const isLog = (path: string): boolean => LOG.test(path);

/** What a program asks for, if it only looks at something. */
export function asksOf({ tool, verb, files, url }: Act, statement: string | null): Asks | null {
  if (verb === 'write' || verb === 'verify') return null;
  const program = tool.split(' ', 1)[0]!;
  if (STATES().has(program) || STATE_OF.some((name) => isPart(tool, name))) return 'state';
  if (verb !== 'read') return null;
  if (CLOUDS.test(tool) && STATE_WORDS.test(tool)) return 'state';
  if (files.some(isLog)) return 'state';
  if (program === 'tail')
    return files.some((path) => !WRITTEN_BY_HAND.test(path)) ? 'state' : 'content';
  if (url !== null) return HEALTH.test(url) ? 'state' : isLocal(url) ? null : 'content';
  if (statement !== null) return /\bcount\s*\(/i.test(statement) ? 'state' : 'content';
  return CONTENT.has(program) ? 'content' : null;
}

const isPart = (tool: string, name: string): boolean =>
  tool === name || tool.startsWith(`${name} `);

const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.|0\.0\.0\.0|\[::1\])/;
const isLocal = (url: string): boolean => LOCAL.test(url);

let states: ReadonlySet<string> | null = null;
const STATES = (): ReadonlySet<string> => {
  states ??= new Set(STATE.split(/\s+/));
  return states;
};

/** Programs that end what runs in the background. */
const ENDS =
  /^(?:kill|pkill|killall|fg|wait|docker (?:stop|kill|rm)|docker compose (?:down|stop|kill)|docker-compose (?:down|stop)|pm2 (?:stop|delete|kill)|systemctl stop|tmux kill-\w+|stop-process)\b/;
export const endsJobs = (tool: string): boolean => ENDS.test(tool);

/** Programs that leave something running after they have returned. */
const STARTS =
  /^(?:docker (?:start|restart)|docker compose (?:start|restart)|pm2 (?:start|restart)|systemctl (?:start|restart)|service start|start-process|start-job|launchctl (?:load|start|bootstrap))\b/;
const DETACHED = ['-d', '--detach', '--daemon', '--daemonize', '--background', '-dm', '-dmS'];
const DETACHES =
  /^(?:docker|docker-compose|podman|tmux|screen|gunicorn|celery|redis-server|nginx)\b/;

export const startsJob = (tool: string, words: readonly string[]): boolean =>
  STARTS.test(tool) || (DETACHES.test(tool) && words.some((word) => DETACHED.includes(word)));
