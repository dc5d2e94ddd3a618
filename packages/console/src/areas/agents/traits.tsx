import { Button, Group, Paper, SimpleGrid, Slider, Stack, Text, Title } from '@mantine/core';
import type { ListedAgent, Personality } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { mneme } from '../../app/client.ts';
import { lazyComponent } from '../../app/load-code.ts';
import { useEdits } from '../../components/forms/use-edits.ts';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { presentAgent } from './queries.ts';
import { type Trait, traits } from './trait-names.ts';

const text = en.agents.traits;
const step = 0.05;
const decimals = 2;

// Charts are larger than the rest of the page.
const TraitsRadar = lazyComponent(() => import('./traits-radar.tsx'), 'TraitsRadar');

/** The personality as a picture, and sliders that change it. */
export function Traits({ agent: { agent_id: agentId, personality } }: { readonly agent: ListedAgent }) {
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: async (edits: Partial<Personality>) => {
      // The server takes all traits at once.
      const present = await presentAgent(agentId);
      await mneme.agent(agentId).profile.update({ personality: { ...present.personality, ...edits } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['agents'] }),
  });
  const { fields: shown, edits, isEdited, edit, discard } = useEdits(personality, save.isPending);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="traits">
      <Stack>
        <Title order={2} id="traits">
          {text.title}
        </Title>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Suspense fallback={<Loading />}>
            <TraitsRadar personality={shown} />
          </Suspense>
          <Stack>
            {traits.map((trait) => (
              <TraitSlider
                key={trait}
                trait={trait}
                value={shown[trait]}
                onChange={(value) => edit({ [trait]: value })}
              />
            ))}
          </Stack>
        </SimpleGrid>
        {save.isError && <ProblemAlert error={save.error} />}
        <Group>
          <Button
            onClick={() => save.mutate(edits, { onSuccess: (_, saved) => discard(saved) })}
            disabled={!isEdited}
            loading={save.isPending}
          >
            {text.save}
          </Button>
          <Button variant="default" onClick={() => discard(shown)} disabled={!isEdited}>
            {text.reset}
          </Button>
          <Text size="sm" role="status">
            {save.isSuccess && !isEdited ? text.saved : ''}
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}

interface TraitSliderProps {
  readonly trait: Trait;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function TraitSlider({ trait, value, onChange }: TraitSliderProps) {
  const name = text.names[trait];
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm">{name}</Text>
        <Text size="sm" c="dimmed">
          {value.toFixed(decimals)}
        </Text>
      </Group>
      <Slider
        value={value}
        onChange={(moved) => onChange(Number(moved.toFixed(decimals)))}
        min={0}
        max={1}
        step={step}
        label={null}
        thumbLabel={name}
      />
    </div>
  );
}
