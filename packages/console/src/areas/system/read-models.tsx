import { Accordion, Alert, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import type { ReadModelVersion, SystemReadModel } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { en } from '../../text/en.ts';
import { DeferredTable, LaneTable } from './lanes.tsx';
import { readModelsQuery } from './queries.ts';
import { ReadModelActions, RebuildServices } from './read-model-actions.tsx';

const text = en.system.readModels;
const tones = { 'catching-up': 'warning', live: 'good', failed: 'bad', rebuilding: 'warning', lost: 'bad' } as const;

/** What is derived from the log: where it is, and what makes it right again. */
export function ReadModels() {
  return (
    <Stack>
      <Loaded query={useQuery(readModelsQuery)}>
        {({ unavailable, read_models }) => (
          <>
            {unavailable.length > 0 && (
              <Alert color="yellow" title={text.missing}>
                {unavailable.map(({ service, reason }) => (
                  <Text key={service} size="sm">
                    {text.notAnswering(service, reason)}
                  </Text>
                ))}
              </Alert>
            )}
            {read_models.map((readModel) => (
              <ReadModelCard key={`${readModel.service}/${readModel.name}`} readModel={readModel} />
            ))}
            <RebuildServices />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function ReadModelCard({ readModel }: { readonly readModel: SystemReadModel }) {
  const { name, service, reason, versions } = readModel;
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack>
        <Group justify="space-between">
          <div>
            <Title order={2}>{name}</Title>
            <Text size="sm" c="dimmed">
              {text.service(service)}
            </Text>
          </div>
          <ReadModelActions name={name} />
        </Group>
        {reason !== null && <Alert color="red" title={reason} />}
        {versions.map((version) => (
          <Version key={version.version} version={version} />
        ))}
      </Stack>
    </Paper>
  );
}

function Version({ version }: { readonly version: ReadModelVersion }) {
  const { state, position, head, lag_seconds, dead_letters, lanes, deferred, reason } = version;
  const title = text.version(version.version);
  return (
    <Stack gap="xs">
      <Facts
        facts={[
          [
            title,
            <StateBadge key="state" tone={tones[state]}>
              {text.states[state]}
            </StateBadge>,
          ],
          [text.position, text.of(position, head)],
          [text.lag, text.seconds(lag_seconds)],
          [text.deadLetters, dead_letters.toLocaleString(en.locale)],
        ]}
      />
      <Progress value={head === 0 ? 100 : (position / head) * 100} aria-label={`${title}: ${text.progress}`} />
      {reason !== null && <Text className="user-text">{reason}</Text>}
      {lanes.length > 0 && (
        <Accordion variant="contained">
          <Accordion.Item value="lanes">
            <Accordion.Control>{text.lanes(lanes.length)}</Accordion.Control>
            <Accordion.Panel>
              <LaneTable label={`${title}: ${text.lanes(lanes.length)}`} lanes={lanes} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
      {deferred.length > 0 && <DeferredTable deferred={deferred} />}
    </Stack>
  );
}
