import type { Micros } from '@croupier/contracts';
import { answerOf, type Catalog, checkRule, type PlayerView } from '@croupier/rules';
import { messageOf } from '../../../database/index.ts';
import { type ActiveVersion, type Phase, readsCauseOf } from '../active/active-version.ts';
import { leadingCause, type News, notLaterThan } from '../cause.ts';
import type { PlayerNews } from '../news/store.ts';
import { changeOf, type MembershipState, stateOf } from './decide.ts';
import { type Due, dueAfter, isStillAhead } from './due.ts';
import type { DueRow, MemberRow, NewTransition, PlayerState } from './store.ts';

/** Everything that was read about one player for the evaluation. */
export interface PlayerAtHand {
  readonly player: PlayerState;
  /** The player's rows of members, keyed by version. */
  readonly members: Map<number, MemberRow>;
  readonly dues: ReadonlyMap<number, Due>;
  readonly view: PlayerView;
  readonly tags: ReadonlySet<string>;
}

export interface Circumstances {
  readonly at: Micros;
  readonly zone: string;
  readonly catalog: Catalog;
  /** Active versions of the brand, each after those that its rule refers to. */
  readonly ordered: readonly ActiveVersion[];
  /** The versions that may be written now. */
  readonly phases: ReadonlyMap<number, Phase>;
  /** The version in force of each segment, by code. Other rules can refer to its members. */
  readonly inForce: ReadonlyMap<string, number>;
  /** Called for a version whose rule is not valid. Only this version fails. */
  readonly onFailure: (version: ActiveVersion, error: unknown) => void;
}

/**
 * How far ahead to look for the moment at which time alone changes an answer. "3 days since a deposit" may change at
 * every future midnight. Checking 800 midnights for each event would cost more than all other work. If nothing changes
 * before this limit, the player is evaluated again at the limit.
 */
const ahead: Micros = 4 * 86_400_000_000;

/** What to write. */
export interface Outcome {
  members: MemberRow[];
  goneMembers: { player_id: number; version_id: number }[];
  transitions: NewTransition[];
  dues: DueRow[];
  goneDues: { player_id: number; version_id: number }[];
  /** News for versions that may not be written now. It is processed later. */
  news: PlayerNews[];
  /** The versions whose rule was evaluated. */
  evaluated: Set<number>;
}

/** The rule of a version is valid, and cannot be evaluated for one player. */
export class EvaluationFailed extends Error {
  readonly version: ActiveVersion;

  constructor(version: ActiveVersion, cause: unknown) {
    super(`segment ${version.code}: ${messageOf(cause)}`, { cause });
    this.version = version;
  }
}

export function emptyOutcome(): Outcome {
  return { members: [], goneMembers: [], transitions: [], dues: [], goneDues: [], news: [], evaluated: new Set() };
}

/**
 * Evaluates the requested versions, and those whose rule refers to a segment in which the player's membership just
 * changed. Adds what to write to `outcome`. It writes nothing itself; the same player at the same moment gives the same
 * result.
 *
 * @throws {EvaluationFailed}
 */
