import { Card, Group, NumberInput, TextInput, Title } from '@mantine/core';
import { compliance } from '../../../text/compliance.ts';
import { useWords } from '../../../text/text.tsx';
import type { Draft, Rules } from './rules.ts';

interface HoldoutAndApprovalProps {
  holdout: NonNullable<Draft['holdout']>;
  approval: Rules['campaign_approval'];
  change(part: Pick<Draft, 'holdout' | 'campaign_approval'>): void;
}

/** The share of players in the control group, and the size from which a campaign has to be approved. */
export function HoldoutAndApproval({ holdout, approval, change }: HoldoutAndApprovalProps) {
  const { rules: words } = useWords(compliance);
  return (
    <Card withBorder>
      <Group align="flex-end">
        <NumberInput
          label={words.holdout}
          min={0}
          max={100}
          value={holdout.percent}
          onChange={(percent) => change({ holdout: { percent } })}
        />
      </Group>
      <Title order={3} size="h4" mt="md">
        {words.approval}
      </Title>
      <Group align="flex-end">
        <NumberInput
          label={words.approvalPlayers}
          min={0}
          placeholder={words.never}
          value={approval.players || ''}
          onChange={(value) => change({ campaign_approval: { ...approval, players: Number(value) } })}
        />
        <TextInput
          label={words.approvalMoney}
          placeholder={words.never}
          value={approval.money}
          onChange={({ currentTarget }) => change({ campaign_approval: { ...approval, money: currentTarget.value } })}
        />
      </Group>
    </Card>
  );
}
