import { lineDifference } from './line-difference.ts';

/** Two texts line by line, with what only one of them has; closed until it is opened. */
export function LineDifference({ summary, former, latter }: { summary: string; former: string; latter: string }) {
  return (
    <details>
      <summary>{summary}</summary>
      {/* Lines that scroll sideways can be scrolled by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className="difference" tabIndex={0}>
        {lineDifference(former, latter).map(({ sign, line }, index) => {
          const tag = { '+': 'ins', '-': 'del', ' ': 'span' } as const;
          const Line = tag[sign];
          // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and their order is what they are
          return <Line key={index}>{`${sign} ${line}\n`}</Line>;
        })}
      </pre>
    </details>
  );
}
