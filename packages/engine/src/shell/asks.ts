import type { Asks } from '../prints.ts';
import { firstRule, type Rule } from '../rule.ts';
import type { Deed } from './deed.ts';

/**
 * Programs that ask for the state of something that runs: processes, ports, containers, jobs,
 * deployments, clocks. Their answer changes by itself.
 */
const STATE = `ps pgrep pidof top htop free uptime vmstat iostat vm_stat lsof netstat ss date jobs nvidia-smi
  squeue sinfo sacct qstat atq dmesg last who w df ping nc dig nslookup host journalctl get-process get-date
  get-service get-job get-nettcpconnection test-netconnection test-connection resolve-dnsname get-winevent tasklist
  pm2 supervisorctl rabbitmqctl redis-cli watch test [ [[ test-path pg_isready mysqladmin condor_q lpq lpstat bjobs
  pbpaste wl-paste xclip xsel get-clipboard xcrun rclone kafka-consumer-groups mdadm zpool systemd-analyze sensors acpi upower lsusb lsblk lspci lsmod findmnt
  ifconfig nmcli iwconfig iw wg arp bluetoothctl loginctl chronyc ansible etcdctl`;

/** The same, by program and subcommand. */
const STATE_OF =
  `gh run|gh pr checks|gh pr status|gh pr view|gh pr list|gh issue list|gh issue view|gh workflow view|gh status|glab ci|glab pipeline|glab mr|
  kubectl get|kubectl describe|kubectl logs|kubectl log|kubectl top|kubectl events|kubectl rollout|kubectl wait|
  docker ps|docker logs|docker inspect|docker stats|docker top|docker events|docker port|docker wait|
  docker container|docker compose ps|docker compose logs|docker compose top|docker compose ls|
  systemctl status|systemctl is-active|systemctl show|systemctl list-units|launchctl list|launchctl print|
  helm status|helm list|helm ls|helm history|git ls-remote|tmux capture-pane|service status|
  sc query|adb shell|adb devices|adb get-state|adb wait-for-device`
    .split('|')
    .map((name) => name.trim());

/** Subcommands of cloud and hosting programs that ask for the state of what they run. */
const CLOUDS =
  /^(?:aws|gcloud|az|fly|flyctl|heroku|vercel|netlify|railway|render|doctl|oc|k|argocd|nomad|consul|eas|circleci|wrangler|firebase|supabase|ibmcloud|oci|hcloud|scw|linode-cli|databricks|snow|openstack|gsutil|mc|s3cmd|docker manifest)\b/;
const STATE_WORDS =
  /^(?:[\w-]+:)?(?:(?:describe|get|list|show|wait)(?:-[a-z-]+)?|status|ps|ls|logs?|output|events?|tail|state|view|info|inspect|releases|history)$/;
/** Words of subcommands that change something, whatever else stands next to them. */
const CHANGE_WORDS =
  /^(?:create|delete|update|set|add|remove|rm|put|apply|start|stop|restart|deploy|push|install|invoke|exec|import|copy|cp|mv|sync)\b/;
const MAX_SUBCOMMANDS = 5;

/** Whether the subcommands of a cloud program ask for the state of something. */
export function asksCloud(tool: string, words: readonly string[]): boolean {
  if (!CLOUDS.test(tool)) return false;
  const option = words.findIndex((word, i) => i > 0 && word.startsWith('-'));
  const named = words.slice(1, Math.min(option < 0 ? words.length : option, MAX_SUBCOMMANDS + 1));
  const asks = named.findIndex((word) => STATE_WORDS.test(word));
  return asks >= 0 && !named.slice(0, asks).some((word) => CHANGE_WORDS.test(word));
}

