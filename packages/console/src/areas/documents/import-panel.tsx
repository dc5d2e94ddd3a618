import { Alert, Button, FileButton, Group, List, Paper, Progress, Select, Stack, Text, Title } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { FormatName } from '@mneme/import';
import { type DragEvent, useState } from 'react';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { type Dropped, droppedFiles, named } from './dropped-files.ts';
import { hideImport, type RunningImport, startImport, stopImport, useRunningImport } from './running-import.ts';
import { WriteText } from './write-text.tsx';
import './documents.css';

const text = en.documents.import;
const formats = Object.entries(text.formats).map(([value, label]) => ({ value, label }));
const accept = '.txt,.text,.md,.markdown,.json,.jsonl,.ndjson,.zip,text/*,application/json,application/zip';

/** Where files become memories: by dropping them, or by choosing them. */
export function ImportPanel({ agentId }: { readonly agentId: string }) {
  const current = useRunningImport();
  const [format, setFormat] = useState('detect');
  const isRunning = current?.status === 'running';
  const begin = ({ files, faults }: Dropped) => {
    if (files.length + faults.length === 0 || isRunning) return;
    void startImport({ agentId, files, faults, format: format === 'detect' ? undefined : (format as FormatName) });
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
              onChange={(files) => begin(named(files))}
              inputProps={{ 'aria-label': text.choose }}
            >
              {(props) => (
                <Button {...props} disabled={isRunning}>
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
  readonly onDropped: (dropped: Dropped) => void;
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
    void droppedFiles(event.dataTransfer).then(onDropped);
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
  const { status, read, total, stored, replaced, unchanged, summary } = state;
  const percent = total === 0 ? 100 : Math.floor((100 * read) / total);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600} className="user-text">
            {text.into(state.agentId)}
          </Text>
          {status === 'running' ? (
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
          <Progress.Section value={percent} aria-label={text.progress} />
        </Progress.Root>
        <Text size="sm" role="status">
          {status === 'running' && `${text.read(percent)}, `}
          {text.outcome(stored, replaced, unchanged)}
          {summary && `, ${text.items(summary.items)}`}
          {summary && summary.leftOut > 0 && `, ${text.leftOut(summary.leftOut)}`}. {status === 'done' && text.done}
          {status === 'stopped' && text.stopped}
          {status === 'failed' && text.failed}
        </Text>
        {state.error !== undefined && <ProblemAlert error={state.error} />}
        <Faults state={state} />
      </Stack>
    </Paper>
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
