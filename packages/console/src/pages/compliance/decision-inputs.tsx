import { compliance } from '../../text/compliance.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Rows } from '../../ui/list.tsx';
import { Moment, Named } from '../../ui/values.tsx';

interface Inputs {
  said: readonly {
    about: string;
    input: string;
    value: boolean | null;
    counts: boolean;
    source: string | null;
    as_of: string | null;
  }[];
  freshness: readonly { look_up: string; as_of: string | null; lack: string | null }[];
}

/** The inputs of a decision: each fact with its source, time and age. */
export function DecisionInputs({ inputs }: { inputs: Inputs }) {
  const { decisions: words } = useWords(compliance);
  const nameOf = useCode();
  const said = (value: boolean | null) => (value === null ? words.unknown : words[value ? 'yes' : 'no']);
  return (
    <>
      <Rows
        items={inputs.said}
        keyOf={({ about, input, source }) => `${about} ${input} ${source}`}
        columns={[
          { title: words.input, show: ({ about, input }) => `${nameOf(about)}: ${nameOf(input)}` },
          { title: words.said, show: ({ value }) => said(value) },
          { title: words.counts, show: ({ counts }) => words[counts ? 'yes' : 'no'] },
          { title: words.source, show: ({ source }) => <Named of={source} /> },
          { title: words.asOf, show: ({ as_of }) => <Moment at={as_of} /> },
        ]}
      />
      <Rows
        items={inputs.freshness}
        keyOf={({ look_up }) => look_up}
        columns={[
          { title: words.lookUp, show: ({ look_up }) => <Named of={look_up} /> },
          { title: words.asOf, show: ({ as_of }) => <Moment at={as_of} /> },
          { title: words.lack, show: ({ lack }) => <Named of={lack} /> },
        ]}
      />
    </>
  );
}
