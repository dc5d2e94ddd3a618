import { NumberInput, Stack, Switch, TagsInput, TextInput, Title } from '@mantine/core';
import type { ApiKey } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { MutationForm } from '../../components/mutation-form.tsx';
import { useEdits } from '../../components/use-edits.ts';
import { en } from '../../text/en.ts';
import { knownScopes } from './create-key.tsx';

interface KeySettingsProps {
  readonly projectId: number;
  readonly apiKey: ApiKey;
}

const text = en.keys;

/** What may be changed of a key. */
export function KeySettings({ projectId, apiKey }: KeySettingsProps) {
  const { fields, edits, edit, discard } = useEdits({
    name: apiKey.name,
    scopes: apiKey.scopes,
    rateLimit: apiKey.rate_limit as number | string,
    isActive: apiKey.is_active,
  });
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const { rateLimit, ...others } = edits;
      const limit = rateLimit === undefined ? {} : { rateLimit: Number(rateLimit) };
      return mneme.keys.update(apiKey.id, { projectId, ...others, ...limit });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
      discard();
    },
  });
  return (
    <Stack maw={560}>
      <Title order={2}>{text.settings}</Title>
      <MutationForm mutation={save} submit={text.save} done={text.saved}>
        <TextInput
          label={text.name}
          value={fields.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
          required
        />
        <TagsInput
          label={text.scopes}
          description={text.scopesHint}
          data={knownScopes}
          value={fields.scopes}
          onChange={(scopes) => edit({ scopes })}
        />
        <NumberInput
          label={text.rateLimit}
          value={fields.rateLimit}
          onChange={(rateLimit) => edit({ rateLimit })}
          min={1}
          allowDecimal={false}
          required
        />
        <Switch
          label={text.active}
          description={text.activeHint}
          checked={fields.isActive}
          onChange={(event) => edit({ isActive: event.currentTarget.checked })}
        />
      </MutationForm>
    </Stack>
  );
}
