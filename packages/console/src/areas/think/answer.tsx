import { Badge, Group, List, Paper, Stack, Text } from '@mantine/core';
import type { ThinkResponse } from '@mneme/client';
import { RouteLink } from '../../components/link.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import type { FormedOpinion } from './conversation.ts';

const text = en.think;

interface AnswerProps {
  readonly answer: ThinkResponse;
  readonly opinions: readonly FormedOpinion[];
  readonly agentId: string;
}

/** What the agent says, from what, and what it thinks since then. */
export function Answer({ answer: { text: said, based_on: facts }, opinions, agentId }: AnswerProps) {
  return (
    <Paper withBorder p="sm" radius="md">
      <Stack gap="sm">
        <Text className="user-text">{said}</Text>
        {opinions.length > 0 && <Opinions agentId={agentId} opinions={opinions} />}
        {facts.length === 0 ? (
          <Text size="sm" c="dimmed">
            {text.noFacts}
          </Text>
        ) : (
          <details open>
            <summary>{text.facts(facts.length)}</summary>
            <List spacing={6} pt="xs" listStyleType="none">
              {facts.map((fact, index) => (
                <List.Item key={fact.id ?? index}>
                  <Fact fact={fact} />
                </List.Item>
              ))}
            </List>
          </details>
        )}
      </Stack>
    </Paper>
  );
}

function Fact({ fact }: { readonly fact: ThinkResponse['based_on'][number] }) {
  const { id, text: said, type, activation, event_date } = fact;
  return (
    <Stack gap={0}>
      {id === null ? (
        <Text className="user-text">{said}</Text>
      ) : (
        <RouteLink to="/memories/$unitId" params={{ unitId: id }} className="user-text">
          {said}
        </RouteLink>
      )}
      <Group gap="xs">
        {type && (
          <Badge size="sm" variant="default">
            {en.factTypes[type]}
          </Badge>
        )}
        {event_date !== null && (
          <Text size="xs" c="dimmed">
            <Time value={event_date} />
          </Text>
        )}
        {activation !== null && (
          <Text size="xs" c="dimmed">
            {text.activation(Math.round(100 * activation))}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

function Opinions({ opinions, agentId }: Omit<AnswerProps, 'answer'>) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {text.formed}
      </Text>
      <List spacing={4}>
        {opinions.map(({ text: opinion, unitId }) => (
          <List.Item key={opinion}>
            {unitId === undefined ? (
              <Text className="user-text">{opinion}</Text>
            ) : (
              <RouteLink
                to="/think/opinions/$unitId"
                params={{ unitId }}
                search={{ agent: agentId }}
                className="user-text"
              >
                {opinion}
              </RouteLink>
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
