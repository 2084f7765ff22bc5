import { Card, Text, Title } from '@mantine/core';
import { compliance } from '../../../text/compliance.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Rows } from '../../../ui/list.tsx';
import { To } from '../../../ui/to.tsx';
import type { Rules } from './rules.ts';

/** The consents that marketing for products needs, in markets whose policy requires them. They cannot be changed here. */
export function ProductConsents({ consents }: { consents: Rules['product_consents'] }) {
  const { rules: words } = useWords(compliance);
  const nameOf = useCode();
  return (
    <Card withBorder>
      <Title order={3} size="h4">
        {words.policies}
      </Title>
      <Text size="sm">
        {words.policiesAbout}{' '}
        <To to="compliance/policies" isSentence>
          {words.toPolicies}
        </To>
      </Text>
      {consents.length === 0 ? (
        <Text size="sm">{words.noPolicies}</Text>
      ) : (
        <Rows
          items={consents}
          keyOf={({ product, channel }) => `${product} ${channel}`}
          columns={[
            { title: words.product, show: ({ product }) => nameOf(product) },
            { title: words.ofChannel, show: ({ channel }) => nameOf(channel) },
            { title: words.consent, show: ({ consent }) => consent },
          ]}
        />
      )}
    </Card>
  );
}
