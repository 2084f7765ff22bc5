/** What a call of a webhook or of the operator's channel carries. */
export function CallFrame({ address, body, isDark }: { address: string; body: string; isDark: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
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

/** A row of the list that people work through. */
export function EntryFrame({ list, note, isDark }: { list: string; note: string; isDark: boolean }) {
  return (
    <div className={`device device-desktop entry ${isDark ? 'device-dark' : ''}`}>
      <b>{list}</b>
      <p dir="auto">{note}</p>
    </div>
  );
}
