import type { Micros } from '@croupier/contracts';
import { checkRule, eachCondition, hashOf, type Rule, type RuleError, sentenceOf } from '@croupier/rules';
import type { ClientBase } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { WordedError, type Words } from '../../language.ts';
import { needsOf } from './active/active-version.ts';
import { lockVersion } from './active/store.ts';
import type { RuleReading } from './rule-reading.ts';
import { endComputation, startComputation } from './settle/computation-store.ts';
import { canCancel, nextState, type VersionEvent } from './versions/state.ts';
import * as store from './versions/store.ts';

/*
 * What people do with segments. Each function runs in a transaction of its caller, who also writes the audit. None of
 * them waits until players are computed.
 */
export interface Actor {
  at: Micros;
  actor: string;
}

/** The reason of a refusal, in words for the caller. */
export class SegmentRefused extends WordedError {
  override name = 'SegmentRefused';
  readonly errors: readonly RuleError[];
  readonly kind: 'conflict' | 'invalid';

  constructor(kind: 'conflict' | 'invalid', words: Words, errors: readonly RuleError[] = []) {
    super(words);
    this.kind = kind;
    this.errors = errors;
  }
}

/** `same`: the list of the latest or of an earlier version. */
export type Content = { rule: unknown } | { user_ids: readonly string[] } | { same: store.StoredVersion };

type SavedList = store.SavedList;

/** @returns for a list of user_ids, how many of them are players of the brand */
export async function saveContent(
  tx: ClientBase,
  {
    brand,
    rules,
    segment,
    content,
    include_protected,
  }: {
    brand: Brand;
    rules: RuleReading;
    segment: store.StoredSegment;
    content: Content;
    include_protected: boolean;
  },
  by: Actor,
): Promise<SavedList | undefined> {
  if ('user_ids' in content) {
    const versionId = await store.saveDraft(tx, segment.segment_id, listVersion('', include_protected), by);
    const saved = await store.writeList(tx, versionId, brand.brand_id, content.user_ids);
    await store.setSentence(tx, versionId, listSentence(saved));
    return saved;
  }
  if ('same' in content) {
    const { version_id, version, state, sentence } = content.same;
    const versionId = await store.saveDraft(tx, segment.segment_id, listVersion(sentence, include_protected), by);
    const copied = versionId === version_id ? undefined : await store.copyListed(tx, version_id, versionId);
    // The list of a version is deleted when another version replaces it.
    if (copied === 0 && state === 'past')
      throw new SegmentRefused('conflict', {
        en: `the list of version ${version} is no longer stored; upload it again`,
        de: `Die Liste der Version ${version} ist nicht mehr gespeichert; laden Sie sie neu hoch`,
      });
    return undefined;
  }
  const { catalog } = await rules.of(brand);
  const errors = checkRule(content.rule, catalog);
  if (errors.length > 0)
    throw new SegmentRefused('invalid', { en: 'the rule is not valid', de: 'Die Regel ist nicht gültig' }, errors);
  const rule = content.rule as Rule;
  await refuseCycle(tx, segment, rule);
  const version = {
    kind: 'rule',
    rule,
    hash: hashOf(rule),
    sentence: sentenceOf(rule, catalog),
    include_protected,
  } as const;
  await store.saveDraft(tx, segment.segment_id, version, by);
  return undefined;
}

/** The console translates this sentence, and that of a frozen list (`list-sentence.ts`). */
function listSentence({ listed }: SavedList): string {
  return `A list of ${listed} ${listed === 1 ? 'player' : 'players'}.`;
}

function listVersion(sentence: string, include_protected: boolean): store.NewVersion {
  return { kind: 'list', rule: null, hash: '', sentence, include_protected };
}

/**
 * Checks every current rule of the brand, including drafts. Otherwise two drafts that refer to each other could both be
 * published.
 */
async function refuseCycle(tx: ClientBase, segment: store.StoredSegment, rule: Rule): Promise<void> {
  const needs = await store.readSegmentNeeds(tx, segment.brand_id);
  const errors: RuleError[] = [];
  eachCondition(rule, ({ field }, path) => {
    if (!field.startsWith(segmentPrefix)) return;
    const way = wayTo(segment.code, field.slice(segmentPrefix.length), needs);
    if (way === undefined) return;
    const through = way.slice(0, -1).map((code) => `${segmentPrefix}${code}`);
    const message = `${segmentPrefix}${segment.code} must not depend on itself`;
    errors.push({
      path: `${path}/field`,
      message: through.length === 0 ? message : `${message} (through ${through.join(' and ')})`,
    });
  });
  if (errors.length > 0)
    throw new SegmentRefused(
      'invalid',
      {
        en: 'the rule depends on the segment itself, directly or through another segment',
        de: 'Die Regel hängt vom Segment selbst ab, direkt oder über ein anderes Segment',
      },
      errors,
    );
}

const segmentPrefix = 'segment.';

