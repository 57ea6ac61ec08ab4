import { hash64 } from '@unrut/engine/hash';
import { listOf, objectOf, textOf } from '@unrut/engine/json';
import type { Signal } from '@unrut/engine/signal';
import { cut } from '@unrut/engine/text/printable';

/** Why sessions fail or loop, as far as several of them can share it. Texts are redacted. */
export interface Cause {
  /** Equal for the same failure or loop of one tool about one target. */
  key: string;
  kind: 'failure' | 'loop';
  tool: string;
  /** The machine that does not answer, else the repository or folder; empty if none is known. */
  target: string;
  /** In one sentence. */
  text: string;
}

/** A signal, and what is known of where it was seen. */
export interface SightedSignal {
  signal: Pick<Signal, 'detector' | 'evidence'>;
  /** The call of its step in a few words, and its tool: the program of a shell command. */
  label?: string | undefined;
  tool?: string | undefined;
  repo?: string | undefined;
  folder?: string | undefined;
}

const MAX_ERROR = 140;
const MAX_LABEL = 100;

/**
 * The cause that a signal points to; undefined if sessions cannot share it. A failure of a machine is
 * the same wherever it is met; any other failure or loop only in the same repository, by the same
 * call. If no repository is known, its fingerprints must be equal, too.
 */
export function causeOf({
  signal,
  label = '',
  tool: called,
  repo,
  folder,
}: SightedSignal): Cause | undefined {
  const { variant, keys, facts: given } = signal.evidence;
  const facts = objectOf(given);
  // Detectors have names of their own for a tool.
  const tool = called ?? (textOf(facts.tool) || toolIn(label));
  if (tool === '') return undefined;
  const error = textOf(facts.error);
  const place = repo ?? folder ?? '';
  const prints = listOf(keys).map(String).sort();
  if (error !== '') return failureOf({ tool, error, label, place, variant, prints });
  const call = cut(textOf(facts.call) || label || tool, MAX_LABEL);
  return {
    key: hash64(['loop', tool, place, ...prints].join('\u0000')),
    kind: 'loop',
    tool,
    target: place,
    text: `\`${call}\` is repeated without anything new${place === '' ? '' : ` in ${place}`}`,
  };
}

interface Failure {
  tool: string;
  error: string;
  label: string;
  place: string;
  variant: string;
  prints: readonly string[];
}

function failureOf({ tool, error, label, place, variant, prints }: Failure): Cause | undefined {
  const host = machineIn(label, error);
  const short = cut(error, MAX_ERROR);
  if (host !== undefined && OWN.test(host)) {
    if (place === '') return undefined;
  } else if (host !== undefined) {
    // What a machine that is down says changes from call to call.
    const words = variant === 'transient' ? variant : wordsOf(error);
    return {
      key: hash64(['failure', tool, host, words].join('\u0000')),
      kind: 'failure',
      tool,
      target: host,
      text: `\`${tool}\` fails at ${host}: ${short}`,
    };
  }
  const call = label === '' ? tool : label;
  return {
    key: hash64(
      ['failure', tool, place, wordsOf(call), wordsOf(error), ...(place === '' ? prints : [])].join(
        '\u0000',
      ),
    ),
    kind: 'failure',
    tool,
    target: place,
    text: `\`${cut(call, MAX_LABEL)}\` fails${place === '' ? '' : ` in ${place}`}: ${short}`,
  };
}

const toolIn = (label: string): string => label.split(' ', 1)[0] ?? '';

const ADDRESS = /\bhttps?:\/\/(?:[^\s/@]*@)?([\w.-]+)/i;
const CONNECTING =
  /\b(?:E[A-Z]*CONN[A-Z]*|ENOTFOUND|EAI_AGAIN|E[A-Z]*TIMEDOUT|EHOSTUNREACH|getaddrinfo|resolve host|connect(?:ion)?|refused|timed out)\b/i;
const MACHINE =
  /(?<![\w/])((?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d][a-z\d-]*)(?::\d+)?(?![\w/])/i;
/** Each agent has its own. */
const OWN = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|.*\.local(?:host)?)$/i;

/** The machine that a call is about, or whose silence its error tells of. */
function machineIn(label: string, error: string): string | undefined {
  const found =
    ADDRESS.exec(label)?.[1] ??
    ADDRESS.exec(error)?.[1] ??
    (CONNECTING.test(error) ? MACHINE.exec(error)?.[1] : undefined);
  return found?.toLowerCase();
}

/** Without what differs from one time to the next: numbers of requests, times, ids. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\s"'`()[\]{},;=:/]*\d[^\s"'`()[\]{},;=:/]*/g, (word) =>
      /^[1-5]\d\d$/.test(word) ? word : '#',
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
