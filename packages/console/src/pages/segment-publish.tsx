import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { Sure, useAct } from '../ui/act.tsx';
import { Failed } from '../ui/states.tsx';
import { useNumber } from '../ui/values.tsx';

interface Difference {
  enters: number;
  leaves: number;
  stays: number;
}

/** @param version undefined if there is no draft, or if it is being edited */
export function useDraftDifference(
  brand: string,
  code: string,
  version: number | undefined,
): UseQueryResult<Difference> {
  return useQuery({
    // The key is not below that of the segment's queries. Otherwise the query would run again after the publication,
    // and ask about a draft that no longer exists.
    queryKey: [brand, 'segment-difference', code, version],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/segments/{code}/draft/difference', {
          params: { path: { brand, code } },
        }),
      ),
    enabled: version !== undefined,
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
  const number = useNumber();
  const [startsCampaigns, setStartsCampaigns] = useState(false);
  const publish = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/segments/{code}/publish', {
        params: { path: { brand, code }, query: { revision, starts_campaigns: startsCampaigns } },
      }),
    { touches: [brand, 'segment', code], onDone: () => setStartsCampaigns(false) },
  );
  const { data } = difference;
  const button = { loading: publish.isPending, disabled: isDisabled };
  return (
    <Group>
      {startsCampaigns ? (
        <Sure
          {...button}
          disabled={isDisabled || data === undefined}
          variant="filled"
          color="red"
          label={words.publish}
          text={data === undefined ? '' : words.startsCampaignsSure(number(data.enters), number(data.leaves))}
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

/** Shows how many players would enter, leave and stay if the draft were published now. */
export function DraftDifference({ difference }: { difference: UseQueryResult<Difference> }) {
  const { segments: words } = useText();
  const number = useNumber();
  if (difference.isLoadingError) return <Failed error={difference.error} onRetry={() => difference.refetch()} />;
  const { data } = difference;
  return (
    <Alert title={words.difference}>
      <Text className="figure">
        {words.enter}: {data ? number(data.enters) : '…'} · {words.leave}: {data ? number(data.leaves) : '…'} ·{' '}
        {words.stay}: {data ? number(data.stays) : '…'}
      </Text>
    </Alert>
  );
}
