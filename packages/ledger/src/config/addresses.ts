import { isPostgresUrl } from '../postgres-address.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const SERVER = /^https?:\/\/[^\s/]/i;
/** A path has no scheme. */
const URL_LIKE = /^[a-z][\w+.-]+:\/\//i;

/** The server that hooks call; undefined if `UNRUT_SERVER` is missing or is not a valid URL. */
export function serverIn({ UNRUT_SERVER: given }: Variables): string | undefined {
  const address = given?.trim();
  return address && SERVER.test(address) && URL.canParse(address) ? address : undefined;
}

/** The ledger that `UNRUT_LEDGER` names: a path, or the URL of a Postgres. */
export function ledgerIn({ UNRUT_LEDGER: given }: Variables): string | undefined {
  const address = given?.trim();
  return address && (isPostgresUrl(address) || !URL_LIKE.test(address)) ? address : undefined;
}

/** One line for each unusable address. Addresses may contain passwords, so none is quoted. */
export const addressProblems = (variables: Variables): string[] => [
  ...(variables.UNRUT_SERVER?.trim() && serverIn(variables) === undefined
    ? [
        'Expected `UNRUT_SERVER` to be a URL such as http://127.0.0.1:4717, got something else. Ignored.',
      ]
    : []),
  ...(variables.UNRUT_LEDGER?.trim() && ledgerIn(variables) === undefined
    ? ['Expected `UNRUT_LEDGER` to be a path or a postgres:// URL, got another URL. Ignored.']
    : []),
];