export function evaluatePlayer(
  { player, members, dues, view, tags }: PlayerAtHand,
  asked: ReadonlyMap<number, readonly News[]>,
  { at, zone, catalog, ordered, phases, inForce, onFailure }: Circumstances,
  outcome: Outcome,
): void {
  const { player_id, brand_id } = player;
  const isMember = (code: string) => {
    const row = members.get(inForce.get(code) ?? 0);
    return row !== undefined && !row.protected;
  };
  const ownView = withSegmentsAndTags(view, isMember, tags);
  const changed = new Map<string, News>();
  for (const version of ordered) {
    const { version_id, segment_id, rule, include_protected } = version;
    const own = asked.get(version_id);
    const fromSegments =
      changed.size === 0 ? [] : [...version.needs.segments].flatMap((code) => changed.get(code) ?? []);
    if (own === undefined && fromSegments.length === 0) continue;
    const phase = phases.get(version_id);
    if (phase === undefined) {
      if (fromSegments.length > 0) outcome.news.push({ player_id, brand_id, causes: fromSegments, version_id });
      continue;
    }
    const row = members.get(version_id);
    let holds = row !== undefined;
    if (rule !== null) {
      try {
        const held = dues.get(version_id);
        // A due time that is still ahead is kept, so later moments need not be looked at.
        const lookAhead = isStillAhead(held, at) ? Math.min(ahead, held.due_at - at) : ahead;
        const answer = answerOf(rule, ownView, { catalog, at, zone, ahead: lookAhead });
        holds = answer.value;
        const due = dueAfter(held, answer.holds_until, at);
        if (due === 'delete') outcome.goneDues.push({ player_id, version_id });
        else if (due !== 'keep') outcome.dues.push({ player_id, version_id, ...due });
        outcome.evaluated.add(version_id);
      } catch (error) {
        if (checkRule(rule, catalog, 'stored').length === 0) throw new EvaluationFailed(version, error);
        onFailure(version, error);
        continue;
      }
    }
    const before: MembershipState = row === undefined ? 'none' : row.protected ? 'protected' : 'member';
    const change = changeOf(before, stateOf(holds, player.is_protected && !include_protected));
    if (change === undefined) continue;
    const reasons = [...(own ?? []), ...fromSegments];
    // The protection was written together with a record that explains it and states whether it is silent. The next round
    // processes this record.
    if (isOfProtection(change) && recordOf(reasons) === undefined) continue;
    if (change.after === 'none') {
      members.delete(version_id);
      outcome.goneMembers.push({ player_id, version_id });
    } else {
      const written = { player_id, version_id, protected: change.after === 'protected', since: at };
      members.set(version_id, written);
      outcome.members.push(written);
    }
    if (change.transition === undefined || phase !== 'in_force') continue;
    const news = notLaterThan(at, causeOf(version, change, reasons, at));
    outcome.transitions.push({
      brand_id,
      player_id,
      segment_id,
      version: version.version,
      transition: change.transition,
      at,
      ...news,
    });
    changed.set(version.code, {
      cause: { type: 'segment', code: version.code, at: news.cause.at },
      silent: news.silent,
    });
  }
}

function isOfProtection({ before, after }: { before: MembershipState; after: MembershipState }): boolean {
  return before !== 'none' && after !== 'none';
}

function recordOf(reasons: readonly News[]): (News & { cause: { type: 'record' } }) | undefined {
  const records = reasons.flatMap(({ cause, silent }) => (cause.type === 'record' ? [{ cause, silent }] : []));
  return leadingCause(records) as ReturnType<typeof recordOf>;
}

/**
 * A change between member and protected is a change of protection, whose cause is always a record. The cause of any
 * other change is something that the rule reads. A new player, and a member whose record changed, have additional
 * causes, which are used only if the rule reads none of the others.
 */
function causeOf(
  version: ActiveVersion,
  change: { before: MembershipState; after: MembershipState },
  reasons: readonly News[],
  at: Micros,
): News {
  const record = isOfProtection(change) ? recordOf(reasons) : undefined;
  if (record !== undefined) return { ...record, cause: { ...record.cause, type: 'protection' } };
  const read = reasons.filter((news) => news.cause.type !== 'time' && readsCauseOf(version, news));
  return leadingCause(read) ?? leadingCause(reasons) ?? { cause: { type: 'time', at }, silent: false };
}

export function withSegmentsAndTags(
  view: PlayerView,
  isMember: (code: string) => boolean,
  tags: ReadonlySet<string>,
): PlayerView {
  const isOurs = (field: string) => field.startsWith('segment.') || field.startsWith('tag.');
  return {
    value: (field, at) => {
      if (field.startsWith('segment.')) return isMember(field.slice('segment.'.length));
      if (field.startsWith('tag.')) return tags.has(field.slice('tag.'.length));
      return view.value(field, at);
    },
    // If a membership or a tag changes, this creates news, and the rule is evaluated again.
    changesAfter: (field, at) => (isOurs(field) ? undefined : view.changesAfter(field, at)),
    facts: (kind) => view.facts(kind),
  };
}
