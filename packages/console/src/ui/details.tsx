import { Text } from '@mantine/core';
import { detailFields } from '../text/detail-fields.ts';
import { useLanguage, useText } from '../text/text.tsx';
import { useKnownCode } from '../text/use-code.ts';
import { detailLines, detailText } from './detail-lines.ts';
import { Moment } from './values.tsx';

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** The fields of a record in words, one line each; those of a change with the values before and after it. */
export function Details({ of }: { of: Readonly<Record<string, unknown>> }) {
  const { common } = useText();
  const { language } = useLanguage();
  const lines = detailLines(of);
  if (lines.length === 0) return <>{common.none}</>;
  const nameOf = (name: string) => detailFields[name]?.[language === 'de' ? 1 : 0] ?? name.replaceAll('_', ' ');
  return (
    <dl className="details">
      {lines.map(({ path, value, ...change }) => (
        <div key={path.join('.')}>
          <Text component="dt" size="xs" c="dimmed">
            {path.map(nameOf).join(' › ')}
          </Text>
          <Text component="dd" size="sm" className="timeline-line">
            {'before' in change && (
              <>
                <del>
                  <Value of={change.before} />
                </del>{' '}
                →{' '}
              </>
            )}
            <Value of={value} />
          </Text>
        </div>
      ))}
    </dl>
  );
}

function Value({ of }: { of: unknown }) {
  const { common } = useText();
  const known = useKnownCode();
  if (typeof of === 'string' && moment.test(of)) return <Moment at={of} />;
  return <>{detailText(of, { ...common, code: (text) => known(text) ?? text })}</>;
}
