import { Button, Card, Radio, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';

const outcomes = {
  credited: { outcome: 'credited' },
  retry: { outcome: 'not_applied', next: 'retry' },
  giveUp: { outcome: 'not_applied', next: 'give_up' },
} as const;
type Choice = keyof typeof outcomes;

/** A form in which a person records what happened at the operator, and how they know. */
export function Resolution({ brand, intentId: intent_id }: { brand: string; intentId: string }) {
  const { intent: words } = useWords(rewards);
  const [chosen, setChosen] = useState<Choice | null>(null);
  const [note, setNote] = useState('');
  const resolve = useAct(
    (choice: Choice) =>
      api.POST('/api/console/v1/brands/{brand}/bonus-intents/{intent_id}/resolve', {
        params: { path: { brand, intent_id } },
        body: { ...outcomes[choice], note: note.trim() },
      }),
    { touches: [brand, 'intent', intent_id], done: words.resolved },
  );
  return (
    <Card withBorder>
      <LeaveGuard isChanged={(chosen !== null || note !== '') && !resolve.isSuccess} isSaving={resolve.isPending} />
      <Stack align="flex-start">
        <Radio.Group label={words.outcome} value={chosen} onChange={(value) => setChosen(value as Choice)}>
          <Stack gap="xs" mt="xs">
            {(Object.keys(outcomes) as Choice[]).map((choice) => (
              <Radio key={choice} value={choice} label={words[choice]} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label={words.note}
          value={note}
          w={480}
          maw="100%"
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <Button
          disabled={chosen === null || note.trim() === ''}
          loading={resolve.isPending}
          onClick={() => chosen !== null && resolve.mutate(chosen)}
        >
          {words.resolve}
        </Button>
      </Stack>
    </Card>
  );
}
