import { Card, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { useWords } from '../../text/text.tsx';
import { useTraitName } from '../../text/use-field-names.ts';
import { Rows } from '../../ui/list.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { TraitValue } from '../player/trait-value.tsx';

interface EventTraitsProps {
  brand: string;
  /** Position of the event in the ledger. */
  position: string;
  /** A value that changes when the event is derived. Before that, its traits are unknown. */
  verdict: string;
}

/** The traits that an event changed, before and after. */
export function EventTraits({ brand, position, verdict }: EventTraitsProps) {
  const { inspector: words } = useWords(integration);
  const traitName = useTraitName();
  const read = useQuery({
    queryKey: [brand, 'feed', 'traits', position, verdict],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/feed/{position}/traits', { params: { path: { brand, position } } }),
      ),
    // The traits before and after an event do not change later.
    refetchInterval: false,
  });
  return (
    <Card withBorder>
      <Title order={3} size="h4">
        {words.traits}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.traitsAbout}
      </Text>
      {read.isPending && <Loading />}
      {read.isLoadingError && <Failed error={read.error} onRetry={() => read.refetch()} />}
      {read.data?.why != null && <Text size="sm">{words.whyNoTraits[read.data.why]}</Text>}
      {read.data?.items?.length === 0 && <Text size="sm">{words.noTraits}</Text>}
      {read.data?.items != null && read.data.items.length > 0 && (
        <Rows
          items={read.data.items}
          scope="traits"
          keyOf={({ name }) => name}
          columns={[
            { title: words.trait, show: ({ name }) => <span title={name}>{traitName(name)}</span> },
            {
              title: words.before,
              align: 'right',
              isEvident: true,
              show: ({ before: value, unit }) => <TraitValue trait={{ value, unit }} />,
            },
            {
              title: words.after,
              align: 'right',
              isEvident: true,
              show: ({ after: value, unit }) => <TraitValue trait={{ value, unit }} />,
            },
          ]}
        />
      )}
    </Card>
  );
}
