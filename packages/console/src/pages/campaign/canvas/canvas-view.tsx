import '@xyflow/react/dist/base.css';
import './canvas.css';
import { Text, useComputedColorScheme } from '@mantine/core';
import {
  Background,
  BackgroundVariant,
  Controls,
  type Edge,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type FocusEvent, type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEditing } from '../draft/editing.ts';
import { findStep } from '../draft/edits.ts';
import { useStepActions } from '../steps/use-step-actions.ts';
import { drawCampaign, firstViewport } from './layout.ts';
import { type CanvasNode, nodeTypes } from './nodes.tsx';
import { Panel } from './panel.tsx';

/** The canvas of a campaign, with a panel for the selected part. */
export default function CanvasView() {
  return (
    <ReactFlowProvider>
      <Beside />
    </ReactFlowProvider>
  );
}

function Beside() {
  const words = useWords(campaignEditor);
  const { selected, mayEdit } = useEditing();
  return (
    <>
      <div className={selected === undefined ? 'canvas-and-panel' : 'canvas-and-panel open'}>
        <Canvas />
        {selected !== undefined && <Panel selected={selected} />}
      </div>
      {mayEdit && (
        <Text size="xs" c="dimmed">
          {words.canvasHint}
        </Text>
      )}
    </>
  );
}

/** The canvas without the panel, for example above the timeline of a trial. */
export function LoneCanvas() {
  return (
    <ReactFlowProvider>
      <Canvas />
    </ReactFlowProvider>
  );
}

function Canvas() {
  const words = useWords(campaignEditor);
  const scheme = useComputedColorScheme('light');
  const { draft, selected } = useEditing();
  const frame = useRef<HTMLElement>(null);
  const onKeyDown = useKeys(frame);
  const flow = useReactFlow<CanvasNode>();
  const onFocus = ({ target }: FocusEvent<HTMLElement>) =>
    target.matches(':focus-visible') && bringIntoSight(flow, target);
  const { nodes, edges } = useMemo(() => toFlow(draft), [draft]);
  // The focus follows a step that was added, moved or copied with the keyboard.
  const lastSelected = useRef(selected);
  useEffect(() => {
    const isNew = lastSelected.current !== selected;
    lastSelected.current = selected;
    if (!isNew || selected === undefined) return;
    const name = 'step' in selected ? `step ${selected.step}` : selected.part;
    const { activeElement, body } = document;
    const isInMenu = activeElement?.closest('[role=menu]') != null;
    const isIn = frame.current?.contains(activeElement) || activeElement === body || isInMenu;
    const isThere = activeElement === boxOf(frame.current, name);
    const isOnArm = activeElement?.closest('.canvas-box.arm') != null;
    whenDrawn(
      () => boxOf(frame.current, name),
      (box) => {
        if (isIn && !isOnArm && !isThere) box.focus();
        // The panel that opens beside the canvas may cover the selected box.
        bringIntoSight(flow, box);
      },
    );
  }, [selected, flow]);
  return (
    <section ref={frame} className="canvas" aria-label={words.canvas} onKeyDown={onKeyDown} onFocus={onFocus}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        panOnScroll
        zoomOnDoubleClick={false}
        minZoom={0.2}
        maxZoom={1.5}
        onInit={(flow) => begin(flow, frame.current)}
        ariaLabelConfig={{
          'controls.ariaLabel': words.canvas,
          'controls.zoomIn.ariaLabel': words.zoomIn,
          'controls.zoomOut.ariaLabel': words.zoomOut,
          'controls.fitView.ariaLabel': words.fit,
          'minimap.ariaLabel': words.miniMap,
        }}
      >
        <Background variant={BackgroundVariant.Dots} gap={20} />
        <Controls showInteractive={false} fitViewOptions={{ maxZoom: 1, padding: 0.1 }} />
        {nodes.length > 12 && selected === undefined && <MiniMap pannable zoomable />}
      </ReactFlow>
    </section>
  );
}

/** Shows the top of the campaign at full width, because a long campaign is read from the top and scrolled. */
function begin(flow: ReactFlowInstance<CanvasNode, Edge>, frame: HTMLElement | null): void {
  const bounds = flow.getNodesBounds(flow.getNodes());
  void flow.setViewport(firstViewport(bounds, frame?.clientWidth ?? bounds.width));
}

