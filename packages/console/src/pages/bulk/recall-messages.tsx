import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { bulk } from '../../text/bulk.ts';
import { useText, useWords } from '../../text/text.tsx';
import { DialogEnd } from '../../ui/dialog-end.tsx';
import { Fields } from '../../ui/fields.tsx';
import { useBrand } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { State, useNumber } from '../../ui/values.tsx';

type Continues = 'campaign' | 'bulk action';

interface RecallMessagesProps {
  /** The campaign of the messages. If it is omitted, the person enters it. */
  campaignId?: string;
  /** What continues to send, if anything does. */
  continues?: Continues | undefined;
}

/** A button with a dialog that recalls all messages of a campaign. The dialog first shows how many there are. */
export function RecallMessages({ campaignId, continues }: RecallMessagesProps) {
  const { recall: words } = useWords(bulk);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={open}>
        {words.open}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.open}>
        <RecallForm campaignId={campaignId} continues={continues} onClose={close} />
      </Modal>
    </>
  );
}

interface RecallFormProps {
  campaignId: string | undefined;
  continues: Continues | undefined;
  onClose(): void;
}

function RecallForm({ campaignId, continues, onClose }: RecallFormProps) {
  const brand = useBrand();
  const { recall: words } = useWords(bulk);
  const number = useNumber();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const campaign_id = (campaignId ?? typed).trim();
  const path = { brand };
  const affected = useQuery({
    queryKey: [brand, 'recall-affected', campaign_id],
    enabled: campaign_id !== '',
    // The person decides by this number, so it is read each time.
    gcTime: 0,
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/message-recalls/affected', {
          params: { path, query: { campaign_id } },
        }),
      ),
  });
  const recall = useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/api/console/v1/brands/{brand}/message-recalls', { params: { path }, body: { campaign_id } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [brand, 'recalls'] }),
  });
  if (recall.isSuccess) return <Recalled id={recall.data.recall_id} onClose={onClose} />;
  const { live = 0, read = 0, held = 0 } = affected.data ?? {};
  const count = live + held;
  return (
    <Stack>
      <Text size="sm">{words.about}</Text>
      {campaignId === undefined && (
        <TextInput
          label={words.campaign}
          description={words.campaignHint}
          required
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {continues !== undefined && (
        <Alert color="yellow">{continues === 'campaign' ? words.stillRuns : words.stillSends}</Alert>
      )}
      {affected.isLoadingError && <Failed error={affected.error} onRetry={() => affected.refetch()} />}
      {affected.isLoading && <Loading />}
      {affected.data !== undefined && (
        <Stack gap={4} role="status">
          {count === 0 ? (
            <Text size="sm">{words.nothing}</Text>
          ) : (
            <>
              <Text size="sm" fw={600}>
                {words.affected(number(live), number(read))}
              </Text>
              {held > 0 && <Text size="sm">{words.held(number(held))}</Text>}
              <Text size="sm">{words.sure}</Text>
            </>
          )}
        </Stack>
      )}
      <DialogEnd error={recall.error} isBusy={recall.isPending} onClose={onClose}>
        <Button color="red" loading={recall.isPending} disabled={count === 0} onClick={() => recall.mutate()}>
          {words.do(number(count), count === 1)}
        </Button>
      </DialogEnd>
    </Stack>
  );
}

/** The progress of a recall. It continues after the dialog was closed. */
function Recalled({ id: recall_id, onClose }: { id: number; onClose(): void }) {
  const brand = useBrand();
  const { recall: words } = useWords(bulk);
  const { common } = useText();
  const number = useNumber();
  const recall = useQuery({
    queryKey: [brand, 'recalls', recall_id],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/message-recalls/{recall_id}', {
          params: { path: { brand, recall_id } },
        }),
      ),
    refetchInterval: (query) => (query.state.data?.state === 'done' ? false : every(1_000)(query)),
  });
  if (recall.isPending) return <Loading />;
  if (recall.isLoadingError) return <Failed error={recall.error} onRetry={() => recall.refetch()} />;
  const { state, withdrawn, dropped } = recall.data;
  return (
    <Stack role="status">
      <Text size="sm">{state === 'done' ? words.done : words.running}</Text>
      <Fields
        of={[
          [common.state, <State key="state" of={state} />],
          [words.withdrawn, number(withdrawn)],
          [words.dropped, number(dropped)],
        ]}
      />
      <Group justify="space-between">
        <To to="messages/recalls">{words.all}</To>
        <Button onClick={onClose}>{common.close}</Button>
      </Group>
    </Stack>
  );
}