/** Addresses that say whether a server works. */
const HEALTH =
  /\/(?:_?health\w*|_?status\w*|ready\w*|live|livez|liveness|ping|up|metrics|progress|heartbeat|version|build-?info)(?:[/?#]|$)/i;

/** Files that running programs append to. */
const LOG =
  /\.(?:log|out|output|err|trace)(?:\.\d+)?$|^(?:file:)?\/(?:proc|sys)\/|(?:^|\/)(?:logs?|nohup\.out|syslog|messages)(?:\/|$)/i;
/**
 * `tail` of anything else than source code or a document looks at the end of something that grows.
 */
const WRITTEN_BY_HAND =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|scala|sh|md|mdx|rst|html?|css|scss|vue|svelte|sql|ya?ml|toml|ini|xml|lock)$/i;

const CONTENT = new Set(
  `cat bat head less more wc nl od xxd file stat diff cmp grep egrep fgrep zgrep rg ag ack find fd ls ll dir tree
  sed awk jq yq git get-content get-childitem select-string`.split(/\s+/),
);

export const isLog = (path: string): boolean => LOG.test(path);

interface AsksQuestion {
  deed: Deed;
  /** The first word of the tool. */
  program: string;
  /** The SQL statement that the command holds. */
  statement: string | null;
  words: readonly string[];
}
const asksAtAddress = ({ deed: { url } }: AsksQuestion): boolean => url !== null;

/** What a program asks for, if it only looks at something. The first rule that holds decides. */
const ASKS_RULES: readonly Rule<AsksQuestion, Asks | null>[] = [
  { name: 'what-others-publish', when: ({ deed }) => BRINGS.test(deed.tool), gives: 'news' },
  { name: 'what-others-push', when: ({ deed }) => PULLS.test(deed.tool), gives: 'state' },
  {
    name: 'does-something',
    when: ({ deed: { verb } }) => verb === 'write' || verb === 'verify',
    gives: null,
  },
  { name: 'cloud', when: ({ deed, words }) => asksCloud(deed.tool, words), gives: 'state' },
  {
    name: 'is-a-process-alive',
    when: ({ deed, words }) => deed.tool === 'kill' && words.includes('-0'),
    gives: 'state',
  },
  {
    name: 'program-that-shows-a-state',
    when: ({ deed, program }) =>
      STATES().has(program) || STATE_OF.some((name) => isPart(deed.tool, name)),
    gives: 'state',
  },
  { name: 'program-that-waits', when: ({ program }) => WAITS.test(program), gives: 'state' },
  {
    name: 'state-of-a-database',
    when: ({ program, words }) => CLIENTS.test(program) && words.some((word) => STATUS.test(word)),
    gives: 'state',
  },
  { name: 'not-a-look', when: ({ deed }) => deed.verb !== 'read', gives: null },
  {
    name: 'status-of-any-program',
    when: ({ deed: { tool } }) =>
      !OWN_FILES.test(tool) && asksForState(tool.slice(tool.lastIndexOf(' ') + 1)),
    gives: 'state',
  },
  { name: 'registry', when: ({ deed }) => REGISTRY.test(deed.tool), gives: 'news' },
  { name: 'records-of-others', when: ({ deed }) => deed.tool === 'gh api', gives: 'news' },
  { name: 'log', when: ({ deed }) => deed.files.some(isLog), gives: 'state' },
  {
    name: 'end-of-something-that-grows',
    when: ({ deed, program }) =>
      program === 'tail' && deed.files.some((path) => !WRITTEN_BY_HAND.test(path)),
    gives: 'state',
  },
  { name: 'end-of-a-document', when: ({ program }) => program === 'tail', gives: 'content' },
  {
    name: 'does-a-server-answer',
    when: (question) =>
      asksAtAddress(question) && question.words.some((word) => ONLY_STATUS.test(word)),
    gives: 'state',
  },
  {
    name: 'health',
    when: ({ deed }) => deed.url !== null && HEALTH.test(deed.url),
    gives: 'state',
  },
  { name: 'own-server', when: ({ deed }) => deed.url !== null && isLocal(deed.url), gives: null },
  { name: 'page', when: asksAtAddress, gives: 'content' },
  {
    name: 'count-of-rows',
    when: ({ statement }) => statement !== null && /\bcount\s*\(/i.test(statement),
    gives: 'state',
  },
  {
    // A function of the server: its clock, how far it is.
    name: 'value-of-no-table',
    when: ({ statement }) => statement !== null && NO_TABLE.test(statement),
    gives: 'state',
  },
  {
    name: 'state-of-a-row',
    when: ({ statement }) => statement !== null && STATE_COLUMN.test(statement),
    gives: 'state',
  },
  { name: 'rows', when: ({ statement }) => statement !== null, gives: 'content' },
  { name: 'content', when: ({ program }) => CONTENT.has(program), gives: 'content' },
];

/** What a program asks for; null if it does something, or if that is not known. */
export function asksOf(
  deed: Deed,
  statement: string | null,
  words: readonly string[],
): Asks | null {
  const program = deed.tool.split(' ', 1)[0]!;
  return firstRule(ASKS_RULES, { deed, program, statement, words })?.gives ?? null;
}

/** Fetches that ask whether a server answers, not what it says. */
const ONLY_STATUS = /http_code|response_code|^-[a-zA-Z]*I$|^--head$|^--spider$|^\/dev\/null$/;

/** Programs that show which files there are and how large they are. */
const SIZES = /^(?:ls|ll|dir|stat|du|wc|find|fd|tree|get-childitem)\b/;
/** Tools of hosts that do the same. */
const LISTS = /^(?:glob|ls|list_?(?:dir|directory|files)(?:_with_sizes)?|directory_tree)$/i;
export const asksForSize = ({ tool, shell }: { tool: string; shell: boolean }): boolean =>
  (shell ? SIZES : LISTS).test(tool);

/** Only the column of a table that says how far something is. */
const STATE_COLUMN = /^[\s(]*select\s+(?:\w+\.)?\w*(?:status|state|phase|stage|progress)\s+from\b/i;
/** Programs that are there to wait for something else, and fail if it takes too long. */
const WAITS = /^(?:wait[-_]?for|wait-on|wait4x|dockerize)/;
const NO_TABLE = /^[\s(]*(?:select\s(?![\s\S]*\bfrom\b)[^;]*\(|show\s)/i;

const CLIENTS = /^(?:mongosh|mongo|nodetool|cqlsh|mysql|psql)$/;
const STATUS = /\b(?:status|stats|serverStatus|currentOp|hello)\(|^(?:status|info)$/i;

/** What a program or script of one's own is asked, whatever it is called. */
export const asksForState = (word: string): boolean =>
  /^(?:status|progress|health|healthcheck)$/.test(word);
/** Only the agent itself changes these, so their status is not a state of something that runs. */
const OWN_FILES = /^(?:git|hg|svn|jj|sl|bzr|fossil|dvc|yadm|chezmoi|npm run|make) /;

/** These bring what others have published. */
const BRINGS =
  /^(?:(?:docker|podman|helm) pull|(?:npm|pnpm|yarn|pip|pip3|gem|cargo|composer|conda|brew) (?:install|i|add|ci|update|upgrade|require))$/;
/** These bring what others have pushed, if they have. */
const PULLS = /^(?:git|hg|jj git|svn) (?:pull|fetch|update|up)$/;

/** Questions about what a registry offers, which a publication changes after a while. */
const REGISTRY =
  /^(?:(?:npm|pnpm|yarn|pip|pip3|cargo|gem|composer|conda|helm|brew|gh release) (?:view|info|show|index|search)|apt-cache (?:policy|madison|show))\b/;

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
  /^(?:kill|pkill|killall|fg|wait|docker (?:stop|kill|rm)|docker compose (?:down|stop|kill)|docker-compose (?:down|stop)|pm2 (?:stop|delete|kill)|systemctl stop|tmux kill-\w+|stop-process|stop-job|stop-service)\b/;
export const endsJobs = (tool: string): boolean => ENDS.test(tool);

/** Programs that leave something running after they have returned. */
const STARTS =
  /^(?:docker (?:start|restart)|docker compose (?:start|restart)|pm2 (?:start|restart)|systemctl (?:start|restart)|service start|start-process|start-job|start-service|restart-service|restart-computer|launchctl (?:load|start|bootstrap))\b/;
const DETACHED = ['-d', '--detach', '--daemon', '--daemonize', '--background', '-dm', '-dmS'];
const DETACHES =
  /^(?:docker|docker-compose|podman|tmux|screen|gunicorn|celery|redis-server|nginx)\b/;

/** Words that launch something that takes time to come up elsewhere. */
const LAUNCHES = /^(?:start|restart|reboot|boot|deploy|redeploy|publish|promote|launch)$/;
const PUSHES = /^(?:heroku|dokku|piku|deploy|prod|production|staging|live)$/;
const MAX_LAUNCH_WORDS = 5;

/** Whether a program, of which these are the words, leaves something running or coming up. */
export function startsJob({ tool, verb }: Deed, words: readonly string[]): boolean {
  if (STARTS.test(tool)) return true;
  if (DETACHES.test(tool) && words.some((word) => DETACHED.includes(word))) return true;
  if (verb !== 'execute' && verb !== 'write') return false;
  const named = words.slice(0, MAX_LAUNCH_WORDS);
  if (words[0] === 'git') return tool === 'git push' && named.some((word) => PUSHES.test(word));
  return named.some((word) => LAUNCHES.test(word));
}
