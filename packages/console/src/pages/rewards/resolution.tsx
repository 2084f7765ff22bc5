import { Alert, Button, Card, CopyButton, Group, Radio, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useAct } from '../../ui/act.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { CreatedBy } from './created-by.tsx';
import { isOpenQuestion, type StateChange, settlingChange } from './settling-change.ts';

const outcomes = {
  credited: { outcome: 'credited' },
  retry: { outcome: 'not_applied', next: 'retry' },
  giveUp: { outcome: 'not_applied', next: 'give_up' },
} as const;
type Choice = keyof typeof outcomes;

interface ResolutionProps {
  brand: string;
  intent: { intent_id: string; state: string };
  /** The oldest first. */
  changes: readonly StateChange[];
}

/**
 * A form in which a person records what happened at the operator, and how they know. It is shown while the outcome is unknown. If
 * the outcome is settled in another way meanwhile, a note that was typed stays until the person dismisses it.
 */
export function Resolution({ brand, intent: { intent_id, state }, changes }: ResolutionProps) {
  const { intent: words } = useWords(rewards);
  const [chosen, setChosen] = useState<Choice | null>(null);
  const [note, setNote] = useState('');
  const clear = () => {
    setChosen(null);
    setNote('');
  };
  const resolve = useAct(
    (choice: Choice) =>
      api.POST('/api/console/v1/brands/{brand}/bonus-intents/{intent_id}/resolve', {
        params: { path: { brand, intent_id } },
        body: { ...outcomes[choice], note: note.trim() },
      }),
    { touches: [brand, 'intent', intent_id], done: words.resolved },
  );
  // While the form is being saved, the page may already show its effect.
  const isSettled = !isOpenQuestion(state) && !resolve.isPending;
  if (isSettled && note.trim() === '') return null;
  return (
    <Card withBorder>
      <LeaveGuard isChanged={chosen !== null || note !== ''} isSaving={resolve.isPending} />
      <Stack align="flex-start">
        {isSettled ? (
          <Settled by={settlingChange(changes)} />
        ) : (
          <Radio.Group label={words.outcome} value={chosen} onChange={(value) => setChosen(value as Choice)}>
            <Stack gap="xs" mt="xs">
              {(Object.keys(outcomes) as Choice[]).map((choice) => (
                <Radio key={choice} value={choice} label={words[choice]} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <Textarea
          label={isSettled ? words.ownNote : words.note}
          value={note}
          readOnly={isSettled}
          w={480}
          maw="100%"
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {isSettled ? (
          <Group>
            <CopyButton value={note}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? words.copied : words.copy}
                </Button>
              )}
            </CopyButton>
            <Button variant="default" onClick={clear}>
              {words.dismiss}
            </Button>
          </Group>
        ) : (
          <Button
            disabled={chosen === null || note.trim() === ''}
            loading={resolve.isPending}
            onClick={() => chosen !== null && resolve.mutate(chosen, { onSuccess: clear })}
          >
            {words.resolve}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

/** Says who or what settled the outcome while the person typed. */
function Settled({ by }: { by: StateChange | undefined }) {
  const { intent: words } = useWords(rewards);
  const nameOf = useCode();
  return (
    <Alert color="yellow" role="alert" title={words.settled}>
      {by !== undefined && (
        <>
          {words.settledBy} {by.actor === null ? nameOf(by.event) : <CreatedBy of={by.actor} />} ({nameOf(by.state)}
          ).{' '}
        </>
      )}
      {words.noteNotNeeded}
    </Alert>
  );
}
