/** The body of a call to a webhook or to the operator's channel. */
export function CallFrame({ address, body, isDark }: { address: string; body: string; isDark: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <pre className={`device device-desktop plain-part ${isDark ? 'device-dark' : ''}`} tabIndex={0}>
      {`POST ${address}\n\n${pretty(body)}`}
    </pre>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** An entry of a call list. */
export function EntryFrame({ list, note, isDark }: { list: string; note: string; isDark: boolean }) {
  return (
    <div className={`device device-desktop entry ${isDark ? 'device-dark' : ''}`}>
      <b>{list}</b>
      <p dir="auto">{note}</p>
    </div>
  );
}
