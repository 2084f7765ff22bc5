import type { Micros } from '@croupier/contracts';
import type { Cause, ListedSegment, ListedTransition, StoredVersion } from '../../segments/membership/index.ts';
import { maskProfile } from '../access/masking.ts';
import type { PlayerName } from '../players/store.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { revisionOf } from '../routing/revision.ts';

export function presentVersion(version: StoredVersion) {
  const { version_id: _, segment_id: __, created_at, published_at, computed_at, ...shown } = version;
  return {
    ...shown,
    created_at: momentText(created_at),
    published_at: momentTextOrNull(published_at),
    computed_at: momentTextOrNull(computed_at),
  };
}

/** @param campaigns codes of the campaigns that use it */
export function presentSegment(listed: ListedSegment, campaigns: readonly string[]) {
  const { segment, shown, latest, draft, failed, state, progress, slowed, members, used_by } = listed;
  return {
    code: segment.code,
    name: segment.name,
    rule: shown.rule,
    sentence: shown.sentence,
    version: shown.version,
    include_protected: shown.include_protected,
    state,
    reason: (failed ?? shown).reason,
    failed_version: failed?.version ?? null,
    progress,
    can_cancel: listed.canCancel,
    slowed,
    counting: listed.computing !== undefined && !listed.hasMembers,
    members,
    protected: listed.protected,
    computed_at: momentTextOrNull(shown.computed_at),
    used_by,
    campaigns: [...campaigns],
    draft: draft === undefined ? null : presentVersion(draft),
    revision: segmentRevision(segment.name, latest),
  };
}

/**
 * The revision of a segment: a hash of its name and its latest version. It includes `created_at`, because that is all that changes
 * if the draft of a list gets other players.
 */
export function segmentRevision(name: string, latest: StoredVersion | undefined): string {
  const { version = 0, rule = null, include_protected = false, created_at = 0 } = latest ?? {};
  return revisionOf({ name, version, rule, include_protected, created_at });
}

const unknownName: PlayerName = { first_name: null, last_name: null, country: null };

/** @param name of the player; undefined if the operator's details are unknown */
export function presentMember<Member extends { since: Micros }>(
  member: Member,
  name: PlayerName | undefined,
  unmasked: boolean,
) {
  const known = name ?? unknownName;
  return { ...member, ...(unmasked ? known : maskProfile(known)), since: momentText(member.since) };
}

export function presentCause(cause: Cause) {
  return { ...cause, at: momentText(cause.at) };
}

export function presentTransition({ at, cause, ...shown }: ListedTransition) {
  return { ...shown, at: momentText(at), cause: presentCause(cause) };
}
