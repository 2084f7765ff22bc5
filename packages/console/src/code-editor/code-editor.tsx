import './code-editor.css';
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { changeBetween } from './change-between.ts';
import { type CodeProblem, diagnosticsOf } from './diagnostics.ts';
import { type KnownWords, languageOf } from './language.ts';

export type { CodeProblem } from './diagnostics.ts';
export type { KnownWords } from './language.ts';

/** Inserts text at the cursor. */
export type InsertText = (text: string) => void;

export interface CodeEditorProps {
  /** Label for screen readers. */
  label: string;
  value: string;
  language: 'liquid' | 'markup' | 'json';
  /** True for a single line, such as a subject. */
  isLine?: boolean;
  readOnly?: boolean;
  problems?: readonly CodeProblem[];
  /** What the editor completes. */
  words?: KnownWords;
  onChange(value: string): void;
  /** Called for the keys of Undo and Redo. The page keeps one history for all of its fields, so the editor keeps none. */
  onUndo?(): void;
  onRedo?(): void;
  /** Called on focus, with a function that inserts at the cursor. */
  onFocus?(insert: InsertText): void;
  /** Called once the editor is ready, with the same function. */
  onReady?(insert: InsertText): void;
}

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';

/** CodeMirror as a form field. */
export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // The extensions are created once. They call the functions of the latest render.
  const current = useRef(props);
  current.current = props;
  const isDark = useComputedColorScheme() === 'dark';
  const { value, problems, label, language, isLine = false, readOnly = false } = props;

  useEffect(() => {
    if (place.current === null) return;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: current.current.value,
        extensions: [
          EditorView.cspNonce.of(nonce()),
          parts.look.of([]),
          syntaxHighlighting(classHighlighter),
          // A long text scrolls, so the user must be able to reach it by keyboard even if it is read-only.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorState.readOnly.of(readOnly),
          EditorView.editable.of(!readOnly),
          languageOf(language, () => current.current.words),
          autocompletion({ icons: false }),
          bracketMatching(),
          closeBrackets(),
          indentOnInput(),
          drawSelection(),
          isLine ? oneLine : [lineNumbers(), lintGutter(), EditorView.lineWrapping],
          keymap.of([
            { key: 'Mod-z', run: () => call(current.current.onUndo) },
            { key: 'Mod-y', mac: 'Mod-Shift-z', run: () => call(current.current.onRedo) },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...defaultKeymap,
          ]),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            const isOurs = transactions.some((one) => one.annotation(Transaction.remote));
            if (docChanged && !isOurs) current.current.onChange(state.doc.toString());
          }),
          EditorView.domEventHandlers({
            focus: (_event, focused) => current.current.onFocus?.((text) => insert(focused, text)),
          }),
        ],
      }),
    });
    view.current = made;
    current.current.onReady?.((text) => insert(made, text));
    return () => made.destroy();
  }, [label, language, isLine, readOnly]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.look.reconfigure(EditorView.theme({}, { dark: isDark })) });
  }, [isDark]);

  // A change from outside, such as Undo, replaces only the part that differs, so the cursor keeps its place.
  useEffect(() => {
    const shown = view.current?.state.doc.toString();
    if (shown === undefined || shown === value) return;
    view.current?.dispatch({ changes: changeBetween(shown, value), annotations: Transaction.remote.of(true) });
  }, [value]);

  useEffect(() => {
    if (view.current === null) return;
    const { state } = view.current;
    view.current.dispatch(setDiagnostics(state, diagnosticsOf(state.doc, problems ?? [])));
  }, [problems]);

  return <div ref={place} className={isLine ? 'code-editor code-line' : 'code-editor'} />;
}

const parts = { look: new Compartment() };

/** Replaces a line break, typed or pasted, by a space. */
const oneLine: Extension = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
  const text = transaction.newDoc.toString();
  const joined = text.replace(/\s*\n\s*/g, ' ');
  const changes = { from: 0, to: transaction.startState.doc.length, insert: joined };
  return [{ changes, selection: { anchor: Math.min(transaction.newSelection.main.head, joined.length) } }];
});

function call(action: (() => void) | undefined): boolean {
  action?.();
  return action !== undefined;
}

function insert(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
  view.focus();
}
