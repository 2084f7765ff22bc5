import { blockTypes, consentTypes } from '@croupier/contracts';
import { type Field, operatorsOf } from '@croupier/rules';
import { type BrandSettings, readDeclaration } from '../../brands/index.ts';
import { traitCatalog, windowsInWords } from '../../derive/index.ts';
import { type RuleCatalog, ruleCatalog } from './catalog.ts';
import { listFacts, listFields } from './listing.ts';

/** Generates docs/guides/segments.md from the catalog: what rules can use. */
export function segmentsGuide(): string {
  const catalog = exampleCatalog();
  return `${[introduction, operators(), traits(), fields(catalog), facts(catalog)].join('\n\n')}\n`;
}

const introduction = `# Segments: rules and their fields

A rule selects players. Segments, audiences, entries, branches, waits and goals all use rules. \`npm run docs\` generates this page from the
catalog in \`packages/platform/src/segments/fields\`. \`GET /api/console/v1/brands/:brand/rule-fields\` returns the same fields, and a field for each
segment, tag and segmentation key of the brand.

In the console, *Segments* builds a rule from fields, shows it as a sentence, and counts the players while you type. Next to each condition is
the number of players that it removes. Below the count are links to at most ten of the players.

![The builder of a segment's rule, with its sentence and live counts](pictures/console-segment.webp)

## A rule

\`\`\`json
{ "combinator": "and", "not": false, "rules": [
  { "field": "trait.deposit_count_7d", "operator": ">=", "value": 2 },
  { "field": "profile.country", "operator": "in", "value": ["MT", "SE"] },
  { "field": "did.round", "match": { "mode": "atLeast", "threshold": 3 }, "within": "P7D",
    "value": { "combinator": "and", "rules": [ { "field": "base_win", "operator": ">=", "value": "50" } ] } } ] }
\`\`\`

The format is that of react-querybuilder. A rule may have at most 200 conditions, in at most 200 groups nested at most 8 deep.

- \`POST rules/check\` lists errors by JSON path, and returns the rule as a sentence in plain English.
- \`POST rules/preview\` counts the selected players, and how many players each condition removes, within a second.
- \`POST rules/try\` shows each condition in words with the actual value of one player.

## Publishing

A changed rule is a draft until it is published. The version in force stays until the new one is computed.

- By default, the members then change silently: no campaign starts for the players who enter or leave because of the new version.
- With \`POST segments/:code/publish?starts_campaigns=true\`, campaigns start once for each of them. When the first version is
  published, every member enters. The console asks for confirmation first. It shows how many players
  would enter, leave and stay, and at most ten of each. A CSV file lists all who would enter or leave. \`GET segments/:code/versions\` shows the choice.
- Recomputations, rebuilds and imports are always silent. So are the resulting changes of other segments whose rules refer to this one.

While a version is being computed, the segment's page shows the progress. You can leave the page, or cancel the computation: the version
becomes a draft again, and the previous version stays in force (\`POST segments/:code/cancel\`). If there is a newer draft, that draft stays, and the
cancelled version becomes past. A recomputation cannot be cancelled.

On the page of a segment, you can rename it, replace an uploaded list, and choose whether excluded and blocked players may be members. The last two
change the draft (\`PUT segments/:code\` with \`name\`, \`user_ids\` and \`include_protected\`). An earlier version can become
the draft again, in the tab *Versions*: \`PUT segments/:code\` with \`version\`. The list of a version that another one has replaced is no longer stored.

## Overlap

The tab *Overlap* compares two segments: the players in both, and those in only one of them. Each number links to a list of these players
(\`GET segments/:code/overlap\`). Excluded and blocked players are left out.

## Eight example segments

\`npm start\` creates eight segments for the brand \`demo\`: new without a deposit, deposited today, slipping away, high rollers, sports only, bonus
hunters, birthday this week, big loss in an hour. The simulated players of the sandbox casino fill them. You can copy the rules from
[packages/platform/src/demo/segments](../../packages/platform/src/demo/segments). Each segment is created only once, so you can change or delete it.

## Meaning

- **Only true and false.** A comparison with a missing value is false. \`!=\`, \`notIn\`, \`notBetween\`, \`notInLast\`, \`notNull\` and \`not\` are exact
  complements. So "country is not DE" includes players without a country.
- **Amounts** are in the brand's base currency, exact. Write amounts with many digits as strings: \`"50.25"\`.
- **Clock hours and rolling minutes.** \`trait.casino_ggr_1h\` covers the current clock hour in UTC. To cover the last 60 minutes, count facts: \`did.round\` with \`"within": "PT60M"\`.
- **Days** of windows are calendar days of the brand's time zone. A day in a duration is 24 hours.
- **A count without facts is 0.** Only facts in force count, so corrections and rollbacks take effect.`;

