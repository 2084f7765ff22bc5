import { Card, Group, NumberInput, Text, TextInput, Title } from '@mantine/core';
import { compliance } from '../../../text/compliance.ts';
import { useWords } from '../../../text/text.tsx';
import type { Rules } from './rules.ts';

interface ApprovalProps {
  approval: Rules['campaign_approval'];
  onChange(approval: Rules['campaign_approval']): void;
}

/** The size above which a second person must approve a campaign. */
export function Approval({ approval, onChange }: ApprovalProps) {
  const { rules: words } = useWords(compliance);
  return (
    <Card withBorder>
      <Title order={3} size="h4">
        {words.approval}
      </Title>
      <Text size="sm" mb="xs">
        {words.approvalAbout}
      </Text>
      <Group align="flex-end">
        <NumberInput
          label={words.approvalPlayers}
          min={0}
          placeholder={words.noLimit}
          value={approval.players || ''}
          onChange={(value) => onChange({ ...approval, players: Number(value) })}
        />
        <TextInput
          label={words.approvalMoney}
          placeholder={words.noLimit}
          value={approval.money}
          onChange={({ currentTarget }) => onChange({ ...approval, money: currentTarget.value })}
        />
      </Group>
    </Card>
  );
}
