/** A page with more text than this has something to say beside its demand. */
const SHORT = 2500;
/** A status stands at the top. */
const TOP = 800;

const STATUS =
  /(?:\bhttp(?:\/[\d.]+)?|\bstatus(?: ?code| text)?|\bcode|\berror)["'\s:=(]{1,4}(?:401|403|407)\b|\b(?:401|403|407)\b[\s:,-]{1,3}(?:unauthori[sz]ed|forbidden|proxy authentication)/i;

const TITLE = /page title: *(.*)|rootwebarea "([^"]*)"|<title[^>]*>([^<]*)|^title: *(.*)$/im;
/** Titles as a whole or by their first words: an article about such pages begins otherwise. */
const WALL_TITLE =
  /^\W*(?:just a moment|attention required|access (?:to this page )?(?:is |has been |was )?(?:denied|blocked)|are you (?:a )?(?:human|robot)|robot (?:check|verification)|security (?:check|verification|challenge)|(?:please )?verify (?:that )?you(?:'re| are) (?:a )?(?:human|not a robot)|human verification|one more step|pardon our interruption|checking your browser|40[137]\b|forbidden|unauthori[sz]ed|(?:please )?(?:sign|log)[ -]?in\b(?! (?:to|into|with) \w+ (?:and|or|vs)\b)|login\b|authentication required|(?:solve the |complete the )?captcha(?: (?:challenge|check|required))?\W*$)/i;

const FRAME =
  /google\.com\/recaptcha|recaptcha\.net|hcaptcha\.com|challenges\.cloudflare\.com|captcha-delivery\.com|arkoselabs\.com|funcaptcha\.com|geetest\.com|iframe[^\n]{0,80}captcha|\b(?:id|class)="[^"]{0,40}(?:g-recaptcha|h-captcha|cf-turnstile|px-captcha)|checkbox "(?:i'?m not a robot|i am (?:not a robot|human)|verify (?:that )?you are (?:a )?human)/i;

const PASSWORD = /(?:textbox|input|field)[^\n]{0,40}"[^"\n]{0,30}pass(?:word|phrase|code)|type=["']?password/i;
const LOGIN_BUTTON = /(?:button|submit)[^\n]{0,60}(?:log ?in|sign ?in|continue|anmelden|connexion)/i;

const ADDRESS = /page url: *(\S+)|\burl(?:=|: *)"?([^\s"]+)|<link rel="canonical" href="([^"]+)/i;
const LOGIN_PATH = /\/(?:[\w-]*(?:login|log-in|signin|sign-in|sso|oauth2?|saml|challenge|captcha)[\w-]*|auth)(?:[/?#.]|$)/i;

/** One of these stands in every frame that asks for a proof of being human. */
const FRAME_WORDS = ['captcha', 'challenges.cloudflare', 'arkoselabs', 'geetest', 'turnstile', 'robot', 'human'];

/** A page, and what led to it. */
export interface ShownPage {
  /** The opening of what the model reads. */
  text: string;
  /** Characters of the whole. */
  size: number;
  /** The address that was asked for; empty where the call names none. */
  asked: string;
  /** The result is an error. */
  isError: boolean;
}

/**
 * Whether a result shows a page that asks for a login or for a proof of being human, or that refuses access. Only what pages are built of
 * counts, such as status, title, frames, forms, address and length; the words of a text do not.
 */
export function isWall({ text, size, asked, isError }: ShownPage): boolean {
  if (STATUS.test(text.slice(0, TOP)) && (isError || size < SHORT)) return true;
  const small = text.toLowerCase();
  const signs = [
    isWallTitle(text),
    FRAME_WORDS.some((word) => small.includes(word)) && FRAME.test(text),
    small.includes('pass') && PASSWORD.test(text) && LOGIN_BUTTON.test(text),
    wasSentToLogin(asked, text),
  ];
  const found = signs.filter(Boolean).length;
  return found >= 2 || (found === 1 && size < SHORT);
}

/** Whether a result shows a page at all, so that what was known of an earlier one is out of date. */
export const showsPage = (page: string): boolean => TITLE.test(page) || ADDRESS.test(page);

function isWallTitle(page: string): boolean {
  const found = TITLE.exec(page);
  const title = found?.slice(1).find((each) => each !== undefined) ?? '';
  return WALL_TITLE.test(title.trim());
}

/** The address that was asked for led to a login instead. */
function wasSentToLogin(asked: string, page: string): boolean {
  const found = ADDRESS.exec(page);
  const shown = found?.slice(1).find((each) => each !== undefined) ?? '';
  return asked !== '' && LOGIN_PATH.test(pathOf(shown)) && !LOGIN_PATH.test(pathOf(asked));
}

const pathOf = (address: string): string => address.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
