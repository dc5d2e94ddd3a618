import { Text } from '@mantine/core';
import type { Memory } from '@mneme/client';
import { useQueryClient } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { en } from '../../text/en.ts';
import { ConfirmButton } from '../forms/confirm-button.tsx';
import { readUnitsAgain, unitQuery } from './queries.ts';

const text = en.unit.forget;

interface ForgetUnitProps {
  readonly unit: Memory;
  readonly onForgotten: () => void;
}

export function ForgetUnit({ unit, onForgotten }: ForgetUnitProps) {
  const queryClient = useQueryClient();
  const forget = async () => {
    await mneme.agent(unit.agent_id).memories.delete(unit.id);
    onForgotten();
    const { queryKey } = unitQuery(unit.id);
    queryClient.removeQueries({ queryKey });
    await readUnitsAgain(queryClient);
  };
  return (
    <ConfirmButton
      size="xs"
      variant="light"
      color="red"
      c="inherit"
      label={text.open}
      question={text.title}
      explanation={text.explanation}
      agree={text.submit}
      disagree={text.cancel}
      act={forget}
      isDangerous
    >
      <Text size="sm" className="user-text">
        {unit.text}
      </Text>
    </ConfirmButton>
  );
}
