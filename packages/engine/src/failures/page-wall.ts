import type { Wall } from '../prints.ts';

/** A page with more text than this has content besides its demand. */
const SHORT = 2500;

/**
 * A status as tools print it for a page, and as errors state it. The second counts only in errors,
 * because an article may mention a status.
 */
const STATUS_LINE = /^[^\w\n]*(?:http )?status(?: code)?: *40[137]\b/im;
const STATUS =
  /(?:\bhttp(?:\/[\d.]+)?|\bstatus(?: ?code| text)?|\bcode|\berror)["'\s:=(]{1,4}(?:401|403|407)\b|\b(?:401|403|407)\b[\s:,-]{1,3}(?:unauthori[sz]ed|forbidden|proxy authentication)/i;

const TITLE = /page title: *(.*)|rootwebarea "([^"]*)"|<title[^>]*>([^<]*)|^title: *(.*)$/im;
/** A snapshot without a title begins with its heading. */
const HEADING = /^\s*- heading "([^"]*)"/;
/** Matched from the beginning of the title: an article about such pages begins differently. */
const CHALLENGE_TITLE =
  /^\W*(?:just a moment|attention required|are you (?:a )?(?:human|robot)|robot (?:check|verification)|security (?:check|verification|challenge)|(?:please )?verify (?:that )?you(?:'re| are) (?:a )?(?:human|not a robot)|human verification|one more step|pardon our interruption|checking your browser|(?:solve the |complete the )?captcha(?: (?:challenge|check|required))?\W*$)/i;
const DENIED_TITLE =
  /^\W*(?:access (?:to this page )?(?:is |has been |was )?(?:denied|blocked)|40[137]\b|forbidden|unauthori[sz]ed|authentication required)/i;
const LOGIN_TITLE = /\b(?:sign|log)[ -]?in\b/i;

const FRAME =
  /google\.com\/recaptcha|recaptcha\.net|hcaptcha\.com|challenges\.cloudflare\.com|captcha-delivery\.com|arkoselabs\.com|funcaptcha\.com|geetest\.com|iframe[^\n]{0,80}captcha|\b(?:id|class)="[^"]{0,40}(?:g-recaptcha|h-captcha|cf-turnstile|px-captcha)/i;
const PROOF =
  /checkbox "(?:i'?m not a robot|i am (?:not a robot|human)|verify (?:that )?you are (?:a )?human)/i;

const PASSWORD =
  /(?:textbox|input|field)[^\n]{0,40}"[^"\n]{0,30}pass(?:word|phrase|code)|type=["']?password/i;
const ENTRY = /textbox|<input/i;
const LOGIN_BUTTON =
  /(?:button|submit)[^\n]{0,60}(?:log ?in|sign ?in|continue|next|anmelden|connexion)/i;

const ADDRESS = /page url: *(\S+)|\burl(?:=|: *)"?([^\s"]+)|<link rel="canonical" href="([^"]+)/i;
const LOGIN_PATH =
  /\/(?:[\w-]*(?:login|log-in|signin|sign-in|sso|oauth2?|saml|challenge|captcha)[\w-]*|auth)(?:[/?#.]|$)/i;

/** Where the page's content begins. Before it is what the tool says about the page. */
const BODY =
  /```yaml|\[ref=|\buid=\d|<(?:!doctype|html|head|body|title)\b|^- (?:text|paragraph|heading|link|button|checkbox)\b/im;

/** A page, and the call that led to it. */
export interface ShownPage {
  /** The beginning of what the model reads. */
  text: string;
  /** Length of the whole text in characters. */
  size: number;
  /** The requested address; empty if the call names none. */
  asked: string;
  /** The result is an error. */
  isError: boolean;
}

/**
 * The wall that a result shows: a page that asks for a login, asks for proof of a human, or denies access. `none` for any other page, null
 * if no page is shown. Only the page itself counts: frames, forms, a short body. A title without a body does not count, nor do the words of
 * a text.
 */
export function wallIn({ text, size, asked, isError }: ShownPage): Wall | 'none' | null {
  const begin = text.search(BODY);
  if (STATUS_LINE.test(begin < 0 ? text : text.slice(0, begin)) || (isError && STATUS.test(text)))
    return 'access';
  if (begin < 0) return null;
  const body = text.slice(begin);
  const isShort = size - begin < SHORT;
  const title = firstOf(TITLE.exec(text) ?? HEADING.exec(body)).trim();
  if (isChallenge(body, title, isShort)) return 'captcha';
  if (isShort && DENIED_TITLE.test(title)) return 'access';
  const path = pathOf(firstOf(ADDRESS.exec(text)));
  return isLogin(body, title, path, asked, isShort) ? 'login' : 'none';
}

/** A page that asks for proof of a human. */
const isChallenge = (body: string, title: string, isShort: boolean): boolean =>
  PROOF.test(body) || (isShort && (FRAME.test(body) || CHALLENGE_TITLE.test(title)));

/** A form for a password, or a page that the agent was sent to and that wants a name. */
function isLogin(
  body: string,
  title: string,
  path: string,
  asked: string,
  isShort: boolean,
): boolean {
  if (!LOGIN_BUTTON.test(body)) return false;
  const isAtLogin = LOGIN_PATH.test(path);
  const isSent = asked !== '' && isAtLogin && !LOGIN_PATH.test(pathOf(asked));
  const isForm = PASSWORD.test(body) && (LOGIN_TITLE.test(title) || isAtLogin);
  return (isForm && (isShort || isSent)) || (isSent && isShort && ENTRY.test(body));
}

/** The address that a result shows, without its query; empty if it shows none. */
export const shownAddress = (text: string): string =>
  firstOf(/page url: *(\S+)|rootwebarea[^\n]{0,300} url="([^"]+)/i.exec(text)).replace(
    /[?#].*$/s,
    '',
  );

const firstOf = (found: RegExpExecArray | null): string =>
  found?.slice(1).find((each) => each !== undefined) ?? '';

const pathOf = (address: string): string =>
  address.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
