import { Code, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import type { SystemTask } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { tasksQuery } from './queries.ts';

const text = en.system.tasks;
const tones = { running: 'warning', completed: 'good', failed: 'bad', interrupted: 'bad' } as const;

/** Rebuilds and verifications, those that run with their progress. */
export function Tasks() {
  return (
    <Stack>
      <Loaded query={useQuery(tasksQuery)}>
        {(tasks) =>
          tasks.length === 0 ? <Text>{text.empty}</Text> : tasks.map((task) => <TaskCard key={task.id} task={task} />)
        }
      </Loaded>
    </Stack>
  );
}

function TaskCard({ task }: { readonly task: SystemTask }) {
  const { kind, target, state, started_by, started_at, finished_at, progress, result, error } = task;
  const title = text.title(text.kinds[kind], target);
  return (
    <Paper withBorder p="md" component="article" aria-label={title}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2}>{title}</Title>
          <StateBadge tone={tones[state]}>{text.states[state]}</StateBadge>
        </Group>
        <Facts
          facts={[
            [text.started, <Time key="started" value={started_at} />],
            [text.finished, <Time key="finished" value={finished_at} />],
          ]}
        />
        <Text size="sm" c="dimmed">
          {text.by(started_by)}
        </Text>
        {progress.map(({ read_model, version, position, head }) => (
          <Stack key={`${read_model}@${version}`} gap={4}>
            <Text size="sm">{text.progress(read_model, version)}</Text>
            <Progress
              value={head === 0 ? 100 : (position / head) * 100}
              aria-label={text.progress(read_model, version)}
            />
          </Stack>
        ))}
        {state === 'interrupted' && <Text>{text.interrupted}</Text>}
        {error !== null && <Text className="user-text">{error}</Text>}
        {result !== null && (
          <Code block className="user-text" tabIndex={0} role="region" aria-label={`${title}: ${text.result}`}>
            {JSON.stringify(result, null, 2)}
          </Code>
        )}
      </Stack>
    </Paper>
  );
}
