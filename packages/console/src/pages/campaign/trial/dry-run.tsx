import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { DurationInput } from '../../../rule-builder/index.ts';
import { campaignTrial } from '../../../text/campaign-trial.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Rows } from '../../../ui/list.tsx';
import { Failed } from '../../../ui/states.tsx';
import { State } from '../../../ui/values.tsx';
import { PlayerLink } from '../../player-link.tsx';
import { useEditing } from '../draft/editing.ts';
import { millisecondsOf } from './length-between.ts';
import { Timeline } from './timeline.tsx';

interface DryRunProps {
  code: string;
  /** Revision of the stored draft. A dry run of an earlier draft is not shown. */
  revision: string;
  isChanged: boolean;
}

/** Shows what would happen to real players if they entered now. */
export function DryRun({ code, revision, isChanged }: DryRunProps) {
  const words = useWords(campaignTrial);
  const { common } = useText();
  const codeName = useCode();
  const { brand, draft } = useEditing();
  const [user_id, setUserId] = useState('');
  const [length, setLength] = useState('P30D');
  const [shown, setShown] = useState<string>();
  const tried = useMutation({
    mutationFn: ({ whom }: { whom: { user_id: string } | { players: number; after?: string }; revision: string }) => {
      const until = new Date(Date.now() + millisecondsOf(length)).toISOString();
      return bodyOf(
        api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/dry-run', {
          params: { path: { brand, code } },
          body: { ...whom, until },
        }),
      );
    },
    onSuccess: ({ items }) => setShown(items.find(({ enters }) => enters)?.user_id),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tried.mutate({ whom: { user_id }, revision });
  };
  const result = tried.variables?.revision === revision ? tried.data : undefined;
  const next = result?.next ?? undefined;
  const player = result?.items.find((one) => one.user_id === shown);
  return (
    <Stack>
      {isChanged && <Alert color="yellow">{words.takesSaved}</Alert>}
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            name="user_id"
            label={words.userId}
            value={user_id}
            onChange={({ currentTarget }) => setUserId(currentTarget.value)}
          />
          <Group gap="xs" align="flex-end">
            <DurationInput label={words.dryUntil} size="sm" units="HDW" value={length} onChange={setLength} />
          </Group>
          <Button type="submit" disabled={user_id === ''} loading={tried.isPending}>
            {words.tryOne}
          </Button>
          <Button
            variant="default"
            loading={tried.isPending}
            onClick={() => tried.mutate({ whom: { players: 5, ...(next !== undefined && { after: next }) }, revision })}
          >
            {words.tryNext}
          </Button>
        </Group>
      </form>
      {tried.isError && <Failed error={tried.error} />}
      {result?.items.length === 0 && <Text size="sm">{words.noPlayers}</Text>}
      {result !== undefined && result.items.length > 0 && (
        <Rows
          items={result.items}
          keyOf={(one) => one.user_id}
          columns={[
            { title: common.player, show: (one) => <PlayerLink brand={brand} userId={one.user_id} /> },
            {
              title: common.state,
              show: ({ enters }) => (
                <State of={enters ? 'allowed' : 'withheld'} label={enters ? words.enters : words.staysOut} />
              ),
            },
            {
              title: common.reason,
              show: ({ reason, has_cause }) =>
                reason === null ? (has_cause ? common.none : words.noCause) : codeName(reason),
            },
            {
              title: words.timeline,
              show: (one) =>
                one.timeline.length > 0 && (
                  <Button
                    size="compact-sm"
                    variant={one.user_id === shown ? 'light' : 'default'}
                    aria-label={`${words.show}: ${one.user_id}`}
                    onClick={() => setShown(one.user_id)}
                  >
                    {words.show}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {player !== undefined && player.timeline.length > 0 && (
        <Timeline key={`${player.user_id} ${tried.submittedAt}`} rows={player.timeline} document={draft} />
      )}
    </Stack>
  );
}
