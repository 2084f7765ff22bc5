import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Loading } from '../states.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { importPart, PartNotLoaded } from './part-not-loaded.ts';

/**
 * A part of a page that is loaded when it is first shown. If it cannot be loaded, the rest of the page stays, with its
 * unsaved changes.
 *
 * @param fallback what is shown while the part loads; default: a spinner
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: (props: Props) => ReactNode = () => <Loading />,
): (props: Props) => ReactNode {
  // React's own type cannot express that the loaded component takes these props.
  const Loaded = lazy(importPart(load)) as unknown as ComponentType<Props>;
  const part = (props: Props) => (
    <PartBoundary>
      <Suspense fallback={fallback(props)}>
        <Loaded {...props} />
      </Suspense>
    </PartBoundary>
  );
  return part;
}

interface PartState {
  error?: unknown;
}

/** Handles the error of a part that could not be loaded. It passes on every other error. */
class PartBoundary extends Component<{ children: ReactNode }, PartState> {
  override state: PartState = {};

  static getDerivedStateFromError(error: unknown): PartState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error instanceof PartNotLoaded) return <NotLoaded />;
    if (error !== undefined) throw error;
    return this.props.children;
  }
}
