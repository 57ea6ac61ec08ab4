import { lazily } from '../lazily.ts';
import { redact, SECRET } from './redact.ts';

/** A word of a command: quoted, or up to the next blank. */
const WORD = String.raw`('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^\s|;&]+)`;
/** Other words of the same command. */
const MORE = String.raw`(?:[^\s|;&]+\s+)*?`;

/** Programs that take a secret where no name tells of it. What the first group matches stays, the second is the secret. */
const BY_PLACE: readonly string[] = [
  String.raw`\b((?:mysql|mariadb)\w*(?:-\w+)?\s+${MORE}-p)${WORD}`,
  String.raw`\b(sshpass\s+${MORE}-p\s*)${WORD}`,
  String.raw`\b((?:docker|podman|nerdctl|buildah|skopeo|oras|helm|oc|cf|az|npm|twine|gh)\s+${MORE}(?:login|upload)\s+${MORE}-p\s+)${WORD}`,
  String.raw`\b((?:redis|valkey|keydb)-cli\s+${MORE}-a\s+)${WORD}`,
  String.raw`\b(mongo(?:sh|dump|restore|export|import)?\s+${MORE}-p\s+)${WORD}`,
  String.raw`\b(openssl\s+${MORE}-(?:k|K|pass|passin|passout)\s+)${WORD}`,
  String.raw`\b(vault\s+login\s+(?:-\S+\s+)*)(?!-)${WORD}`,
  String.raw`\b((?:smbclient|mount\.cifs|rpcclient|net)\s+${MORE}-U\s+[^\s%]+%)${WORD}`,
  String.raw`\b(htpasswd\s+-\w*b\w*\s+(?:-\S+\s+)*\S+\s+\S+\s+)${WORD}`,
  String.raw`\b((?:zip|unzip|7z|7za|rar|unrar)\s+${MORE}-[pP]\s?)(?![-/.])${WORD}`,
  String.raw`\b((?:echo|printf)\s+(?:-\w+\s+)*)${WORD}(?=\s*\|\s*(?:sudo\s+(?!tee\b)|\S+\s+login\b.*--password-stdin|passwd\b|chpasswd\b))`,
  String.raw`\b(machine\s+\S+\s+login\s+\S+\s+password\s+)([^\s"']+)`,
];
const PATTERNS = lazily(() => BY_PLACE.map((pattern) => new RegExp(pattern, 'g')));

/** One of these must be there: most commands end here. */
const PROGRAMS = /mysql|mariadb|sshpass|login|upload|-cli|mongo|openssl|-U|htpasswd|zip|7z|rar|sudo|passwd/;

/** As `redact`, for a shell command: also what certain programs take as a secret by its place. */
export function redactCommand(text: string): string {
  const masked = redact(text);
  if (!PROGRAMS.test(masked)) return masked;
  return PATTERNS().reduce((command, pattern) => command.replace(pattern, (_, kept: string) => `${kept}${SECRET}`), masked);
}
