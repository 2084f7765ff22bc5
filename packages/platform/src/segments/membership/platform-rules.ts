import { eventKinds } from '@croupier/contracts';
import type { Dependencies } from '@croupier/rules';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { kindsOfTrait, traitCatalog } from '../../derive/index.ts';
import {
  loadPlayerViews,
  type Memberships,
  needsOf,
  type RuleCatalog,
  readBrandNames,
  ruleCatalog,
  sqlSource,
} from '../fields/index.ts';
import type { BrandRules, NewsKind, RuleReading } from './rule-reading.ts';
import { readTagNames } from './tags/store.ts';
import { readSegments } from './versions/store.ts';

/**
 * How long names of segments, tags and keys of the operator's segmentation may be cached for rules that are evaluated.
 */
const namesMs = 10_000;

/** Rules over the platform's own tables. */
export class PlatformRules implements RuleReading {
  readonly #pool: Pool;
  readonly #known = new Map<number, { brand: Brand; until: number; rules: BrandRules }>();

  constructor(options: { pool: Pool }) {
    this.#pool = options.pool;
  }

  async of(brand: Brand, fields: Iterable<string> = []): Promise<BrandRules> {
    const known = this.#known.get(brand.brand_id);
    const isKnown = (field: string) => known?.rules.catalog.field(field) !== undefined;
    if (known?.brand === brand && known.until > performance.now() && [...fields].every(isKnown)) return known.rules;
    const catalog = await readCatalog(this.#pool, brand);
    const rules: BrandRules = {
      catalog,
      source: (scope) => sqlSource(catalog, scope),
      loadViews: (tx, { players, rules: asked, at }) =>
        loadPlayerViews(tx, catalog, { players, needs: withoutOurs(needsOf(asked)), at, prepared: true }),
    };
    this.#known.set(brand.brand_id, { brand, until: performance.now() + namesMs, rules });
    return rules;
  }

  /** A new rule may use names that did not exist before. */
  forget(): void {
    this.#known.clear();
  }

  kindsOf({ fields, facts }: Dependencies): ReadonlySet<NewsKind> {
    return new Set([...[...fields].flatMap(kindsOfField), ...[...facts].flatMap((fact) => kindsOfFact[fact] ?? [])]);
  }

  readsRecords({ fields }: Dependencies): boolean {
    return [...fields].some((field) => !followsFromEvents(field) && !/^(?:segment|tag)\./.test(field));
  }
}

/**
 * True if only events can change the field. The registration date is not such a field: without a registration event, it comes from the
 * operator's details.
 */
function followsFromEvents(field: string): boolean {
  const kinds = kindsOfField(field);
  return kinds.length > 0 && !kinds.includes('registration');
}

/**
 * The current catalog of a brand with its segments and tags. @param isWhole false: without them, because a brand may have thousands. Only
 * for a list of fields
 */
export async function readCatalog(db: Pool | ClientBase, brand: Brand, { isWhole = true } = {}): Promise<RuleCatalog> {
  const segments = isWhole ? await readSegments(db, brand.brand_id) : [];
  const tags = isWhole ? await readTagNames(db, brand.brand_id) : [];
  const names = await readBrandNames(db, brand, {
    segments: new Set(segments.map(({ code }) => code)),
    tags: new Set(tags.map(({ tag }) => tag)),
  });
  return ruleCatalog(brand, names, membershipsOf(brand.brand_id));
}

/** The members of segments and the tags of players, for statements over many players. */
function membershipsOf(brandId: number): Memberships {
  return {
    segment: (code, joins) => {
      const { writer } = joins;
      const alias = joins.query(`segment ${code}`, (where) => {
        const version = `select version_id from segment_active where phase in ('in_force', 'kept') and brand_id = ${writer.parameter(brandId, 'int')} and code = ${writer.parameter(code, 'text')}`;
        return `select player_id from segment_member ${where('player_id', 'not protected', `version_id = (${version})`)}`;
      });
      return `(${alias}.player_id is not null)`;
    },
    tag: (name, joins) => {
      const alias = joins.query(
        `tag ${name}`,
        (where) =>
          `select player_id from player_tag ${where('player_id', `tag = ${joins.writer.parameter(name, 'text')}`)}`,
      );
      return `(${alias}.player_id is not null)`;
    },
  };
}

/** Leaves out segments and tags, because live/player.ts already has both for the players that it evaluates. */
function withoutOurs(needs: ReturnType<typeof needsOf>): ReturnType<typeof needsOf> {
  return { ...needs, fields: new Set([...needs.fields].filter((field) => !/^(?:segment|tag)\./.test(field))) };
}

/** A test checks all facts of the catalog. If a fact caused no news, it would never change a membership. */
const kindsOfFact: Readonly<Record<string, readonly NewsKind[]>> = {
  payment: ['payment'],
  login: ['login', 'logout'],
  round: ['casino', 'gameround'],
  bet: ['sports'],
  ticket: ['lottery_purchase', 'lottery'],
  bonus: ['bonus'],
  cart: ['cart'],
  custom: ['custom'],
  site_event: ['site_event'],
  message: ['message'],
  message_event: ['message_event'],
};

const traits = new Map(traitCatalog.map((trait) => [trait.name, trait]));

function kindsOfField(field: string): readonly NewsKind[] {
  if (!field.startsWith('trait.')) return [];
  const [name = ''] = field.slice('trait.'.length).split('.');
  const trait = traits.get(name) ?? traits.get(name.replace(/_(?:prev_\d+d|\d+[hd]|today)$/, ''));
  if (trait === undefined) return eventKinds;
  const { source } = trait;
  // Messages and offers are in tables of the channels and the actions, which derive does not know.
  if (source.from === 'messages' || source.from === 'messages_by_campaign') return ['message', 'message_event'];
  if (source.from === 'active_bonuses' && source.show === 'next_expiry_at') return [...kindsOfTrait(trait), 'offer'];
  return kindsOfTrait(trait);
}
