import { Alert, Button, Code, Loader, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Fields } from '../../ui/fields.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';

interface Verified {
  seals: number;
  decisions: number;
  head: { seal_no: number; hash: string } | null;
  finding: { kind: string; message: string } | null;
}

/** Verifies the whole chain, part by part, as far as it goes or to the first finding. */
async function verify(brand: string): Promise<Verified> {
  const sum: Verified = { seals: 0, decisions: 0, head: null, finding: null };
  let body: { after?: { seal_no: number; hash: string }; searched_to?: number } = {};
  for (;;) {
    const part = await bodyOf(
      api.POST('/api/console/v1/brands/{brand}/decisions/verification', { params: { path: { brand } }, body }),
    );
    sum.seals += part.seals;
    sum.decisions += part.decisions;
    sum.head = part.head ?? sum.head;
    sum.finding = part.finding;
    if (part.complete || part.finding !== null) return sum;
    body = {
      ...(part.head !== null && { after: part.head }),
      ...(part.searched_to !== null && { searched_to: part.searched_to }),
    };
  }
}

/** Proof that the decisions are those that were made. */
export function Chain() {
  const brand = useBrand();
  const { chain: words } = useWords(compliance);
  const nameOf = useCode();
  const title = useWords(places).pages.chain;
  const number = useNumber();
  const may = useMay()('decision.export');
  const verification = useMutation({ mutationFn: () => verify(brand) });
  const found = verification.data;
  return (
    <Page
      title={title}
      about={words.about}
      actions={
        <Button disabled={!may} loading={verification.isPending} onClick={() => verification.mutate()}>
          {words.verify}
        </Button>
      }
    >
      {verification.isIdle && <Empty>{words.begin}</Empty>}
      {verification.isPending && (
        <Text role="status">
          <Loader size="xs" /> {words.verifying}
        </Text>
      )}
      {verification.isError && <Failed error={verification.error} onRetry={() => verification.mutate()} />}
      {found !== undefined && (
        <Stack>
          {found.finding === null ? (
            <Alert color="green">{words.intact}</Alert>
          ) : (
            <Alert color="red" title={`${words.broken}: ${nameOf(found.finding.kind)}`}>
              {found.finding.message}
            </Alert>
          )}
          <Fields
            of={[
              [words.seals, number(found.seals)],
              [words.decisions, number(found.decisions)],
              [
                words.head,
                found.head === null ? '–' : <Code key="head">{`${found.head.seal_no} ${found.head.hash}`}</Code>,
              ],
            ]}
          />
          <Text size="sm">{words.headAbout}</Text>
        </Stack>
      )}
    </Page>
  );
}
