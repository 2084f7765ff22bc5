import { Button, Group, Text, Title } from '@mantine/core';
import type { SegmentShown } from '../../api/queries.ts';
import { useText } from '../../text/text.tsx';
import { IfMay } from '../../ui/may.tsx';
import { State } from '../../ui/values.tsx';
import { OrderMessage } from '../bulk/order-message.tsx';
import { OrderOffer } from '../bulk/order-offer.tsx';
import { SegmentMenu } from './menu.tsx';
import { PauseSegment } from './pause.tsx';

interface SegmentHeaderProps {
  brand: string;
  code: string;
  segment: SegmentShown;
}

/** The name and state of a segment, and its actions. */
export function SegmentHeader({ brand, code, segment }: SegmentHeaderProps) {
  const { segments: words, common } = useText();
  const { name, state, version, counting, members, computed_at } = segment;
  return (
    <Group justify="space-between">
      <Group>
        <Title order={2}>{name}</Title>
        <State of={state} />
        <Text c="dimmed" size="sm">
          {common.version} {version}
        </Text>
      </Group>
      <Group>
        <IfMay permission="message.send">
          <OrderMessage brand={brand} segment={{ code, name, members }} />
        </IfMay>
        <IfMay permission="bonus.credit">
          <OrderOffer brand={brand} segment={{ code, name, members }} />
        </IfMay>
        <IfMay permission="segment.manage">
          <PauseSegment brand={brand} code={code} state={state} />
        </IfMay>
        <IfMay permission="list.export">
          {computed_at !== null && !counting && (
            <Button
              component="a"
              variant="default"
              href={`/api/console/v1/brands/${brand}/segments/${code}/members.csv`}
            >
              {words.exportCsv}
            </Button>
          )}
        </IfMay>
        <IfMay permission="segment.manage">
          <SegmentMenu brand={brand} code={code} segment={segment} />
        </IfMay>
      </Group>
    </Group>
  );
}
