import { hash32 } from '../hash.ts';
import {
  addFiles,
  type Deed,
  deed,
  has,
  hasLetter,
  operands,
  options,
  type ProgramRule,
  readFiles,
  writeFiles,
} from './deed.ts';
import { regionOfEdit } from './region.ts';
import { DYNAMIC } from './word.ts';

/** Programs that read and write the files named on their command line. */

const reader = (text = ''): ProgramRule => {
  const valued = options(text);
  return (run) => readFiles(run, operands(run, valued));
};

/** Writes that keep the file and its name. */
const patcher = (text = ''): ProgramRule => {
  const valued = options(text);
  return (run) => ({ ...writeFiles(run, operands(run, valued)), patch: true });
};

const CAT: ProgramRule = (run) => {
  const reading = readFiles(run, operands(run));
  // A here-document that is only printed is an echo.
  if (!reading.look && run.body !== null) return silent(run);
  reading.role = run.piped && !reading.look ? 'limiter' : 'source';
  return reading;
};

const LIMITS = options('-n -c --lines --bytes');
const limiter: ProgramRule = (run) => {
  const reading = readFiles(run, operands(run, LIMITS));
  if (run.piped && !reading.look) reading.role = 'limiter';
  if (run.name === 'tail' && (hasLetter(run, 'f') || hasLetter(run, 'F') || has(run, '--follow')))
    reading.sleeps = true;
  return reading;
};

const silent: ProgramRule = (run) => deed(run.name, 'nothing', { role: 'silent' });

/** The commands after it run in another folder. */
const goes: ProgramRule = (run) => ({ ...silent(run), verb: 'navigate' });

const PATTERN_OPTIONS = options(
  '-A -B -C -m -e -f -g -t -T -j -M -d --include --exclude --exclude-dir --glob --iglob --type --type-not --max-count --context --after-context --before-context --regexp --max-columns --sort --color',
);
const RECURSIVE = new Set(['rg', 'ag', 'ack', 'ugrep']);

const search: ProgramRule = (run) => {
  const found = operands(run, PATTERN_OPTIONS);
  const given = has(run, '-e', '-f', '--regexp', '--files');
  const recursive =
    RECURSIVE.has(run.name) ||
    hasLetter(run, 'r') ||
    hasLetter(run, 'R') ||
    has(run, '--recursive');
  const paths = given ? found : found.slice(1);
  const reading = readFiles(run, paths);
  if (!reading.look) {
    reading.wide = reading.look = !run.piped;
    return reading;
  }
  if (recursive && !reading.files.every(hasExtension)) {
    reading.wide = true;
    reading.files = [];
  }
  return reading;
};

const hasExtension = (path: string): boolean => /\.\w{1,8}$/.test(path);

const listing: ProgramRule = (run) => deed(run.name, 'read');

const SED_OPTIONS = options('-e -f --expression --file -l');
const sed: ProgramRule = (run) => {
  const given =
    has(run, '-e', '-f') ||
    run.words.some((word) => word.startsWith('--expression') || word.startsWith('--file'));
  const found = operands(run, SED_OPTIONS).filter((index) => run.words[index] !== '');
  const from = given ? 0 : 1;
  if (!hasLetter(run, 'i') && !run.words.some((word) => word.startsWith('--in-place')))
    return readFiles(run, found, from);
  const writing = writeFiles(run, found, from);
  writing.patch = true;
  writing.region = scriptRegion(
    given ? run.words.slice(run.at + 1).join(' ') : (run.words[found[0] ?? 0] ?? ''),
  );
  return writing;
};

/** `12,20d` names lines. Any other script identifies the place by its own text. */
function scriptRegion(script: string): Deed['region'] {
  const match = /^(\d+)(?:,(\d+))?[a-zA-Z]/.exec(script);
  if (!match) return { hashes: [hash32(script)] };
  const from = Number(match[1]);
  return { lines: [from, Number(match[2] ?? from)], hashes: [] };
}

