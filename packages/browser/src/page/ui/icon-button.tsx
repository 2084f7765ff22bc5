import type { View } from './view.ts';

interface Props {
  name: keyof typeof paths;
  view: View;
  /** Id of the element that the button belongs to, if there are several such buttons. */
  of?: string;
  /** True if the button does nothing now. It keeps the focus. */
  isOff?: boolean;
  onPress(): void;
}

export function IconButton({ name, view, of, isOff, onPress }: Props) {
  return (
    <button
      type="button"
      class={`crm-icon-button crm-${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`}
      aria-label={view.text(name)}
      title={view.text(name)}
      aria-describedby={of}
      aria-disabled={isOff && 'true'}
      onclick={onPress}
    >
      {icon(paths[name])}
    </button>
  );
}

export function CloseButton({ view, onPress }: Omit<Props, 'name'>) {
  return <IconButton name="close" view={view} onPress={onPress} />;
}

/** Our logo. It is also the picture of the empty inbox. */
export function Mark() {
  return <span class="crm-mark">{icon('M4 6h16v12H4zm0 1l8 6 8-6')}</span>;
}

const paths = {
  close: 'M6 6l12 12M18 6L6 18',
  // The style sheet mirrors these three icons for right-to-left text.
  back: 'M19 12H5m6-6l-6 6 6 6',
  previous: 'M14 6l-6 6 6 6',
  next: 'M10 6l6 6-6 6',
  markAllRead: 'M2 13l4 4L15 7m-4 10l1 1L22 7',
  delete: 'M4 7h16M6 7l1 13h10l1-13M9 7V4h6v3',
};

/**
 * The icons are inlined, so that nothing is requested. They are 24 units wide. Strokes have the color of the
 * surrounding text.
 */
function icon(path: string) {
  return (
    <svg class="crm-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
