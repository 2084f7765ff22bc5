import { lineDifference } from './line-difference.ts';

/** Shows two texts line by line, with their differences marked. It is collapsed at first. */
export function LineDifference({ summary, former, latter }: { summary: string; former: string; latter: string }) {
  return (
    <details>
      <summary>{summary}</summary>
      {/* Makes lines that scroll sideways reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <pre className="difference" tabIndex={0}>
        {lineDifference(former, latter).map(({ sign, line }, index) => {
          const tag = { '+': 'ins', '-': 'del', ' ': 'span' } as const;
          const Line = tag[sign];
          // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, so only their place identifies them
          return <Line key={index}>{`${sign} ${line}\n`}</Line>;
        })}
      </pre>
    </details>
  );
}
