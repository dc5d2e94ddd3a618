import { Anchor, List, Stack, Text, Title } from '@mantine/core';
import type { Memory } from '@mneme/client';
import { en } from '../../text/en.ts';
import { Time } from '../time.tsx';

const text = en.unit.opinion;

type Step = NonNullable<Memory['opinion']>[number];

interface UnitOpinionProps {
  readonly steps: readonly Step[];
  readonly onSelect: (unitId: string) => void;
}

/** How an opinion was formed and changed, and by which memories. */
export function UnitOpinion({ steps, onSelect }: UnitOpinionProps) {
  return (
    <Stack gap={4}>
      <Title order={3} fz="md">
        {text.title}
      </Title>
      {steps.map((step) => (
        <OpinionStep key={step.event.id} step={step} onSelect={onSelect} />
      ))}
    </Stack>
  );
}

function OpinionStep({ step, onSelect }: { readonly step: Step } & Pick<UnitOpinionProps, 'onSelect'>) {
  const { change, event, confidence_before: before, confidence_after: after, facts } = step;
  return (
    <Stack gap={2}>
      <Text size="sm">
        {text.changes[change]}, {text.confidence(before, after)}, <Time value={event.time} />
      </Text>
      <List size="sm" withPadding>
        {facts.map(({ id, text: fact }) => (
          <List.Item key={id}>
            {fact === null ? (
              text.forgotten
            ) : (
              <Anchor component="button" ta="left" size="sm" className="user-text" onClick={() => onSelect(id)}>
                {fact}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
