import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { lazyPart } from '../ui/parts/lazy-part.tsx';
import type { CodeEditorProps } from './code-editor.tsx';

export type { CodeEditorProps, CodeProblem, InsertText, KnownWords } from './code-editor.tsx';

/** The editor is loaded when it is first shown, because CodeMirror is as large as the rest of the console. */
export const CodeEditor: (props: CodeEditorProps) => ReactNode = lazyPart(
  async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }),
  ({ isLine }) => <Skeleton height={isLine ? 36 : 240} />,
);