/** The catalog of a brand without its own names. */
function exampleCatalog(): RuleCatalog {
  const reading = readDeclaration({ code: 'example', name: 'Example', base_currency: 'EUR' }, 'brand');
  if (!reading.ok) throw new Error('the example is not a valid brand');
  const settings = reading.declaration.settings as BrandSettings;
  const names = { segmentation: [], consents: consentTypes, blocks: blockTypes, segments: new Set<string>() };
  return ruleCatalog({ brand_id: 0, settings }, { ...names, tags: new Set() });
}

function operators(): string {
  const kinds = ['number', 'text', 'moment', 'date', 'status', 'flag', 'list'] as const;
  const rows = kinds.map((kind) => `| ${kind} | ${namesOf({ name: kind, kind, title: '' })} |`);
  const notes = `Durations are ISO 8601 in weeks, days, hours, minutes and seconds, from \`PT1M\` to \`P366D\`. \`anniversaryWithin\` takes whole days: \`P0D\` is today.
A status is \`true\`, \`false\` or \`"unknown"\`. \`between\` takes the lowest value first, because a range in the other order contains nothing. A range and
a list can also be a text with commas, as builders write them: \`"5,10"\`, \`"MT,SE"\`, and \`"MT"\` for a list of one value.`;
  return `## Operators\n\n| Kind | Operators |\n| --- | --- |\n${rows.join('\n')}\n\n${notes}`;
}

function namesOf(field: Field): string {
  return operatorsOf(field)
    .map(({ name }) => `\`${name}\``)
    .join(' ');
}

function traits(): string {
  const breakdowns = traitCatalog
    .filter(({ kind }) => kind === 'breakdown')
    .map(({ name }) => `\`trait.${name}.<name>\``);
  return `## Traits

\`trait.<name>\` is the lifetime value of one of the ${traitCatalog.length} [traits](./traits.md). Traits with every window also exist as \`trait.<name>_<window>\`: ${windowsInWords}.
Favorites exist as \`_30d\` and \`_90d\`. Each group of a breakdown is a field: ${breakdowns.join(', ')}. A group without entries is 0.`;
}

function fields(catalog: RuleCatalog): string {
  const rows = listFields(catalog)
    .filter(({ name }) => !name.startsWith('trait.'))
    .map(({ name, kind, title }) => `| \`${name}\` | ${kind} | ${title} |`);
  return `## Other fields

| Field | Kind | In sentences |
| --- | --- | --- |
${rows.join('\n')}
| \`profile.segmentation.<key>\` | the kind of its values | the operator's segmentation keys: keys that were sent, and keys in the brand setting \`segmentation_traits\` |
| \`segment.<code>\` | flag | member of another segment |
| \`tag.<name>\` | flag | a tag that a campaign or a person set |

\`excluded\`, \`consent.<Type>\` and \`block.<type>\` have the values that the gate uses. If the operator's last answer for a block or a consent was neither true nor false, the block is true, and the consent is unknown. A value is also unknown while no look-up was answered.`;
}

function facts(catalog: RuleCatalog): string {
  const sections = listFacts(catalog).map(({ name, meaning, fields: ofFact }) => {
    const rows = ofFact.map(
      ({ name: field, kind, title, unit }) =>
        `| \`${field}\` | ${kind} | ${title}${unit ? ', in the base currency' : ''} |`,
    );
    return `### ${name}\n\n${meaning}\n\n| Field | Kind | In sentences |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  return `## Facts

\`did.<fact>\` counts facts in force. Some facts are kept only as long as the history, as stated below. A count over a longer time covers those that are kept. When older ones are removed, the segments of their players are evaluated again, silently.

- \`match\` states how many: at least, at most or exactly.
- \`within\` states how far back, from \`PT1M\` to \`P366D\`. Without it, all facts count. It uses the time in the field \`at\`.
- \`value\` contains conditions on the fields of the fact.

${sections.join('\n\n')}`;
}
