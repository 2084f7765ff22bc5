import { Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useCountry } from '../../ui/country.ts';
import { useDurationWords } from '../../ui/duration.ts';
import { Rows } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, Named, useNumber } from '../../ui/values.tsx';
import { CreatedBy } from '../rewards/created-by.tsx';
import { mergedMarkets } from './merged-markets.ts';

/** The market policies: their rules, whom they apply to, and what they withheld. Nothing can be changed here. */
export function Policies() {
  const brand = useBrand();
  const { policies: words } = useWords(compliance);
  const title = useWords(places).pages.policies;
  const shown = useQuery({ queryKey: [brand, 'policies'], queryFn: () => readPolicies(brand) });
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const { items, markets, product_consents } = shown.data;
  return (
    <Page title={title} about={words.about}>
      {items.map((policy) => (
        <Policy key={policy.market} policy={policy} />
      ))}
      <ProductConsents
        consents={product_consents}
        // Only these policies withhold marketing for which no consent is set.
        markets={items
          .filter(({ rules }) => rules.some(({ rule }) => rule === 'consent_per_product'))
          .map(({ market }) => market)}
      />
      <Markets markets={markets} />
    </Page>
  );
}

const readPolicies = (brand: string) =>
  bodyOf(api.GET('/api/console/v1/brands/{brand}/policies', { params: { path: { brand } } }));

type Shown = Awaited<ReturnType<typeof readPolicies>>;

function Policy({ policy: { market, source, since, players, rules } }: { policy: Shown['items'][number] }) {
  const { policies: words } = useWords(compliance);
  const number = useNumber();
  const sentenceOf = useRuleSentence();
  const title = words.of(useCountry()(market));
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={3} size="h4">
        {title}
      </Title>
      <Text size="sm" mb="sm">
        {words.players(number(players), players === 1)}
      </Text>
      <Rows
        items={rules}
        keyOf={({ rule }) => rule}
        columns={[
          { title: words.rule, show: ({ rule }) => <Named of={rule} /> },
          { title: words.means, show: sentenceOf },
          { title: words.source, show: () => <Named of={source} /> },
          { title: words.since, show: () => <Moment at={since} /> },
          {
            title: words.withheld,
            show: ({ reasons }) =>
              reasons.length === 0 ? (
                <To to="compliance/exclusions">{words.toExclusions}</To>
              ) : (
                <Stack gap={2}>
                  {reasons.map((reason) => (
                    <To key={reason} to="compliance/decisions" search={{ reason }}>
                      <Named of={reason} />
                    </To>
                  ))}
                </Stack>
              ),
          },
        ]}
      />
    </Card>
  );
}

/** Returns a function that says what a rule requires, with its number. */
function useRuleSentence(): (rule: Shown['items'][number]['rules'][number]) => string {
  const { policies: words } = useWords(compliance);
  const durationOf = useDurationWords();
  return ({ rule, limit }) => {
    switch (rule) {
      case 'consent_per_product':
      case 'one_product':
        return words[rule];
      case 'most_wagering':
        return words.most_wagering(limit ?? '');
      case 'most_suppression':
        return words.most_suppression(durationOf(limit ?? ''));
      default:
        return rule satisfies never;
    }
  };
}

function ProductConsents({
  consents: { items, source, changed_at, changed_by },
  markets,
}: {
  consents: Shown['product_consents'];
  markets: readonly string[];
}) {
  const { policies: words, rules } = useWords(compliance);
  const nameOf = useCode();
  const countryOf = useCountry();
  return (
    <Card withBorder component="section" aria-label={words.consents}>
      <Title order={3} size="h4">
        {words.consents}
      </Title>
      <Text size="sm">
        {words.consentsAbout} {source === 'configuration_file' ? words.inFile : words.inSettings}{' '}
        <To to="settings/brand" isSentence>
          {words.toSettings}
        </To>
      </Text>
      {changed_at !== null && (
        <Text size="sm">
          {words.changed} <Moment at={changed_at} />
          {changed_by !== null && (
            <>
              , <CreatedBy of={changed_by} />
            </>
          )}
        </Text>
      )}
      {items.length === 0 ? (
        <Text size="sm" mt="sm">
          {words.noConsents(markets.map(countryOf).join(', '))}
        </Text>
      ) : (
        <Rows
          items={items}
          keyOf={({ product, channel }) => `${product} ${channel}`}
          columns={[
            { title: rules.product, show: ({ product }) => nameOf(product) },
            { title: rules.ofChannel, show: ({ channel }) => nameOf(channel) },
            { title: rules.consent, show: ({ consent }) => consent },
          ]}
        />
      )}
    </Card>
  );
}

function Markets({ markets }: { markets: Shown['markets'] }) {
  const { policies: words } = useWords(compliance);
  const number = useNumber();
  const countryOf = useCountry();
  return (
    <section aria-label={words.markets}>
      <Title order={3} size="h4" mb="sm">
        {words.markets}
      </Title>
      {markets.length === 0 ? (
        <Text size="sm">{words.noPlayers}</Text>
      ) : (
        <Rows
          items={mergedMarkets(markets, countryOf)}
          keyOf={({ market, policy }) => `${market} ${policy}`}
          columns={[
            { title: words.market, show: ({ market }) => market ?? words.unknown },
            {
              title: words.policy,
              show: ({ policy }) => (policy === null ? words.none : countryOf(policy)),
            },
            { title: words.count, align: 'right', show: ({ players }) => number(players) },
          ]}
        />
      )}
    </section>
  );
}
