import { Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconFlag,
  IconGripVertical,
  IconLock,
  IconPlayerPlay,
  IconSquareRoundedCheck,
  IconTarget,
} from '@tabler/icons-react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import type { ReactNode } from 'react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { isSameJson } from '../../../ui/same-json.ts';
import { errorAt, type Selection, sentenceAt, useEditing } from '../draft/editing.ts';
import { kindIn, read, readText } from '../draft/edits.ts';
import { CountBadges } from '../steps/count-badges.tsx';
import { InsertStep } from '../steps/insert-step.tsx';
import { KindIcon } from '../steps/kind-icon.tsx';
import { entrySummary, summaryOf, useSaying } from '../steps/use-summary.ts';
import { armName } from '../views/arm-name.ts';
import type { DrawnNode, Insertion } from './layout.ts';

export type CanvasNode = Node<{ drawn: DrawnNode }, DrawnNode['type']>;
type Of<Type extends DrawnNode['type']> = Extract<DrawnNode, { type: Type }>;

interface BoxProps {
  /** The part that opens when the node is selected. */
  opens: Selection;
  /** Identifies the node for keys, and for the focus after a change. */
  name: string;
  className?: string;
  /** Elements that are placed beside the button, because a button may not contain them. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A selectable node of the canvas. */
function Box({ opens, name, className = '', beside, children }: BoxProps) {
  const { selected, select } = useEditing();
  // Selecting an arm opens its step, but only the step is highlighted.
  const isSelected = isSameJson(selected, opens) && !name.startsWith('arm ');
  return (
    <div className={`canvas-box ${className} ${isSelected ? 'selected' : ''}`}>
      <button
        type="button"
        className="canvas-main nopan"
        data-canvas={name}
        aria-pressed={isSelected}
        onClick={() => select(opens)}
      >
        {children}
      </button>
      {beside}
    </div>
  );
}

const ends = { target: Position.Top, source: Position.Bottom } as const;

function Ends({ only }: { only?: 'target' | 'source' }) {
  return (Object.keys(ends) as (keyof typeof ends)[])
    .filter((end) => only === undefined || end === only)
    .map((end) => <Handle key={end} type={end} position={ends[end]} isConnectable={false} />);
}

/** The button in the middle of the bottom edge, which inserts a step. */
function Insert({ insertion, label }: { insertion: Insertion | undefined; label: string }) {
  if (insertion === undefined) return null;
  return (
    <div className="canvas-insert">
      <InsertStep {...insertion} label={label} />
    </div>
  );
}

function EntryNode({ data }: NodeProps<CanvasNode>) {
  const words = useWords(campaignEditor);
  const { draft, checked } = useEditing();
  const saying = useSaying(draft.entry);
  const conditions = sentenceAt(checked, ['entry', 'where']) ?? sentenceAt(checked, ['audience']);
  const error = ['entry', 'audience', 'reentry'].map((part) => errorAt(checked, [part])).find(Boolean);
  return (
    <>
      <Box opens={{ part: 'entry' }} name="entry" className="entry">
        <Title icon={<IconPlayerPlay size={16} aria-hidden />} text={words.parts.entry} error={error} />
        <Line>{entrySummary(draft.entry, saying)}</Line>
        {conditions !== undefined && <Line dimmed>{conditions}</Line>}
      </Box>
      <Insert insertion={data.drawn.insertion} label={words.insertFirst} />
      <Ends only="source" />
      <Handle type="source" id="aside" position={Position.Right} isConnectable={false} />
    </>
  );
}

function StepNode({ data }: NodeProps<CanvasNode>) {
  const words = useWords(campaignEditor);
  const { checked, marks, mayEdit, setMoving } = useEditing();
  const { step, place, stepId, insertion } = data.drawn as Of<'step'>;
  const saying = useSaying(step);
  const kind = kindIn(step);
  const mark = marks?.get(stepId);
  const rule = sentenceAt(checked, [...place, 'wait', 'rule']) ?? sentenceAt(checked, [...place, 'wait', 'where']);
  return (
    <>
      <Box
        opens={{ step: stepId }}
        name={`step ${stepId}`}
        className={`step ${kind ?? ''} ${mark === undefined ? '' : 'marked'}`}
        beside={
          <>
            {mayEdit && (
              // biome-ignore lint/a11y/noStaticElementInteractions: dragging is for the mouse; a button of the panel and the key M move a step, too
              <span
                draggable
                className="canvas-handle nodrag nopan"
                title={words.drag}
                // The change is delayed, because Chromium ends a drag if the page changes when the drag begins.
                onDragStart={() => setTimeout(() => setMoving(stepId))}
                onDragEnd={() => setMoving(undefined)}
              >
                <IconGripVertical size={14} aria-hidden />
              </span>
            )}
            <div className="canvas-counts">
              {mark === undefined ? <CountBadges step={stepId} /> : <Text size="xs">{mark}</Text>}
            </div>
          </>
        }
      >
        <Title
          icon={kind !== undefined && <KindIcon kind={kind} />}
          text={kind === undefined ? '?' : words.kinds[kind]}
          more={stepId}
          error={errorAt(checked, place)}
        />
        <Line>{rule ?? summaryOf(step, saying)}</Line>
      </Box>
      <Insert insertion={insertion} label={words.insertAfter(stepId)} />
      <Ends />
    </>
  );
}

function ArmNode({ data }: NodeProps<CanvasNode>) {
  const words = useWords(campaignEditor);
  const { checked, counts } = useEditing();
  const { arm, at, place, stepId, implicit, insertion } = data.drawn as Of<'arm'>;
  const name = armName(arm, at, words);
  const came = counts.get(stepId)?.arms.find(({ variant }) => variant === arm.name)?.count;
  const about =
    sentenceAt(checked, [...place, 'when']) ??
    ('share' in arm ? [`${readText(arm, ['share'])} %`, came].filter((one) => one !== undefined).join(' · ') : '');
  if (implicit)
    return (
      <>
        <div className="canvas-box arm">
          <div className="canvas-main">
            <Line dimmed>{words.goesOn}</Line>
          </div>
        </div>
        <Ends />
      </>
    );
  return (
    <>
      <Box
        opens={{ step: stepId }}
        name={`arm ${stepId} ${at}`}
        className={`arm ${arm.control === true ? 'control' : ''}`}
      >
        <Text size="xs" fw={600} truncate>
          {name}
        </Text>
        <Line dimmed>{about}</Line>
      </Box>
      <Insert insertion={insertion} label={words.insertIn(`${stepId}, ${name}`)} />
      <Ends />
    </>
  );
}

function JoinNode({ data }: NodeProps<CanvasNode>) {
  const words = useWords(campaignEditor);
  const { draft } = useEditing();
  const { insertion } = data.drawn;
  const above = insertion && readText(read(draft, [...insertion.list, insertion.at - 1]), ['id']);
  return (
    <>
      <div className="canvas-join" />
      <Insert insertion={insertion} label={words.insertAfter(above ?? '')} />
      <Ends />
    </>
  );
}

function EndNode({ data }: NodeProps<CanvasNode>) {
  const words = useWords(campaignEditor);
  const { of } = data.drawn as Of<'end'>;
  return (
    <>
      <div className="canvas-end">
        {of === 'control' ? <IconBan size={16} aria-hidden /> : <IconSquareRoundedCheck size={16} aria-hidden />}
        <Text size="sm">{of === 'control' ? words.controlEnd : words.end}</Text>
      </div>
      <Ends only="target" />
    </>
  );
}

/** Shows what can end a run at any step: the goal, the exit rule, and protection, which cannot be switched off. */
function RulesNode() {
  const words = useWords(campaignEditor);
  const { draft, checked } = useEditing();
  const saying = useSaying(draft.goal);
  const exit = sentenceAt(checked, ['exit_when']);
  const error = ['name', 'goal', 'exit_when', 'halt', 'products'].map((part) => errorAt(checked, [part])).find(Boolean);
  return (
    <>
      <Box opens={{ part: 'rules' }} name="rules" className="rules">
        <Title icon={<IconFlag size={16} aria-hidden />} text={words.parts.rules} error={error} />
        {draft.goal !== undefined && (
          <Line>
            <IconTarget size={14} aria-hidden /> {words.goal}: {entrySummary(draft.goal, saying)}
          </Line>
        )}
        {exit !== undefined && (
          <Line>
            <IconBan size={14} aria-hidden /> {words.exit}: {exit}
          </Line>
        )}
        <Line>
          <IconLock size={14} aria-hidden /> {words.excluded}
        </Line>
      </Box>
      <Handle type="target" position={Position.Left} isConnectable={false} />
    </>
  );
}

interface TitleProps {
  icon: ReactNode;
  text: string;
  more?: string;
  error?: string | undefined;
}

function Title({ icon, text, more, error }: TitleProps) {
  return (
    <span className="canvas-title">
      {icon}
      <Text span size="sm" fw={600}>
        {text}
      </Text>
      {more !== undefined && (
        <Text span size="xs" c="dimmed" truncate>
          {more}
        </Text>
      )}
      {error !== undefined && (
        <span className="rule-problem" title={error} style={{ marginInlineStart: 'auto', display: 'inline-flex' }}>
          <IconAlertTriangle size={16} role="img" aria-label={error} />
        </span>
      )}
    </span>
  );
}

function Line({ children, dimmed = false }: { children: ReactNode; dimmed?: boolean }) {
  return (
    <Text span size="xs" truncate {...(dimmed && { c: 'dimmed' })} style={{ display: 'block' }}>
      {children}
    </Text>
  );
}

export const nodeTypes = {
  entry: EntryNode,
  rules: RulesNode,
  step: StepNode,
  arm: ArmNode,
  join: JoinNode,
  end: EndNode,
};
