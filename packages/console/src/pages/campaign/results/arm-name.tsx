import { Badge, Group, Text } from '@mantine/core';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';
import type { ArmShown } from './queries.ts';

/** The name of an arm, its share of the players, and whether it is the control arm. */
export function ArmName({ arm: { name, share, control } }: { arm: ArmShown }) {
  const words = useWords(campaignPage);
  const number = useNumber();
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" fw={600}>
        {name}
      </Text>
      {share !== null && (
        <Text size="sm" c="dimmed" className="nowrap">
          {words.shareOf(number(share))}
        </Text>
      )}
      {control && (
        <Badge size="sm" variant="default" tt="none" style={{ minWidth: 'max-content' }}>
          {words.control}
        </Badge>
      )}
    </Group>
  );
}
