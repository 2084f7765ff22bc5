import { Card, Group, Text } from '@mantine/core';
import type { SegmentShown } from '../../api/queries.ts';
import { useText } from '../../text/text.tsx';
import { NumberLink } from '../../ui/number-link.tsx';
import { To } from '../../ui/to.tsx';
import { RuleSentence } from '../rule/rule-sentence.tsx';
import { SegmentUses } from '../segment-uses.tsx';

interface SegmentSummaryProps {
  brand: string;
  code: string;
  segment: SegmentShown;
  /** False on the tab of the rule, which shows the sentence itself. */
  showsSentence: boolean;
}

/** The sentence of a segment, the number of its members, and where it is used. */
export function SegmentSummary({ brand, code, segment, showsSentence }: SegmentSummaryProps) {
  const { segments: words, common } = useText();
  const { rule, sentence, counting, members, protected: protectedCount, used_by, campaigns } = segment;
  return (
    <Card withBorder>
      {showsSentence && (
        <Text size="lg" mb="sm">
          <RuleSentence rule={rule} english={sentence} />
        </Text>
      )}
      <Group gap="xl">
        {counting ? (
          <Text>{words.counting}</Text>
        ) : (
          <Text className="figure">
            <b>
              <NumberLink of={members} to={`segments/${code}`} />
            </b>{' '}
            {common.membersOf(members)}
          </Text>
        )}
        {protectedCount > 0 && (
          <Text className="figure" c="dimmed">
            <NumberLink of={protectedCount} to={`segments/${code}`} search={{ protected: 'true' }} /> {words.protected}
          </Text>
        )}
        <Text c="dimmed">
          {words.usedBy}: <SegmentUses brand={brand} segments={used_by} campaigns={campaigns} />
        </Text>
        <To to="messages/bulk-actions" search={{ segment: code }}>
          {words.bulkActions}
        </To>
      </Group>
    </Card>
  );
}
