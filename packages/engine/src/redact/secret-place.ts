import { lazily } from '../lazily.ts';

/** Replaces a secret. */
export const SECRET = '<secret>';

/** A word of a command: quoted, or up to the next blank. */
const WORD = String.raw`('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^\s|;&"'\x60]+)`;
/** Further words of the same command. Bounded, because commands also occur in outputs. */
const MORE = String.raw`(?:[^\s|;&]{1,200}[ \t]+){0,16}?`;

/**
 * Programs that take a secret without a telling name before it. The first group is kept, the second
 * is the secret.
 */
const BY_PLACE: readonly string[] = [
  String.raw`\b((?:mysql|mariadb)\w*(?:-\w+)?[ \t]+${MORE}-p)${WORD}`,
  String.raw`\b(sshpass[ \t]+${MORE}-p[ \t]*)${WORD}`,
  String.raw`\b((?:docker|podman|nerdctl|buildah|skopeo|oras|helm|oc|cf|az|npm|twine|gh)[ \t]+${MORE}(?:login|upload)[ \t]+${MORE}-p[ \t]+)${WORD}`,
  String.raw`\b((?:redis|valkey|keydb)-cli[ \t]+${MORE}-a[ \t]+)${WORD}`,
  String.raw`\b(mongo(?:sh|dump|restore|export|import)?[ \t]+${MORE}-p[ \t]+)${WORD}`,
  String.raw`\b(openssl[ \t]+${MORE}-(?:k|K|pass|passin|passout)[ \t]+)${WORD}`,
  String.raw`\b(vault[ \t]+login[ \t]+(?:-\S{1,200}[ \t]+){0,16})(?!-)${WORD}`,
  String.raw`\b((?:smbclient|mount\.cifs|rpcclient|net)[ \t]+${MORE}-U[ \t]+[^\s%]{1,200}%)${WORD}`,
  String.raw`\b(htpasswd[ \t]+-\w*b\w*[ \t]+(?:-\S{1,200}[ \t]+){0,16}\S{1,200}[ \t]+\S{1,200}[ \t]+)${WORD}`,
  String.raw`\b((?:zip|unzip|7z|7za|rar|unrar)[ \t]+${MORE}-[pP] ?)(?![-/.])${WORD}`,
  String.raw`\b((?:echo|printf)[ \t]+(?:-\w+[ \t]+){0,4})${WORD}(?=[ \t]*\|[ \t]*(?:sudo[ \t]+(?!tee\b)|\S{1,200}[ \t]+login\b.{0,200}--password-stdin|passwd\b|chpasswd\b))`,
  String.raw`\b(machine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+)([^\s"']+)`,
  String.raw`\b(net[ \t]+use[ \t]+${MORE}/user:\S{1,200}[ \t]+)(?![/-])${WORD}`,
  String.raw`\b(net[ \t]+use[ \t]+(?:\w:[ \t]+)?\S{1,200}[ \t]+)(?=\S{1,200}[ \t]+/user:)(?!/)${WORD}`,
];
const PATTERNS = lazily(() => BY_PLACE.map((pattern) => new RegExp(pattern, 'g')));

/** Without one of these, no pattern can match. Most texts end here. */
const PROGRAMS =
  /mysql|mariadb|sshpass|\blogin\b|\bupload[ \t]|-cli[ \t]|mongo|openssl|-U[ \t]|htpasswd|\b(?:un)?(?:zip|rar)[ \t]|\b7za?[ \t]|sudo|passwd|net[ \t]+use/;

/** Whether the text may contain a program that takes a secret by position. */
export const namesProgram = (text: string): boolean => PROGRAMS.test(text);

/**
 * Masks secrets that programs take by position, wherever the command occurs: in an error, an
 * output, a name.
 */
export const maskByPlace = (text: string): string =>
  PATTERNS().reduce(
    (masked, pattern) => masked.replace(pattern, (_, kept: string) => `${kept}${SECRET}`),
    text,
  );
