import { Alert, Button, Code, Loader, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { chains } from '../text/chains.ts';
import { useWords } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { Fields } from './fields.tsx';
import { Empty, Failed } from './states.tsx';
import { useNumber } from './values.tsx';

export interface Verified {
  seals: number;
  /** Number of decisions or entries that the seals cover. */
  rows: number;
  head: { seal_no: number; hash: string } | null;
  finding: { kind: string; message: string } | null;
}

interface Part extends Verified {
  complete: boolean;
  searched_to: number | null;
}

export interface Continuation {
  after?: { seal_no: number; hash: string };
  searched_to?: number;
}

/**
 * Verifies a chain part by part, to its end or to the first problem found. @param verifyPart one call of the console
 * API
 */
async function verifyAll(verifyPart: (body: Continuation) => Promise<Part>): Promise<Verified> {
  const sum: Verified = { seals: 0, rows: 0, head: null, finding: null };
  let body: Continuation = {};
  for (;;) {
    const part = await verifyPart(body);
    sum.seals += part.seals;
    sum.rows += part.rows;
    sum.head = part.head ?? sum.head;
    sum.finding = part.finding;
    if (part.complete || part.finding !== null) return sum;
    body = {
      ...(part.head !== null && { after: part.head }),
      ...(part.searched_to !== null && { searched_to: part.searched_to }),
    };
  }
}

interface VerificationProps {
  verifyPart(body: Continuation): Promise<Part>;
  /** What the seals cover, such as "Decisions". */
  rows: string;
  disabled?: boolean;
}

/** A button that verifies a chain of seals, and the result of the verification. */
export function Verification({ verifyPart, rows, disabled = false }: VerificationProps) {
  const words = useWords(chains);
  const number = useNumber();
  const nameOf = useCode();
  const verification = useMutation({ mutationFn: () => verifyAll(verifyPart) });
  const found = verification.data;
  return (
    <Stack align="stretch">
      <Button
        style={{ alignSelf: 'flex-start' }}
        disabled={disabled}
        loading={verification.isPending}
        onClick={() => verification.mutate()}
      >
        {words.verify}
      </Button>
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
              [rows, number(found.rows)],
              [
                words.head,
                found.head === null ? '–' : <Code key="head">{`${found.head.seal_no} ${found.head.hash}`}</Code>,
              ],
            ]}
          />
          <Text size="sm">{words.headAbout}</Text>
        </Stack>
      )}
    </Stack>
  );
}