function toFlow(draft: Parameters<typeof drawCampaign>[0]): { nodes: CanvasNode[]; edges: Edge[] } {
  const drawn = drawCampaign(draft);
  return {
    nodes: drawn.nodes.map((one) => ({
      id: one.id,
      type: one.type,
      position: { x: one.x, y: one.y },
      width: one.width,
      height: one.height,
      data: { drawn: one },
    })),
    edges: drawn.edges.map(({ id, source, target, isDead, isAside }) => ({
      id,
      source,
      target,
      type: 'smoothstep',
      focusable: false,
      className: isDead || isAside ? 'dead' : '',
      ...(isAside && { sourceHandle: 'aside', type: 'straight' }),
    })),
  };
}

function boxOf(frame: HTMLElement | null, name: string): HTMLElement | null {
  return frame?.querySelector<HTMLElement>(`[data-canvas="${CSS.escape(name)}"]`) ?? null;
}

/** Handles keys for the focused part of the canvas. docs/guides/campaigns.md lists them. */
function useKeys(frame: React.RefObject<HTMLElement | null>) {
  const { draft, mayEdit } = useEditing();
  const { move, duplicate, remove, beginMoving } = useStepActions();
  return (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const name = target.dataset.canvas;
    if (name === undefined) return;
    const step = name.startsWith('step ') ? name.slice('step '.length) : undefined;
    const place = step === undefined ? undefined : findStep(draft, step);
    const { key, altKey, ctrlKey, metaKey } = event;
    const boxes = [...(frame.current?.querySelectorAll<HTMLElement>('[data-canvas]') ?? [])];
    const go = (to: number) => boxes[Math.max(0, Math.min(boxes.length - 1, to))]?.focus();
    const at = boxes.indexOf(target);
    const follow = () => step !== undefined && requestAnimationFrame(() => boxOf(frame.current, name)?.focus());
    const done = () => event.preventDefault();
    if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
      done();
      if (mayEdit && place !== undefined) move(place, key === 'ArrowUp' ? -1 : 1);
      follow();
    } else if (key === 'ArrowDown' || key === 'ArrowRight') {
      done();
      go(at + 1);
    } else if (key === 'ArrowUp' || key === 'ArrowLeft') {
      done();
      go(at - 1);
    } else if (key === 'Home' || key === 'End') {
      done();
      go(key === 'Home' ? 0 : boxes.length - 1);
    } else if (key === 'Enter') {
      // The click of the button opens the panel. The keyboard then continues in the panel.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.canvas-panel h3')?.focus());
    } else if (!mayEdit) return;
    else if (key === '+') {
      done();
      const insert = target.closest('.react-flow__node')?.querySelector<HTMLElement>('.canvas-insert button');
      insert?.focus();
      insert?.click();
    } else if (place === undefined || step === undefined) return;
    else if (key === 'Delete' || key === 'Backspace') {
      done();
      remove(place);
    } else if (key === 'd' && (ctrlKey || metaKey)) {
      done();
      duplicate(place);
    } else if (key === 'm' && !ctrlKey && !metaKey) {
      done();
      beginMoving(step);
    }
  };
}

/** Maximum number of animation frames until a new step is on the canvas. The library draws after React. */
const framesToDraw = 30;

function whenDrawn(find: () => HTMLElement | null, then: (box: HTMLElement) => void, frames = framesToDraw): void {
  requestAnimationFrame(() => {
    const box = find();
    if (box?.checkVisibility({ visibilityProperty: true })) then(box);
    else if (frames > 0) whenDrawn(find, then, frames - 1);
  });
}

/** Minimum distance in pixels between the edge of the canvas and a part that is scrolled into view. */
const clearance = 24;

/** Scrolls the focused or selected part into view, by the smallest distance. */
function bringIntoSight(flow: ReactFlowInstance<CanvasNode, Edge>, element: HTMLElement | null): void {
  const canvas = element?.closest<HTMLElement>('.react-flow');
  if (!element || !canvas) return;
  const [box, sight] = [element.getBoundingClientRect(), canvas.getBoundingClientRect()];
  const shift = (from: number, to: number, begin: number, end: number) => {
    if (from < begin + clearance) return begin + clearance - from;
    return to > end - clearance ? Math.max(end - clearance - to, begin + clearance - from) : 0;
  };
  const [x, y] = [
    shift(box.left, box.right, sight.left, sight.right),
    shift(box.top, box.bottom, sight.top, sight.bottom),
  ];
  const now = flow.getViewport();
  if (x !== 0 || y !== 0) void flow.setViewport({ ...now, x: now.x + x, y: now.y + y });
}
