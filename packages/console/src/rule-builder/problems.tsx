import { Text } from '@mantine/core';
import { useBuilding } from './builder-context.ts';

/** Shows the platform's errors at some paths of the rule. */
export function Problems({ at }: { at: readonly string[] }) {
  const { errors } = useBuilding();
  return errors
    .filter(({ path }) => at.includes(path))
    .map(({ path, message }) => (
      <Text key={`${path} ${message}`} size="sm" className="rule-problem" role="alert">
        {message}
      </Text>
    ));
}
