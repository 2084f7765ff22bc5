import type { Cause, ListedSegment, ListedTransition, StoredVersion } from '../../segments/membership/index.ts';
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

export function presentSegment(listed: ListedSegment) {
  const { segment, shown, latest, draft, computing, state, progress, members, used_by } = listed;
  return {
    code: segment.code,
    name: segment.name,
    rule: shown.rule,
    sentence: shown.sentence,
    version: shown.version,
    include_protected: shown.include_protected,
    state,
    reason: shown.reason ?? computing?.reason ?? draft?.reason ?? null,
    progress,
    members,
    protected: listed.protected,
    computed_at: momentTextOrNull(shown.computed_at),
    used_by,
    draft: draft === undefined ? null : presentVersion(draft),
    revision: segmentRevision(segment.name, latest),
  };
}

/** The revision of a segment: of its name and its latest version. The time stands for the players of a list. */
export function segmentRevision(name: string, latest: StoredVersion | undefined): string {
  const { version = 0, rule = null, include_protected = false, created_at = 0 } = latest ?? {};
  return revisionOf({ name, version, rule, include_protected, created_at });
}

export function presentCause(cause: Cause) {
  return { ...cause, at: momentText(cause.at) };
}

export function presentTransition({ at, cause, ...shown }: ListedTransition) {
  return { ...shown, at: momentText(at), cause: presentCause(cause) };
}
