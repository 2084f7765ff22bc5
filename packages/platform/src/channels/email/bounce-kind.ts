/*
 * Decides what the refusal of an e-mail says about its address. The answer of a server, delivery reports, and the webhooks of all
 * providers use this one function, so the same answer has the same effect everywhere.
 *
 *   hard     the address does not exist, or its mailbox is switched off: it gets no more e-mail
 *   soft     the address did not accept this e-mail, for example because its mailbox is full: several of these suppress it
 *   policy   the sender, its server or the content was refused: this says nothing about the address, and never suppresses it
 *
 * If a server blocks the sender, it refuses all good addresses within minutes, and a suppressed player gets no service e-mails either.
 * A missed hard bounce only costs a few more tries. So an unclear answer is not hard.
 */
export type BounceKind = 'hard' | 'soft' | 'policy';

export interface ServerRefusal {
  /** The basic code (RFC 5321), if it is known apart from the text. */
  code?: number | undefined;
  /** The enhanced code (RFC 3463), if it is known apart from the text. */
  enhanced?: string | undefined;
  text?: string | undefined;
}

export function bounceKindOf({ code, enhanced = '', text = '' }: ServerRefusal): BounceKind {
  // An address may contain any word.
  const words = text.slice(0, 1_000).replace(/\S*@\S*/g, ' ');
  const basic = code ?? Number(/(?:^|[\s;])([245]\d\d)(?=[\s-]|$)/.exec(words)?.[1] ?? 500);
  const given = readEnhancedCode(enhanced) ?? readEnhancedCode(words);
  const kind = given === null ? ofWords(words) : ofEnhancedCode(given);
  return kind === 'hard' && (basic < 500 || basic > 599) ? 'soft' : kind;
}

interface EnhancedCode {
  kind: string;
  subject: number;
  detail: number;
}

/** The first code that says something: x.0.0 means "undefined". Parts of an IP address are not a code. */
function readEnhancedCode(text: string): EnhancedCode | null {
  for (const [, kind = '', subject, detail] of text.matchAll(/(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d)/g))
    if (subject !== '0') return { kind, subject: Number(subject), detail: Number(detail) };
  return null;
}

/**
 * RFC 3463: 5.1.x concerns the address, but x.1.7 and x.1.8 concern that of the sender. 5.2.1 is a mailbox that is switched off. x.6.x
 * concerns the content, x.7.x security and policy.
 */
function ofEnhancedCode({ kind, subject, detail }: EnhancedCode): BounceKind {
  if (subject === 6 || subject === 7) return 'policy';
  if (subject === 1 && (detail === 7 || detail === 8)) return 'policy';
  return kind === '5' && (subject === 1 || (subject === 2 && detail === 1)) ? 'hard' : 'soft';
}

function ofWords(words: string): BounceKind {
  if (policy.test(words)) return 'policy';
  return noMailbox.test(words) && !passing.test(words) ? 'hard' : 'soft';
}

const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'), 'i');

/** Answers about the sender, its server or the content. They may also contain "unknown" or "does not exist". */
const policy = anyOf(
  String.raw`\b(sender|mail from|from (address|domain)|return.(path|address)|helo|ehlo|r?dns|ptr|reverse|rbls?|dnsbl|spf|dkim|dmarc)\b`,
  String.raw`\b(ip|your|client|sending) (address|host|server|domain|account|mailbox)\b`,
  String.raw`\b(spam\w*|virus\w*|phish\w*|polic(y|ies)|reputation|block(ed|ing|list\w*)|(black|deny)\s?list\w*|banned|prohibit\w*)\b`,
  String.raw`(?<!not )\blisted\b`,
  String.raw`\b(access|connection|relay\w*)( is| was| access)? (denied|refused|not (permitted|allowed))`,
  String.raw`\b(unable|not|cannot) (to |permitted to |allowed to )?relay`,
  String.raw`\b(authenticat\w+|rate.limit\w*|(daily|sending) .{0,20}limit|too many)\b`,
);

const mailbox = '(user|mailbox|recipient|account|address|addressee|inbox|person|alias|local.part)s?';
/** Answers that the mailbox does not exist, or is switched off. */
const noMailbox = anyOf(
  String.raw`\b${mailbox}\b.{0,40}\b(unknown(?! (error|reason|problem|failure))|not (known|found)|(does|do|did)(n.t| not) exist|no longer (exists?|valid|active|in use)|non-?existent)\b`,
  String.raw`\b${mailbox}( name| address| account)?\W{1,3}((is|was|has been) )?(permanently |currently )?(invalid|not valid|not active|disabled|deactivated|inactive|closed|deleted)\b`,
  String.raw`\b(unknown|no such|no|invalid|non-?existent|disabled|inactive|not a valid) ((local|virtual|valid|mail|e-?mail|such) )?${mailbox}\b`,
  String.raw`\b${mailbox}\b.{0,20}\bdoes(n.t| not) have an?\b.{0,40}\baccount\b`,
  String.raw`\bunroute?able address\b`,
);
/** Refusals that may end, and checks that failed. */
const passing = /\b(quota|full|storage|temporar\w+|again|later|verif\w+|callout)\b/i;