/**
 * The path from one segment to another along the references of their rules, with both ends; undefined if there is no
 * such path.
 */
function wayTo(
  goal: string,
  from: string,
  needs: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | undefined {
  const seen = new Set([from]);
  const ways: string[][] = [[from]];
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const last = way.at(-1) ?? from;
    if (last === goal) return way;
    for (const next of needs.get(last) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

export interface Publication extends Actor {
  /**
   * Whether campaigns start for the players who enter or leave because the version comes into force. Default: false, so
   * they enter and leave silently.
   */
  starts_campaigns?: boolean;
}

/** The draft is computed from now on. The previous version stays in force until that is done. */
export async function publish(
  tx: ClientBase,
  rules: RuleReading,
  segment: store.StoredSegment,
  { at, starts_campaigns = false }: Publication,
): Promise<void> {
  const versions = await store.readVersions(tx, [segment.segment_id]);
  if (versions.some(({ state }) => state === 'computing'))
    throw new SegmentRefused('conflict', {
      en: 'a version is being computed; publish again when it is in force',
      de: 'Eine Version wird berechnet; veröffentlichen Sie erneut, sobald sie in Kraft ist',
    });
  const draft = versions.find(({ state }) => state === 'draft');
  if (draft === undefined)
    throw new SegmentRefused('conflict', {
      en: 'there is no draft to publish; change the rule first',
      de: 'Es gibt keinen Entwurf, der veröffentlicht werden kann; ändern Sie zuerst die Regel',
    });
  await begin(tx, rules, segment, draft, 'publish', at);
  await store.setVersionState(tx, draft.version_id, 'computing', { published_at: at, starts_campaigns });
}

/**
 * Ends the first computation of a version. The version becomes a draft again, and the previous one stays in force. If there is a newer
 * draft, the version becomes past instead. Its uploaded list stays stored.
 *
 * @returns the number of the version
 */
export async function cancelComputation(tx: ClientBase, segment: store.StoredSegment): Promise<number> {
  const versions = await store.readVersions(tx, [segment.segment_id]);
  const cancelled = versions.find(canCancel);
  if (cancelled === undefined) {
    const recomputed = versions.find(({ state }) => state === 'computing');
    if (recomputed === undefined) throw notComputed();
    throw new SegmentRefused('conflict', {
      en: `version ${recomputed.version} was already in force and is being recomputed; this cannot be cancelled`,
      de: `Version ${recomputed.version} war bereits in Kraft und wird neu berechnet; das lässt sich nicht abbrechen`,
    });
  }
  const { version_id, version } = cancelled;
  // Each portion locks its computation first, so this does, too. Otherwise the two could deadlock.
  if (!(await endComputation(tx, version_id))) throw notComputed();
  await store.deactivate(tx, version_id);
  await lockVersion(tx, version_id);
  await store.forgetPlayers(tx, version_id);
  await store.withdrawVersion(tx, version_id, null);
  return version;
}

function notComputed(): SegmentRefused {
  return new SegmentRefused('conflict', {
    en: 'no new version is being computed',
    de: 'Es wird keine neue Version berechnet',
  });
}

const germanStates: Readonly<Record<store.StoredVersion['state'], string>> = {
  draft: 'ist ein Entwurf',
  computing: 'wird berechnet',
  in_force: 'ist in Kraft',
  failed: 'ist fehlgeschlagen',
  past: 'ist vergangen',
};

async function begin(
  tx: ClientBase,
  rules: RuleReading,
  segment: store.StoredSegment,
  version: store.StoredVersion,
  event: VersionEvent,
  at: Micros,
): Promise<void> {
  if (nextState(version.state, event) === null)
    throw new SegmentRefused('conflict', {
      en: `version ${version.version} is ${version.state}`,
      de: `Version ${version.version} ${germanStates[version.state]}`,
    });
  const { brand_id, code } = segment;
  const { version_id, segment_id, rule } = version;
  await store.activate(tx, { version_id, segment_id, brand_id, code }, 'computing', [...rules.kindsOf(needsOf(rule))]);
  await startComputation(tx, { version_id, brand_id, purpose: 'compute' }, at);
}

/** Computes the version in force again, and corrects differences. A version that failed is computed from scratch. */
export async function recompute(
  tx: ClientBase,
  rules: RuleReading,
  segment: store.StoredSegment,
  { at }: Actor,
): Promise<void> {
  const versions = await store.readVersions(tx, [segment.segment_id]);
  const failed = versions.find(({ state }) => state === 'failed');
  if (failed !== undefined) {
    if (versions.some(({ state }) => state === 'computing'))
      throw new SegmentRefused('conflict', {
        en: 'a version that replaces the failed one is being computed; wait until it is in force, or cancel its computation',
        de: 'Eine Version, die die fehlgeschlagene ersetzt, wird berechnet; warten Sie, bis sie in Kraft ist, oder brechen Sie ihre Berechnung ab',
      });
    await begin(tx, rules, segment, failed, 'recompute', at);
    await store.setVersionState(tx, failed.version_id, 'computing');
    return;
  }
  const inForce = versions.find(({ state }) => state === 'in_force');
  if (inForce === undefined || segment.paused)
    throw new SegmentRefused('conflict', {
      en: 'no version is in force; publish the draft, or resume the segment',
      de: 'Keine Version ist in Kraft; veröffentlichen Sie den Entwurf, oder setzen Sie das Segment fort',
    });
  const { brand_id } = segment;
  await startComputation(tx, { version_id: inForce.version_id, brand_id, purpose: 'recompute' }, at);
}

/**
 * Makes a draft that lists the current members. After it is published, the list of members never changes.
 *
 * @param replacesDraft whether the caller has seen the existing draft, if there is one, and gives it up
 */
export async function freeze(
  tx: ClientBase,
  segment: store.StoredSegment,
  { replacesDraft }: { replacesDraft: boolean },
  by: Actor,
): Promise<void> {
  const versions = await store.readVersions(tx, [segment.segment_id]);
  const draft = versions.find(({ state }) => state === 'draft');
  if (draft !== undefined && !replacesDraft)
    throw new SegmentRefused('conflict', {
      en: `freezing replaces the draft (version ${draft.version}); publish it first, or pass the revision of the segment to replace it`,
      de: `Das Einfrieren ersetzt den Entwurf (Version ${draft.version}); veröffentlichen Sie ihn zuerst, oder übergeben Sie die Revision des Segments, um ihn zu ersetzen`,
    });
  const inForce = versions.find(({ state }) => state === 'in_force' || state === 'failed');
  if (inForce === undefined)
    throw new SegmentRefused('conflict', {
      en: 'no version is in force, so there are no members to freeze',
      de: 'Keine Version ist in Kraft, deshalb gibt es keine Mitglieder, die eingefroren werden können',
    });
  if (versions.some(({ state }) => state === 'computing'))
    throw new SegmentRefused('conflict', {
      en: 'a version is being computed; freeze when it is in force',
      de: 'Eine Version wird berechnet; frieren Sie die Mitglieder ein, sobald sie in Kraft ist',
    });
  const version = listVersion(`The members of version ${inForce.version}, frozen.`, inForce.include_protected);
  const versionId = await store.saveDraft(tx, segment.segment_id, version, by);
  await store.copyToList(tx, inForce.version_id, versionId);
}

/** Pausing freezes the members. Resuming updates them silently. */
export async function setPaused(
  tx: ClientBase,
  rules: RuleReading,
  segment: store.StoredSegment,
  paused: boolean,
  { at }: Actor,
): Promise<void> {
  if (segment.paused === paused) return;
  const versions = await store.readVersions(tx, [segment.segment_id]);
  if (versions.some(({ state }) => state === 'computing'))
    throw new SegmentRefused('conflict', {
      en: 'a version is being computed; pause or resume when it is in force',
      de: 'Eine Version wird berechnet; warten Sie mit dem Anhalten oder Fortsetzen, bis sie in Kraft ist',
    });
  const inForce = versions.find(({ state }) => state === 'in_force');
  if (inForce === undefined && paused)
    throw new SegmentRefused('conflict', {
      en: 'no version is in force, so there are no members to keep',
      de: 'Keine Version ist in Kraft, deshalb gibt es keine Mitglieder, die bleiben können',
    });
  await store.pauseSegment(tx, segment.segment_id, paused);
  if (inForce === undefined) return;
  if (paused) return store.keepAsIs(tx, inForce.version_id);
  const { brand_id, code } = segment;
  const { version_id, segment_id, rule } = inForce;
  await store.activate(tx, { version_id, segment_id, brand_id, code }, 'in_force', [...rules.kindsOf(needsOf(rule))]);
  await startComputation(tx, { version_id, brand_id, purpose: 'recompute' }, at);
}

export async function remove(tx: ClientBase, segment: store.StoredSegment): Promise<void> {
  const users = await store.readDependents(tx, segment);
  if (users.length > 0) {
    const codes = [...new Set(users.map(({ code }) => code))].join(', ');
    throw new SegmentRefused('conflict', {
      en: `${codes} use the segment; remove it from their rules first`,
      de: `${codes} verwenden das Segment; entfernen Sie es zuerst aus deren Regeln`,
    });
  }
  for (const { version_id } of await store.readVersions(tx, [segment.segment_id])) {
    await store.deactivate(tx, version_id);
    await lockVersion(tx, version_id);
    await store.forgetPlayers(tx, version_id);
    await store.forgetList(tx, version_id);
    await tx.query('delete from segment_difference where version_id = $1', [version_id]);
  }
  await tx.query('delete from segment_transition where segment_id = $1', [segment.segment_id]);
  await tx.query('delete from segment where segment_id = $1', [segment.segment_id]);
}
