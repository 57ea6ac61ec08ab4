import { SECRET } from './secret-place.ts';

/** Blanks in a sentence. Bounded, so that a text of blanks takes no time. */
const GAP = String.raw`[ \t]{1,8}`;
/** What people call a secret. A bare `token` or `secret` is too often something else. */
const NAMED = [
  'pass(?:word|phrase|code)',
  String.raw`(?:api|access|auth|secret|private)[ \t_-](?:key|token)`,
  String.raw`(?:client|api)[ \t_-]secret`,
  // With a name and a colon: credentials themselves have names, too.
  String.raw`credentials?(?=${GAP}\(?[^\s:/]{1,64}:[^\s/])`,
].join('|');
const OWNER = String.raw`${GAP}(?:for|of)${GAP}(?:(?:the${GAP})?user${GAP})?[^\s:]{1,64}`;
const VERB = `${GAP}(?:(?:is|was)(?:${GAP}(?:now|still|set${GAP}to))?|(?:set|changed|reset)${GAP}to)`;
/** Between the name and the secret: `password for user bob is …`, `password was …`. */
const LINK = String.raw`(?:${OWNER}(?:${VERB}|[ \t]{0,8}:)|${VERB})?`;
const QUOTED = String.raw`"[^"\n]{1,200}"|'[^'\n]{1,200}'|\x60[^\x60\n]{1,200}\x60`;

/** A secret that a sentence names: `password hunter2 rejected`. */
const IN_PROSE = new RegExp(
  String.raw`(\b(?:${NAMED})${LINK}${GAP}\(?)(${QUOTED}|[^\s"'\x60<>()[\]{}]{4,200})`,
  'gi',
);

interface ValueRule {
  name: string;
  when(value: string): boolean;
  isSecret: boolean;
}

/** The first rule that holds decides whether a word after the name is the secret itself. */
const VALUE_RULES: readonly ValueRule[] = [
  // Letters and digits, or letters around a symbol, as in `p@ssword`.
  {
    name: 'plain-word',
    when: (value) => !/[a-z]/i.test(value) || !/\d|\w[!@#$%^&*~+?]\w/.test(value),
    isSecret: false,
  },
  { name: 'reference', when: (value) => /^[$%#]|^-/.test(value), isSecret: false },
  { name: 'attribute', when: (value) => /^[a-z][\w-]*=/i.test(value), isSecret: false },
  { name: 'call-in-code', when: (value) => /^[a-z_$][\w.$]*\(/i.test(value), isSecret: false },
  {
    name: 'path-or-address',
    when: (value) => /^[~.]{0,2}[/\\]|^[a-z]:\\|:\/\/|^\w+(?:\/[\w.-]+)+$/i.test(value),
    isSecret: false,
  },
  {
    name: 'file-name',
    when: (value) => /^[\w-]+\.[a-z]\w{0,4}(?::\d+)*$/i.test(value),
    isSecret: false,
  },
  {
    name: 'mail-address',
    when: (value) => /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(value),
    isSecret: false,
  },
  {
    // `8th`, `12-character`, `v2.1`, a date.
    name: 'quantity',
    when: (value) => /^v?\d[\d.,:]*(?:[a-z]{0,3}|-[a-z-]+)$|^\d{4}-\d\d-\d\d/i.test(value),
    isSecret: false,
  },
  {
    name: 'way-to-encrypt',
    when: (value) =>
      /^(?:sha|md|argon|pbkdf|bcrypt|scrypt|base|utf|oauth|ntlm|aes|rsa|ed|hmac|totp)-?\d/i.test(
        value,
      ),
    isSecret: false,
  },
  {
    // `password field2`, `password e12`: a numbered thing.
    name: 'numbered-thing',
    when: (value) =>
      /^(?:[a-z]|attempt|box|case|column|entry|field|form|input|item|line|option|page|part|phase|policy|prompt|question|row|rule|stage|step|test|textbox|try|user|version)[-_#.]?\d+$/i.test(
        value,
      ),
    isSecret: false,
  },
  { name: 'letters-and-digits', when: () => true, isSecret: true },
];

const isSecretWord = (word: string): boolean =>
  VALUE_RULES.find(({ when }) => when(word))!.isSecret;

/** A quoted word that says what is wrong with the secret, or names a part of a form. */
const SAID_OF_IT =
  /^(?:empty|expired|field|input|invalid|is|label|missing|must|null|none|rejected|required|true|false|weak|wrong|too (?:short|long|weak)|undefined|<.*>|\$.*|\*+|)$/i;

/**
 * Masks secrets that a sentence names without `=` or `:` between, as in `password hunter2 rejected`.
 * A secret that is an ordinary word without quotes cannot be told from the sentence and stays.
 */
export const maskInProse = (text: string): string =>
  text.replace(IN_PROSE, (all: string, before: string, given: string) => {
    const quote = /^["'`]/.test(given) ? given[0]! : '';
    const value = quote === '' ? given.replace(/[.,:;!?…]+$/, '') : given.slice(1, -1);
    const isSecret = quote === '' ? isSecretWord(value) : !SAID_OF_IT.test(value.trim());
    return isSecret
      ? `${before}${quote}${SECRET}${quote === '' ? given.slice(value.length) : quote}`
      : all;
  });
