import { blockTypes, consentTypes } from '@croupier/contracts';
import { type Field, operatorsOf } from '@croupier/rules';
import { type BrandSettings, readDeclaration } from '../../brands/index.ts';
import { traitCatalogue, windowsInWords } from '../../derive/index.ts';
import { type RuleCatalogue, ruleCatalogue } from './catalogue.ts';
import { listFacts, listFields } from './listing.ts';

/** Generates docs/guides/segments.md from the catalogue: what rules can use. */
export function segmentsGuide(): string {
  const catalogue = exampleCatalogue();
  return `${[introduction, operators(), traits(), fields(catalogue), facts(catalogue)].join('\n\n')}\n`;
}

const introduction = `# Segments: what rules can ask

A rule selects players. Segments, audiences, entries, branches, waits and goals use the same rules. This page is generated from the catalogue in
\`packages/platform/src/segments/fields\` (\`npm run docs\`); \`GET /api/console/v1/brands/:brand/rule-fields\` returns the same with the names of a brand.

## A rule

\`\`\`json
{ "combinator": "and", "not": false, "rules": [
  { "field": "trait.deposit_count_7d", "operator": ">=", "value": 2 },
  { "field": "profile.country", "operator": "in", "value": ["MT", "SE"] },
  { "field": "did.round", "match": { "mode": "atLeast", "threshold": 3 }, "within": "P7D",
    "value": { "combinator": "and", "rules": [ { "field": "base_win", "operator": ">=", "value": "50" } ] } } ] }
\`\`\`

The format is that of react-querybuilder. A rule has at most 200 conditions, in groups at most 8 deep.

- \`POST rules/check\` returns the errors, by JSON path, and the rule in plain English.
- \`POST rules/preview\` counts the players that it selects, and how many each condition removes, within a second.
- \`POST rules/try\` shows the result of each condition for one player.

## Eight to start with

\`npm start\` gives the brand \`demo\` eight segments, over players whom its sandbox casino plays: new without a deposit, deposited today, slipping away, high rollers, sports only,
bonus hunters, birthday this week, big loss in an hour. Their rules are files to copy from
([packages/platform/src/demo/segments](../../packages/platform/src/demo/segments)). Each is made once; change or delete them as you like.

## Meaning

- **Only two results.** A comparison with an absent value is false. \`!=\`, \`notIn\`, \`notBetween\`, \`notInLast\`, \`notNull\` and \`not\` are exact complements, so
  "country is not DE" includes players without a country.
- **Amounts** are in the brand's base currency, exact. Write amounts with many digits as text: \`"50.25"\`.
- **Clock hours and rolling minutes.** \`trait.casino_ggr_1h\` is the current clock hour of UTC. For the last 60 minutes count facts: \`did.round\` with \`"within": "PT60M"\`.
- **Days** of windows are calendar days of the brand's time zone. A day in a duration is 24 hours.
- **A count over no facts is 0.** Corrections and rollbacks are included, because facts are counted: what was rolled back is not a fact.`;

/** The catalogue of a brand without names of its own. */
function exampleCatalogue(): RuleCatalogue {
  const reading = readDeclaration({ code: 'example', name: 'Example', base_currency: 'EUR' }, 'brand');
  if (!reading.ok) throw new Error('the example is no brand');
  const settings = reading.declaration.settings as BrandSettings;
  const names = { segmentation: [], consents: consentTypes, blocks: blockTypes, segments: new Set<string>() };
  return ruleCatalogue({ brand_id: 0, settings }, { ...names, tags: new Set() });
}

function operators(): string {
  const kinds = ['number', 'text', 'moment', 'date', 'status', 'flag', 'list'] as const;
  const rows = kinds.map((kind) => `| ${kind} | ${namesOf({ name: kind, kind, title: '' })} |`);
  const notes = `Durations are ISO 8601 in weeks, days, hours, minutes and seconds, from \`PT1M\` to \`P366D\`. \`anniversaryWithin\` takes whole days: \`P0D\` is today.
A status is \`true\`, \`false\` or \`"unknown"\`.`;
  return `## Operators\n\n| Kind | Operators |\n| --- | --- |\n${rows.join('\n')}\n\n${notes}`;
}

function namesOf(field: Field): string {
  return operatorsOf(field)
    .map(({ name }) => `\`${name}\``)
    .join(' ');
}

function traits(): string {
  const breakdowns = traitCatalogue
    .filter(({ kind }) => kind === 'breakdown')
    .map(({ name }) => `\`trait.${name}.<name>\``);
  return `## Traits

\`trait.<name>\` is each of the ${traitCatalogue.length} [traits](./traits.md), lifetime; those with every window also as \`trait.<name>_<window>\`: ${windowsInWords}.
Favourites exist as \`_30d\` and \`_90d\`. Of breakdowns one group is a field: ${breakdowns.join(', ')}; a group without anything is 0.`;
}

function fields(catalogue: RuleCatalogue): string {
  const rows = listFields(catalogue)
    .filter(({ name }) => !name.startsWith('trait.'))
    .map(({ name, kind, title }) => `| \`${name}\` | ${kind} | ${title} |`);
  return `## Other fields

| Field | Kind | In sentences |
| --- | --- | --- |
${rows.join('\n')}
| \`profile.segmentation.<key>\` | that of its values | the operator's own keys: those that were sent, and those that the brand setting \`segmentation_traits\` maps |
| \`segment.<code>\` | flag | member of another segment |
| \`tag.<name>\` | flag | a tag that a campaign or a person set |

\`excluded\`, \`consent.<Type>\` and \`block.<type>\` are what the gate knows: a block in doubt is true, a consent in doubt is unknown, and what no look-up has answered is unknown.`;
}

function facts(catalogue: RuleCatalogue): string {
  const sections = listFacts(catalogue).map(({ name, meaning, fields: ofFact }) => {
    const rows = ofFact.map(
      ({ name: field, kind, title, unit }) =>
        `| \`${field}\` | ${kind} | ${title}${unit ? ', in the base currency' : ''} |`,
    );
    return `### ${name}\n\n${meaning}\n\n| Field | Kind | In sentences |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  return `## Facts

\`did.<fact>\` counts facts in force: \`match\` says at least, at most or exactly how many, \`within\` how far back (\`PT1M\` to \`P366D\`; without it all), \`value\` holds conditions on their fields.
\`at\` is the moment by which \`within\` counts.

${sections.join('\n\n')}`;
}
