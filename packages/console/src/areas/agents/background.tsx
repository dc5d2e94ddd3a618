import { Button, Group, List, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { type ListedAgent, MnemeError, type Personality } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { diffWordsWithSpace } from 'diff';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { presentAgent } from './queries.ts';
import { changedTraits } from './trait-names.ts';

const text = en.agents.background;

type Preview = Awaited<ReturnType<typeof previewOf>>;

/** Who the agent is in its own words, and what an addition would make of it before it is kept. */
export function Background({ agent }: { readonly agent: ListedAgent }) {
  const { agent_id: agentId, background } = agent;
  const [addition, setAddition] = useState('');
  const queryClient = useQueryClient();
  const preview = useMutation({ mutationFn: (content: string) => previewOf(agentId, content) });
  const keep = useMutation({
    mutationFn: (previewed: Preview) => keepPreview(agentId, previewed),
    onSuccess: async (_, kept) => {
      await queryClient.invalidateQueries({ queryKey: ['agents'] });
      preview.reset();
      // What was typed meanwhile stays.
      setAddition((typed) => (typed === kept.content ? '' : typed));
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ['agents'] }),
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="background">
      <Stack>
        <Title order={2} id="background">
          {text.title}
        </Title>
        <Text className="user-text">{background === '' ? text.none : background}</Text>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keep.reset();
            preview.mutate(addition);
          }}
        >
          <Stack align="flex-start">
            <Textarea
              w="100%"
              label={text.add}
              description={text.addHint}
              value={addition}
              onChange={(event) => {
                setAddition(event.currentTarget.value);
                preview.reset();
                if (!keep.isPending) keep.reset();
              }}
              autosize
              minRows={2}
              required
            />
            <Button type="submit" variant="default" loading={preview.isPending}>
              {text.preview}
            </Button>
          </Stack>
        </form>
        {preview.isError && <ProblemAlert error={preview.error} />}
        {preview.data && (
          <Stack gap="xs">
            <Title order={3} size="h4">
              {text.difference}
            </Title>
            <Difference before={preview.data.before.background} after={preview.data.background} />
            <TraitChanges before={preview.data.before.personality} after={preview.data.personality} />
            <Group>
              <Button onClick={() => keep.mutate(preview.data)} loading={keep.isPending}>
                {text.keep}
              </Button>
              <Button variant="default" onClick={() => preview.reset()}>
                {text.discard}
              </Button>
            </Group>
          </Stack>
        )}
        {keep.isError && <ProblemAlert error={keep.error} />}
        <Text size="sm" role="status">
          {keep.isSuccess && addition === '' ? text.saved : ''}
        </Text>
      </Stack>
    </Paper>
  );
}

/** What an addition would make of an agent, and what it was before. */
async function previewOf(agentId: string, content: string) {
  const before = await presentAgent(agentId);
  const { profile } = mneme.agent(agentId);
  const { background, personality } = await profile.addBackground(content, { preview: true });
  return { content, before, background, personality: personality ?? before.personality };
}

/** @throws MnemeError 409 when what it would replace is something else than what the preview was made from */
async function keepPreview(agentId: string, { before, background, personality }: Preview): Promise<void> {
  const movesTraits = changedTraits(before.personality, personality).length > 0;
  const present = await presentAgent(agentId);
  if (present.background !== before.background) throw conflict(text.changed);
  if (movesTraits && changedTraits(before.personality, present.personality).length > 0) {
    throw conflict(text.traitsChanged);
  }
  await mneme.agent(agentId).profile.update({ background, ...(movesTraits && { personality }) });
}

function conflict(detail: string): MnemeError {
  return new MnemeError({ status: 409, code: 'CONFLICT', detail });
}

/** The traits that differ; nothing if none does. */
function TraitChanges({ before, after }: { readonly before: Personality; readonly after: Personality }) {
  const changed = changedTraits(before, after);
  if (changed.length === 0) return null;
  const { change, names } = en.agents.traits;
  return (
    <List size="sm">
      {changed.map((trait) => (
        <List.Item key={trait}>{change(names[trait], before[trait], after[trait])}</List.Item>
      ))}
    </List>
  );
}

/** What a text loses and gains, word by word. */
function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return <Text>{text.unchanged}</Text>;
  const parts = diffWordsWithSpace(before, after);
  return (
    <Text className="user-text difference" component="div">
      {parts.map(({ value, added, removed }, index) => {
        const Part = added ? 'ins' : removed ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity, and are never reordered.
        return <Part key={index}>{value}</Part>;
      })}
    </Text>
  );
}
