import { Group, Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { mneme } from '../../app/client.ts';
import { ConfirmButton } from '../../components/forms/confirm-button.tsx';
import { en } from '../../text/en.ts';

const route = getRouteApi('/shell/system');
const text = en.system.readModels;
const services = ['memory', 'keys', 'webhook'] as const;

export function ReadModelActions({ name }: { readonly name: string }) {
  const queryClient = useQueryClient();
  const follow = useFollowTask();
  return (
    <Group gap="xs">
      <ConfirmButton
        label={text.rebuild}
        question={text.rebuildQuestion(name)}
        explanation={text.rebuildExplanation}
        act={() => follow(mneme.system.rebuild(name))}
      />
      <ConfirmButton
        label={text.verify}
        question={text.verifyQuestion(name)}
        explanation={text.verifyExplanation}
        act={() => follow(mneme.system.verify(name))}
      />
      <ConfirmButton
        label={text.rollBack}
        question={text.rollBackQuestion(name)}
        explanation={text.rollBackExplanation}
        act={async () => {
          await mneme.system.rollBack(name);
          await queryClient.invalidateQueries({ queryKey: ['system'] });
        }}
      />
    </Group>
  );
}

export function RebuildServices() {
  const follow = useFollowTask();
  return (
    <Stack>
      <Title order={2}>{text.rebuildService}</Title>
      <Group>
        {services.map((service) => (
          <ConfirmButton
            key={service}
            label={`${text.rebuild} ${service}`}
            question={text.rebuildQuestion(service)}
            explanation={text.rebuildServiceExplanation}
            act={() => follow(mneme.system.rebuildService(service))}
          />
        ))}
      </Group>
    </Stack>
  );
}

/** Leads to where the progress is shown. */
function useFollowTask() {
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  return async (begun: Promise<unknown>) => {
    await begun;
    await queryClient.invalidateQueries({ queryKey: ['system'] });
    await navigate({ search: { tab: 'tasks' } });
  };
}
