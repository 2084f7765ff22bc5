import { Group, Stack, Text } from '@mantine/core';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';
import type { ShownMessage } from './frame.tsx';

interface SmsFrameProps {
  shown: ShownMessage;
  sender: string;
  isDark: boolean;
}

/** Maximum number of characters that are listed. A text in another script can have many. */
const mostNamed = 12;

/** Shows an SMS on a phone. If the parts are counted, shows their number, which determines the price. */
export function SmsFrame({ shown, sender, isDark }: SmsFrameProps) {
  const { preview } = useWords(messages);
  const number = useNumber();
  const { parts = 0, units, encoding = 'gsm7', beyond_gsm: beyond = [] } = shown;
  const named = [...beyond.slice(0, mostNamed), ...(beyond.length > mostNamed ? ['…'] : [])].join(' ');
  return (
    <Stack gap="xs">
      <div className={`device device-phone sms-ground ${isDark ? 'device-dark' : ''}`}>
        <div className="sms-sender">{sender}</div>
        <div className="sms-bubble" dir="auto">
          {String(shown.content.text ?? '')}
        </div>
      </div>
      {units !== undefined && (
        <Group gap="xs" justify="center">
          <Text size="sm" fw={600}>
            {preview.parts(parts)}
          </Text>
          <Text size="sm" c="dimmed">
            {preview.units(number(units), encoding === 'gsm7' ? 'GSM-7' : 'UCS-2')}
          </Text>
        </Group>
      )}
      {encoding === 'ucs2' && (
        <Text size="xs" c="dimmed" ta="center">
          {preview.ucs2(named)}
        </Text>
      )}
    </Stack>
  );
}
