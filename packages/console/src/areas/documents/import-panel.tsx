import { Alert, Button, FileButton, Group, List, Paper, Progress, Select, Stack, Text, Title } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { FormatName } from '@mneme/import';
import { type DragEvent, useRef, useState } from 'react';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { type Dropped, droppedFiles, named } from './dropped-files.ts';
import {
  hideImport,
  isRunning,
  type RunningImport,
  startImport,
  stopImport,
  useRunningImport,
} from './running-import.ts';
import { WriteText } from './write-text.tsx';
import './documents.css';

const text = en.documents.import;
const formats = Object.entries(text.formats).map(([value, label]) => ({ value, label }));
const accept = '.txt,.text,.md,.markdown,.json,.jsonl,.ndjson,.zip,text/*,application/json,application/zip';

/** Where files become memories: by dropping them, or by choosing them. */
export function ImportPanel({ agentId }: { readonly agentId: string }) {
  const current = useRunningImport();
  const [format, setFormat] = useState('detect');
  const resetFiles = useRef<() => void>(null);
  const begin = (find: () => Dropped | Promise<Dropped>) => {
    void startImport({ agentId, find, format: format === 'detect' ? undefined : (format as FormatName) });
  };
  return (
    <Stack component="section" aria-label={text.title} gap="xs">
      <DropZone onDropped={begin}>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {text.title}
          </Title>
          <Text size="sm">{text.hint}</Text>
          <Group align="flex-end">
            <Select
              label={text.format}
              data={formats}
              value={format}
              onChange={(chosen) => setFormat(chosen ?? 'detect')}
              allowDeselect={false}
              maw={260}
            />
            <FileButton
              multiple
              accept={accept}
              onChange={(files) => {
                begin(() => named(files));
                // Choosing the same file again is a change only if it forgets this one.
                resetFiles.current?.();
              }}
              resetRef={resetFiles}
              inputProps={{ 'aria-label': text.choose }}
            >
              {(props) => (
                <Button {...props} disabled={isRunning(current)}>
                  {text.choose}
                </Button>
              )}
            </FileButton>
            <WriteText agentId={agentId} />
          </Group>
        </Stack>
      </DropZone>
      {current && <ImportState state={current} />}
    </Stack>
  );
}

interface DropZoneProps {
  /** Takes what finds out what was dropped, to be called at once. */
  readonly onDropped: (find: () => Promise<Dropped>) => void;
  readonly children: React.ReactNode;
}

/** Files that are dropped beside it are ignored; the browser would leave the page for them. */
function DropZone({ onDropped, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  useWindowEvent('dragover', (event) => event.preventDefault());
  useWindowEvent('drop', (event) => event.preventDefault());
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onDropped(() => droppedFiles(event.dataTransfer));
  };
  return (
    <Paper
      withBorder
      p="md"
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </Paper>
  );
}

function ImportState({ state }: { readonly state: RunningImport }) {
  const { status } = state;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600} className="user-text">
            {text.into(state.agentId)}
          </Text>
          {isRunning(state) ? (
            <Button size="compact-sm" variant="default" onClick={stopImport}>
              {text.cancel}
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={hideImport}>
              {text.close}
            </Button>
          )}
        </Group>
        <Progress.Root>
          <Progress.Section value={percentOf(state)} aria-label={text.progress} />
        </Progress.Root>
        <Text size="sm" role="status">
          {status === 'finding' ? text.finding : <Outcome state={state} />}
        </Text>
        {state.error !== undefined && <ProblemAlert error={state.error} />}
        <Faults state={state} />
      </Stack>
    </Paper>
  );
}

function percentOf({ status, processed, total }: RunningImport): number {
  if (status === 'finding') return 0;
  return total === 0 ? 100 : Math.floor((100 * processed) / total);
}

function Outcome({ state }: { readonly state: RunningImport }) {
  const { status, stored, replaced, unchanged, summary } = state;
  return (
    <>
      {status === 'running' && `${text.processed(percentOf(state))}, `}
      {text.outcome(stored, replaced, unchanged)}
      {summary && `, ${text.items(summary.items)}`}
      {summary && summary.leftOut > 0 && `, ${text.leftOut(summary.leftOut)}`}. {status === 'done' && text.done}
      {status === 'stopped' && text.stopped}
      {status === 'failed' && text.failed}
    </>
  );
}

function Faults({ state: { faults, faultCount } }: { readonly state: RunningImport }) {
  if (faultCount === 0) return null;
  return (
    <Alert color="yellow" title={text.faults(faultCount)} role="alert">
      <Text size="sm">{text.faultsHint}</Text>
      <List size="sm">
        {faults.map(({ place, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two records may have the same fault, and none is removed
          <List.Item key={index} className="user-text">
            {place}: {reason}
          </List.Item>
        ))}
      </List>
      {faultCount > faults.length && <Text size="sm">{text.moreFaults(faultCount - faults.length)}</Text>}
    </Alert>
  );
}