const AWK_OPTIONS = options('-F -v -f');
const awk: ProgramRule = (run) => {
  const found = operands(run, AWK_OPTIONS);
  const from = has(run, '-f') ? 0 : 1;
  return has(run, 'inplace') ? writeFiles(run, found, from) : readFiles(run, found, from);
};

const JSON_OPTIONS = options('--arg --argjson --indent -f --from-file --slurpfile --rawfile');
const json: ProgramRule = (run) => {
  const found = operands(run, JSON_OPTIONS);
  if (run.name === 'yq' && (has(run, '--inplace') || hasLetter(run, 'i')))
    return writeFiles(run, found, 1);
  return readFiles(run, found, 1);
};

const perl: ProgramRule = (run) => {
  if (has(run, '-c')) return deed('perl', 'verify');
  let inline = false;
  let inPlace = false;
  const found: number[] = [];
  for (let i = run.at + 1; i < run.words.length; i++) {
    const word = run.words[i]!;
    if (!word.startsWith('-')) found.push(i);
    else {
      inPlace ||= /^-[a-zA-Z0-9]*i/.test(word);
      if (/^-[a-zA-Z0-9]*[eE]$/.test(word)) {
        inline = true;
        i++;
      }
    }
  }
  if (!inline) return deed('perl', 'execute');
  if (!inPlace) return readFiles(run, found);
  const writing = writeFiles(run, found);
  writing.patch = true;
  writing.region = { hashes: [hash32(run.words.slice(run.at).join(' '))] };
  return writing;
};

const SORT_OPTIONS = options('-k -t -S -T --key --field-separator');
const sort: ProgramRule = (run) => {
  const output = run.words.indexOf('-o', run.at);
  if (output > 0 && output + 1 < run.words.length) return writeFiles(run, [output + 1]);
  return readFiles(run, operands(run, SORT_OPTIONS));
};

/** Filters whose operands are not files, and programs whose answer depends on the machine. */
const filter: ProgramRule = (run) => deed(run.name, 'read', { wide: false });

const remove: ProgramRule = (run) => {
  const removing = writeFiles(run, operands(run));
  removing.clears = 'target';
  if (hasLetter(run, 'r') || hasLetter(run, 'R')) removing.effect = 'any';
  if (
    removing.files.length > 0 &&
    !removing.many &&
    removing.files.every((path) => path.startsWith('/tmp/'))
  )
    removing.role = 'light';
  return removing;
};

const PLACE_OPTIONS = options('-t -m -o -g -S --target-directory');
const place: ProgramRule = (run) => {
  const found = operands(run, PLACE_OPTIONS);
  const writing = writeFiles(run, found.slice(-1));
  writing.clears = 'target';
  if (run.name === 'mv' || hasLetter(run, 'r') || hasLetter(run, 'R') || hasLetter(run, 'a')) {
    writing.effect = 'any';
    addFiles(writing, run, found.slice(0, -1));
  }
  return writing;
};

const MAKE_OPTIONS = options('-m');
const make: ProgramRule = (run) => {
  const writing = writeFiles(run, operands(run, MAKE_OPTIONS));
  return run.name === 'mkdir' ? { ...writing, role: 'light' } : writing;
};

const attributes: ProgramRule = (run) => writeFiles(run, operands(run), 1);

/** `exit $?` only reports how the previous program ended. */
function tellsStatus(word: string): boolean {
  if (word.includes('`')) return false;
  for (let i = word.indexOf('$'); i >= 0; i = word.indexOf('$', i + 1))
    if (word[i + 1] !== '?') return false;
  return true;
}

const echo: ProgramRule = (run) => {
  for (let i = run.at + 1; i < run.words.length; i++) {
    // It prints the value of a variable or a command, which is information.
    if ((run.marks[i]! & DYNAMIC) !== 0 && !tellsStatus(run.words[i]!))
      return { ...deed(run.name, 'nothing'), verb: 'read' };
  }
  return silent(run);
};

