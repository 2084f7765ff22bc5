import { Text } from '@mantine/core';
import { compliance } from '../../text/compliance.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useNumber } from '../../ui/values.tsx';

/**
 * Shows the time from the receipt of an exclusion or withdrawal to the last possible contact, and the time that the
 * market allows.
 */
export function SuppressionTime({ ms, allowed }: { ms: number | null; allowed: string | null }) {
  const { exclusions: words } = useWords(compliance);
  const { common } = useText();
  const number = useNumber();
  if (ms === null) return <>{common.none}</>;
  const days = allowed === null ? undefined : /^P(\d+)D$/.exec(allowed)?.[1];
  return (
    <Text size="sm">
      {words.seconds(number(Math.round(ms / 100) / 10))}
      {days !== undefined && ` (${words.allowed(days)})`}
    </Text>
  );
}
