/**
 * If the host does not say, a result that begins with these words is an error.
 */
export const SAYS_SO =
  /^\W*(?:usage: [^\n]*\n+error|execution timed out|<tool_use_error>|failures =|errors =|[\w./-]+\(\d+,\d+\): error|traceback \(most recent|error\s*\n|(?:\w+ ){0,2}?\w*(?:error|exception)\b ?(?:[:(!]|- )|error (?:while|when|in|occurred|executing|running|updating|reading|writing|calling|\d)|fatal\b|npm (?:err!|error)|panic:|uncaught|exit(?:ed with)? code:? [1-9]|command failed|(?:[\w.'/-]+ ){1,4}failed(?:[:;!]| (?:to|with|because|due)\b)|(?:\w+ )?(?:execution|command|request|call|operation|query|action|tool|task|script|build) failed\.(?:\s|$)|http(?:\/[\d.]+)? ?(?:error |status )?[45]\d\d\b|(?:status|code):? ?[45]\d\d\b|[45]\d\d (?:bad|not|forbidden|unauthori|too many|internal|service|gateway|conflict|method|request|gone|payment|unprocess|client|server)|failed\b|failure\b|fail\b|invalid\b|cannot\b|can't\b|could not\b|couldn't\b|unable to\b|permission denied|access denied|denied\b|not found\b|not allowed\b|no such\b|unknown (?:tool|command|option|skill|agent|flag|function|method|parameter|argument)|forbidden\b|unauthori[sz]ed\b|refused\b|rejected\b|declined\b|timed out\b|timeout\b(?!: ?\d+ ?\w*(?:\n|$)| set\b))/i;

/** `Error opening a.ts: …`: the tool names what it was doing. A guide to `Error handling` does not. */
export const FAILED_ACT =
  /^\W*error (?:access|apply|copy|connect|creat|delet|download|edit|fetch|find|gett|insert|list|load|mov|open|pars|process|read|remov|renam|replac|sav|search|send|upload|view|writ)ing [^\n]{1,160}: \S/i;

/** A count of none at the beginning is a report: `Failed: 0`. */
export const NONE = /^\W*(?:[a-z]+ ){0,3}[a-z]+:? (?:0|none)\s*(?:$|[\n,;|)]|of\b|found\b)/i;

/** A short result whose first line contains these words is an error, too. */
export const SAYS_LATER =
  /^(?!\W*warn)[^\n]{0,80}\b(?:not found|does not exist|doesn't exist|no such file|is invalid|was (?:refused|rejected|declined|denied)|(?:has |have )?(?:refused|rejected|declined) (?:your|the|this)|command not found|permission denied|[1-9]\d* (?:tests? )?fail(?:ed|ing)|sibling (?:tool )?call (?:failed|errored))\b/i;

/**
 * The tool says that it did not do what it was asked to. This outweighs a host's flag that the tool
 * ran.
 */
export const REFUSED =
  /^\W*no (?:active |finished |running )?(?:session|process|task) found (?:for|with)\b|\bno replacement was performed|\b(?:changes|edits?|patch) (?:was|were|has|have) not (?:been )?applied|^\W*(?:failed to (?:apply|find (?:expected|context))|(?:error: )?patch (?:failed|does not apply)|string to replace not found)|\bbash: (?:line \d+: |-c: )+(?:syntax error|unexpected eof)/i;

/** For reads of files: only these count, because a file's own text may contain the other words. */
export const FILE_TOOL_SAYS_SO =
  /^\W*(?:<tool_use_error>|error\b ?:|[a-z]\w*(?:error|exception): \S|enoent|eacces|eisdir|file (?:not found|does not exist)|no such file|permission denied|cannot (?:read|open)|could not (?:read|open))|^[^\n]{0,120}(?:no such file or directory|file does not exist|file not found)/i;

/** An exception under its own name; a stack of calls may follow. */
export const EXCEPTION = /^\W*[A-Za-z]\w*(?:Error|Exception): \S/;

export const TRANSIENT =
  /(?:\bhttp(?:\/[\d.]+)?|\bstatus(?: code)?|\bcode|\berror)[\s:=(["']{1,3}(?:429|50[234])\b|\b(?:429|50[234])\b[\s:,-]{0,3}(?:too many|service|bad gateway|gateway|slow down)|rate.?limit|too many requests|overloaded|econnreset|etimedout|eai_again|connection reset|socket hang up|\bfetch failed\b|\brequest timed out|(?:read|connect)timeout(?:error)?\b|remotedisconnected|remote end closed connection|sqlite_busy|database (?:table )?is locked|deadlock (?:detected|found)|could not serialize access|lock wait timeout|(?:please )?(?:try|retry) again later|temporarily unavailable|service unavailable|throttl/i;

/** Somebody else holds what the program needs. */
const HELD =
  /(?:could not|cannot|can't|unable to|failed to|error) (?:get|acquir\w+|obtain\w*|tak\w+)\b[^\n]{0,60}\block\b|\.lock['"]?: file exists|\block(?:ed)? (?:is |currently )*(?:held|owned|taken|by another)|waiting for (?:\w+ ){0,3}lock\b|another \w+(?: \w+)? (?:is|seems to be|appears to be)\b[^\n]{0,24}\b(?:running|in progress)/;

/** Whether a check did not begin: what it needs is held, and its first line says so. */
export const didNotBegin = (text: string): boolean =>
  HELD.test(text.slice(0, FIRST_LINE).trimStart().split('\n', 1)[0]!.toLowerCase());
const FIRST_LINE = 200;

/**
 * More words that say that a failure is temporary. They count only in what is known to be an error:
 * "in progress" and "starting" are answers elsewhere.
 */
const TEMPORARY_WORDS: readonly RegExp[] = [
  HELD,
  /\b(?:already|currently|still|is) in progress\b|\b(?:checks?|pipelines?|approvals?|reviews?) (?:(?:is|are) )?(?:still )?pending\b|_in_progress\b|\b(?:device|resource|text file|line|server|system)(?: or resource)?(?: is)?(?: currently| too)? busy\b|\bebusy\b/,
  // The network.
  /\b(?:handshake|i\/o|gateway) time-?out\b|\bconnect\w*\b[^\n]{0,60}\btimed out\b|\bread timed out\b|\bdeadline exceeded\b|\btemporary failure\b|\bname resolution\b|\bno route to host\b|\b(?:host|network|server|builder|service|node|destination)\b[^\n]{0,24}\bunreachable\b|\bnetwork is down\b|trouble with your network/,
  // A connection, as Node, undici and Python tell of it.
  /\b(?:ehostunreach|enetunreach|enetdown)\b|\bwrite epipe\b|\bund_err_(?:connect_timeout|headers_timeout|body_timeout|socket)\b|\b(?:headers|body)timeouterror\b|\bother side closed\b|\btypeerror: terminated\b|\boperation was aborted due to timeout\b|\boperation timed out\b|\b(?:socket\.timeout: |urlopen error )timed out\b|\bserver disconnected\b|\ball connection attempts failed\b|\bconnection error\.?\s*$|\berr_(?:network_changed|internet_disconnected|connection_(?:reset|closed|timed_out))\b/,
  /^(?:[a-z_.]+\.)?timeouterror\s*$/m,
  // A database.
  /\bserver has gone away\b|\blost connection to \w+ server\b|\b(?:server closed the|terminating) connection\b|\bconnection (?:terminated|closed) unexpectedly\b|\bmongonetwork(?:timeout)?error\b|\bserver selection timed out\b|\bredis is loading the dataset\b|\bclusterdown\b|\block timeout\b|\bconnection slots are reserved\b|\b(?:timed out fetching|timeout exceeded when trying to|timeout acquiring) (?:\w+ ){0,2}connect(?:ion)?\b/,
  // The server.
  /(?:\bhttp(?:\/[\d.]+)?|\bstatus(?: code)?|\bserver error|\breturned error)[\s:=(["']{1,3}5\d\d\b|\binternal server error\b|\bbad gateway\b|\bgateway time-?out\b|\b408 request time-?out\b|\b(?:is|are|currently|service|server) unavailable\b|\(unavailable\)|\bunavailable:|\bcode = unavailable\b/,
  /\btoo many (?:clients|connections|concurrent|sessions|users|active|pending|builds|jobs)\b|\b(?:insufficient|no|out of) ?(?:\w+ ?)?capacity\b/,
  /\b(?:try|retry)(?: again)? (?:later|shortly|soon|in (?:an? |\d)|after \d)|\btry restarting\b|\bretrying\b|\bretry-after\b/,
  // It has been started, or is to be switched on.
  /\b(?:is|still|system is|server is) (?:starting|booting|warming|initiali[sz]ing|restarting|recovering|shutting down)\b|\b(?:device|node|host|emulator|server)s?(?: is)? offline\b|\bno devices\b|\bnot (?:yet )?ready\b|not_?ready\b|authorization_pending|\bslow_down\b/,
];

/** Whether an error says that it is temporary, whatever the program. */
export const saysTemporary = (error: string): boolean => {
  if (TRANSIENT.test(error)) return true;
  const small = error.toLowerCase();
  return !NO_RIGHT.test(small) && TEMPORARY_WORDS.some((words) => words.test(small));
};
/** A right that is missing does not come by itself. */
const NO_RIGHT = /\bpermission denied\b|\bare you root\b|\boperation not permitted\b/;

/** A dictionary as Python prints it, whose field says that the call did not succeed. */
export const PYTHON_FALSE = /['"](?:success|ok|succeeded|accepted)['"]: ?False\b/;

/** A look-up that does not have the thing names what comes near it. That is an answer. */
export const FOUND_SIMILAR =
  /^\W*(?:could not find|couldn't find|did not find|no (?:exact )?match(?:es)? for|no results? for)\b[^\n]{0,300}?\b(?:similar|did you mean|closest|related|suggestions?)\b/i;

/** A person stopped the call. */
export const DENIED_BY_USER =
  /^\W*(?:the user (?:doesn't want|does not want|rejected|declined|denied|dismissed|cancelled)|\[request interrupted by user|(?:exec command|patch|tool (?:call|use)) rejected by user|(?:rejected|aborted|cancelled|denied) by (?:the )?user\b)/i;

/** The call itself was wrong, so no tool ran. */
export const REJECTED_CALL =
  /^\W*(?:error:? )?(?:mcp error -32\d{3}|inputvalidationerror|(?:argument |input |schema )?validation (?:failed|error)\b|invalid (?:arguments|parameters|params|tool input) (?:for|to|:)|no such tool\b|unknown tool\b|(?:[\w']+ ){0,5}(?:unavailable|unknown|nonexistent|non-existent) tool ['"`]|tool \S{1,80} (?:is )?not (?:found|available)\b|unsupported (?:custom )?(?:tool )?call\b|failed to parse (?:function )?arguments|missing required (?:parameter|argument|field)|agent type \S{1,80} not found)/i;

/** A plain exit line, or nothing. */
export const NO_WORD =
  /^\s*(?:(?:error: )?(?:command failed with )?exit(?:ed with)?(?: code)?:? ?1\W*)?\s*$/i;

/** Node's word for a command that failed, without a line of what the command wrote to stderr. */
export const ONLY_FAILED = /^\s*(?:error: )?(?:command failed: )+[^\n]+\s*$/i;

/** A line of a list that tells what failed. */
export const CROSSED = /^\s*[❌✖✗✘] ?\S/m;

/** A line of a log: a commit and what it did. */
export const COMMIT = /^[0-9a-f]{7,40} \S/;

/** What a file tool says of a file, where the file's own content could be an object, too. */
export const OF_A_FILE =
  /\b(?:enoent|eacces|eperm|eisdir|no such file|not found|could not find|does not exist|doesn't exist|permission denied|not allowed|is a directory|too (?:large|big|long)|outside|(?:cannot|can't|could not|failed to|unable to) (?:access|open|read))\b/i;

/** A tool says what its arguments lack. */
export const REQUIRES =
  /^[^\n.:'"`]{0,80}\b(?:must (?:be|contain|have|include|specify)|(?:is|are) (?:required|mandatory|missing))\b/i;

/** A receipt: it says what was done. */
export const DONE =
  /^\W*(?:ok\b|done\b|success|successfully\b|(?:the )?(?:file|folder|directory|edit|task|todos?|change|patch)\b[^\n]{0,200}\b(?:updated|created|written|edited|applied|saved|modified|added|copied|moved|deleted|renamed|removed)\b|(?:created|updated|deleted|saved|sent|written|added|removed|moved|completed?|clicked|tapped|pressed|typed|entered|filled|scrolled|selected|navigated|opened|closed)\b)/i;

/** Why an edit tool changed nothing. Only the beginning of what it answers is searched. */
export const REFUSED_EDIT =
  /^(?!\W*(?:the )?file \S+ has been (?:updated|created))(?:[^\n]{0,160}\b(?:must be unique|(?:is|are) not unique|found (?:\d+|multiple) (?:matches|occurrences)|(?:occurs|appears) (?:\d+|multiple|more than once)|multiple matches|exactly the same|(?:is|are) identical|no changes? (?:to make|were made|made|needed)|nothing to (?:change|edit|replace)|no match(?:es)? (?:found|for)|(?:could|can|did|does|do|was|were|has|have)(?: not|n't) (?:be |been )?(?:find|found|match|matched|apply|applied|appear|read|locate|located|exist|changed|modified|edited|written)|not found in|has not been read|read it first|has been (?:modified|changed) since|already exists|outside (?:of )?(?:the )?(?:workspace|working|allowed|project))\b)/i;

/** A tool that shows something says that there is too much of it. */
export const TOO_MUCH =
  /^[^\n]{0,120}\b(?:exceeds (?:the )?(?:maximum|max|limit)|is too (?:large|big|long) (?:to|for)|too many (?:results|matches|files) (?:to|for))\b/i;

/** A short answer of a tool whose first sentence says what the tool cannot do. */
export const CANNOT =
  /^\W*(?:no (?:task|session|process|job|tab|page|element|agent|shell|terminal|window|such)\w* (?:is |was )?(?:found (?:with|for|under|by)|open|available|running)\b|[^\n.]{0,100}\b(?:(?:is|are|was|were) not (?:allowed|available|supported|connected|permitted|running|installed|valid|authori[sz]ed|enabled|recogni[sz]ed)|timed out|is unreachable|(?:could|can|did)(?: not|n't) be (?:found|loaded|opened|reached|read|parsed|resolved|completed)|not (?:supported|permitted|available(?=[.!]|\s*$))|failed to)\b)/i;