const tar: ProgramRule = (run) => {
  const mode = run.words[run.at + 1] ?? '';
  return deed(run.name, has(run, '--list') || /^-?[a-zA-Z]*t/.test(mode) ? 'read' : 'write');
};

const listsOnly =
  (...letters: string[]): ProgramRule =>
  (run) =>
    deed(run.name, letters.some((letter) => hasLetter(run, letter)) ? 'read' : 'write');

const tee: ProgramRule = (run) => {
  const writing = writeFiles(
    run,
    operands(run).filter((index) => !run.words[index]!.startsWith('/dev/')),
  );
  return writing.files.length === 0 && !writing.many
    ? { ...filter(run), role: 'limiter' }
    : { ...writing, patch: true };
};

/** The region of a text that is appended to a file. */
export const appended = (text: string): Deed['region'] => regionOfEdit(null, text);

export const FILE_PROGRAMS: readonly (readonly [names: string, rule: ProgramRule])[] = [
  ['cat bat batcat type gc get-content', CAT],
  ['head tail', limiter],
  ['less more', limiter],
  ['select-object out-string out-host', (run) => ({ ...filter(run), role: 'limiter' })],
  [
    'wc nl od xxd hexdump file stat md5sum sha1sum sha256sum shasum cksum tac rev strings readlink realpath base64 fold iconv',
    reader(),
  ],
  ['diff cmp comm join paste colordiff delta', reader()],
  ['uniq', reader('-f -s -w')],
  ['cut', reader('-d -f -c -b --delimiter --fields')],
  ['column', reader('-s -c -o')],
  ['sort', sort],
  ['grep egrep fgrep zgrep rg ag ack ugrep select-string findstr', search],
  ['ls ll dir tree du df exa eza lsd get-childitem gci test-path fd fdfind locate mdfind', listing],
  ['sed gsed', sed],
  ['awk gawk mawk nawk', awk],
  ['jq yq gojq jaq', json],
  ['perl', perl],
  [
    'tr fmt expand numfmt seq basename dirname expr bc tput test [ [[ where-object foreach-object sort-object measure-object',
    filter,
  ],
  [
    'pwd whoami id date uname hostname which where whereis locale uptime ps pgrep top free lsof netstat ss arch nproc groups history',
    filter,
  ],
  ['squeue sinfo sacct qstat atq nvidia-smi jobs pidof vmstat iostat nc htop', filter],
  [
    'printenv getent man tldr help ping dig nslookup host ffprobe mount sw_vers vm_stat dmesg last who w tty stty',
    filter,
  ],
  ['command hash get-command get-process get-item get-date get-location', filter],
  [
    'get-service get-job get-nettcpconnection test-netconnection test-connection resolve-dnsname get-winevent tasklist',
    filter,
  ],
  ['echo printf write-output write-host', echo],
  [
    'true : false exit return break continue shift set umask ulimit trap shopt local declare readonly unset clear wait-debugger',
    silent,
  ],
  ['cd pushd popd chdir set-location', goes],
  ['export source . alias unalias read', (run) => deed(run.name, 'nothing')],
  ['rm rmdir unlink shred remove-item trash', remove],
  ['mv cp ln install copy-item move-item rename-item', place],
  ['mkdir touch truncate new-item', make],
  ['chmod chown chgrp', attributes],
  ['set-content add-content out-file', patcher('-Value -Encoding')],
  ['tee tee-object', tee],
  ['tar bsdtar', tar],
  ['unzip zipinfo', listsOnly('l', 'p', 't')],
  ['crontab', listsOnly('l')],
  ['dpkg', listsOnly('l', 's', 'L', 'S')],
  [
    'zip gzip gunzip bzip2 xz unxz zstd split csplit dd mktemp rsync scp sftp ed ex mkfifo setfacl sponge',
    (run) => deed(run.name, 'write'),
  ],
];
