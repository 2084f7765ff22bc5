import { Button, Card, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { IfMay } from '../../ui/may.tsx';
import { Failed } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';
import { SomePlayers } from '../some-players.tsx';

const changes = ['enters', 'leaves', 'stays'] as const;
type Changes<Value> = Record<(typeof changes)[number], Value>;

interface Difference extends Changes<number> {
  /** The revision of the segment that was compared. */
  revision: string;
  /** False if the numbers are estimated from a sample. */
  exact: boolean;
  /** A few players of each. */
  samples: Changes<string[]>;
}

/** Milliseconds until the draft is compared again, if the answer is about another revision than the page shows. */
const againMs = 2_000;

/**
 * Compares the draft with the members. A save changes the draft, but not its version, so the revision identifies what was compared.
 *
 * @param revision undefined if there is no draft, or if it is being edited
 */
export function useDraftDifference(
  brand: string,
  code: string,
  revision: string | undefined,
): UseQueryResult<Difference> {
  return useQuery({
    // The key is not below that of the segment's queries. Otherwise the query would run again after the publication,
    // and ask about a draft that no longer exists.
    queryKey: [brand, 'segment-difference', code, revision],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/segments/{code}/draft/difference', {
          params: { path: { brand, code } },
        }),
      ),
    enabled: revision !== undefined,
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.revision !== revision ? againMs : false),
  });
}

interface PublishSegmentProps {
  brand: string;
  code: string;
  /** Publishing is refused if another person has changed the segment since this revision. */
  revision: string;
  isDisabled: boolean;
  difference: UseQueryResult<Difference>;
}

/**
 * Publishes the draft. If campaigns should start for the players who enter or leave, it first asks for confirmation,
 * and shows the number of players.
 */
export function PublishSegment({ brand, code, revision, isDisabled, difference }: PublishSegmentProps) {
  const { segments: words } = useText();
  const [startsCampaigns, setStartsCampaigns] = useState(false);
  const data = ofRevision(difference.data, revision);
  const publish = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/segments/{code}/publish', {
        params: { path: { brand, code }, query: { revision, starts_campaigns: startsCampaigns } },
      }),
    { touches: [brand, 'segment', code], onDone: () => setStartsCampaigns(false) },
  );
  const figure = useFigure(data);
  const button = { loading: publish.isPending, disabled: isDisabled };
  return (
    <Group>
      {startsCampaigns ? (
        <Sure
          // Another revision closes the dialog, because its numbers were about the former one.
          key={revision}
          {...button}
          disabled={isDisabled || data === undefined}
          variant="filled"
          color="red"
          label={words.publish}
          text={data === undefined ? '' : words.startsCampaignsSure(figure('enters'), figure('leaves'))}
          onSure={() => publish.mutate()}
        />
      ) : (
        <Button {...button} onClick={() => publish.mutate()}>
          {words.publish}
        </Button>
      )}
      <Checkbox
        label={words.startsCampaigns}
        description={words.startsCampaignsAbout}
        disabled={isDisabled}
        checked={startsCampaigns}
        onChange={({ currentTarget }) => setStartsCampaigns(currentTarget.checked)}
      />
    </Group>
  );
}

interface DraftDifferenceProps {
  brand: string;
  code: string;
  /** The revision that the page shows. */
  revision: string;
  difference: UseQueryResult<Difference>;
}

/** Shows how many players would enter, leave and stay if the draft were published now, and some of them. */
export function DraftDifference({ brand, code, revision, difference }: DraftDifferenceProps) {
  const { segments: words } = useText();
  const data = ofRevision(difference.data, revision);
  const figure = useFigure(data);
  if (difference.isLoadingError) return <Failed error={difference.error} onRetry={() => difference.refetch()} />;
  const labels = { enters: words.enter, leaves: words.leave, stays: words.stay };
  return (
    <Card withBorder aria-live="polite">
      <Stack gap="xs" align="flex-start">
        <Text fw={600}>{words.difference}</Text>
        {changes.map((change) => (
          <div key={change}>
            <Text className="figure">
              {labels[change]}: <b>{figure(change)}</b>
            </Text>
            {data && <SomePlayers brand={brand} userIds={data.samples[change]} count={data[change]} />}
          </div>
        ))}
        {data !== undefined && data.enters + data.leaves > 0 && (
          <IfMay permission="list.export">
            <Button
              component="a"
              size="xs"
              variant="default"
              href={`/api/console/v1/brands/${brand}/segments/${code}/draft/difference.csv`}
            >
              {words.exportDifference}
            </Button>
          </IfMay>
        )}
      </Stack>
    </Card>
  );
}

/** The comparison, unless it is of another revision than the page shows. */
function ofRevision(data: Difference | undefined, revision: string): Difference | undefined {
  return data?.revision === revision ? data : undefined;
}

function useFigure(data: Difference | undefined): (change: (typeof changes)[number]) => string {
  const number = useNumber();
  return (change) => (data === undefined ? '…' : `${data.exact ? '' : '≈ '}${number(data[change])}`);
}
