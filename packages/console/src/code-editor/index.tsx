import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { CodeEditorProps } from './code-editor.tsx';

/*
 * CodeMirror, which is as large as the rest of the console, is loaded with the first editor.
 */
const Loaded = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

export type { CodeEditorProps, CodeProblem, InsertText, KnownWords } from './code-editor.tsx';

export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.isLine ? 36 : 240} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
