import { Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { RouteLink } from '../../components/link.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { eraseAgent, forgetAgent } from '../agents/erase-agent.ts';
import { agentQuery } from '../agents/queries.ts';
import { type SampleStep, sampleAgentId, storeSampleAgent } from './sample-agent.ts';

const text = en.tour;

/** Shows what memory can do with an agent that is stored and erased here. */
export function TourPage() {
  const { data: agent, error, refetch } = useQuery(agentQuery(sampleAgentId));
  const isStored = agent != null;
  return (
    <Stack maw={760}>
      <Title order={1}>{text.title}</Title>
      <Text>{text.intro}</Text>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <StoreStep isStored={isStored} />
      <LookStep isStored={isStored} />
      <EraseStep isStored={isStored} />
    </Stack>
  );
}

function TourStep({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

function StoreStep({ isStored }: { readonly isStored: boolean }) {
  const [step, setStep] = useState<SampleStep>('profile');
  const queryClient = useQueryClient();
  const store = useMutation({
    mutationFn: () => storeSampleAgent(setStep),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <TourStep title={text.steps.store.title}>
      <Text>{text.steps.store.text}</Text>
      {store.isError && <ProblemAlert error={store.error} />}
      <Group>
        <Button
          loading={store.isPending}
          onClick={() => store.mutate()}
          {...(isStored && { variant: 'default' as const })}
        >
          {isStored ? text.steps.store.again : text.steps.store.act}
        </Button>
        <Text size="sm" role="status">
          {store.isPending && text.progress[step]}
          {store.isSuccess && isStored && text.steps.store.done}
        </Text>
      </Group>
    </TourStep>
  );
}

function LookStep({ isStored }: { readonly isStored: boolean }) {
  const agent = { agent: sampleAgentId };
  const { look } = text.steps;
  if (!isStored) {
    return (
      <TourStep title={look.title}>
        <Text>{look.none}</Text>
      </TourStep>
    );
  }
  return (
    <TourStep title={look.title}>
      <Text>{look.text}</Text>
      <List>
        <List.Item>
          <RouteLink to="/agents/$agentId" params={{ agentId: sampleAgentId }}>
            {look.agent}
          </RouteLink>
        </List.Item>
        <List.Item>
          <RouteLink to="/graph" search={agent}>
            {look.graph}
          </RouteLink>
        </List.Item>
        <List.Item>
          <RouteLink to="/documents" search={agent}>
            {look.documents}
          </RouteLink>
        </List.Item>
        <List.Item>
          <RouteLink to="/search" search={agent}>
            {look.search}
          </RouteLink>
        </List.Item>
        <List.Item>
          <RouteLink to="/think" search={agent}>
            {look.think}
          </RouteLink>
        </List.Item>
      </List>
    </TourStep>
  );
}

function EraseStep({ isStored }: { readonly isStored: boolean }) {
  const queryClient = useQueryClient();
  const erase = useMutation({
    mutationFn: () => eraseAgent(sampleAgentId),
    onSuccess: () => forgetAgent(sampleAgentId),
    onError: () => queryClient.invalidateQueries(),
  });
  const { steps } = text;
  return (
    <TourStep title={steps.erase.title}>
      <Text>{steps.erase.text}</Text>
      {erase.isError && <ProblemAlert error={erase.error} />}
      <Group>
        <Button color="red" disabled={!isStored} loading={erase.isPending} onClick={() => erase.mutate()}>
          {steps.erase.act}
        </Button>
        <Text size="sm" role="status">
          {!isStored && !erase.isPending && (erase.isSuccess ? steps.erase.done : steps.erase.none)}
        </Text>
      </Group>
    </TourStep>
  );
}
