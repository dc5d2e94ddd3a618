import { NumberInput, Stack, Switch, TagsInput, TextInput, Title } from '@mantine/core';
import type { ApiKey } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { MutationForm } from '../../components/forms/mutation-form.tsx';
import { useEdits } from '../../components/forms/use-edits.ts';
import { en } from '../../text/en.ts';
import { knownScopes } from './create-key.tsx';

interface KeySettingsProps {
  readonly projectId: number;
  readonly apiKey: ApiKey;
}

type Fields = ReturnType<typeof fieldsOf>;

const text = en.keys;

/** What may be changed of a key. */
export function KeySettings({ projectId, apiKey }: KeySettingsProps) {
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ rateLimit, ...others }: Partial<Fields>) => {
      const limit = rateLimit === undefined ? {} : { rateLimit: Number(rateLimit) };
      return mneme.keys.update(apiKey.id, { projectId, ...others, ...limit });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  const { fields, edits, isEdited, edit, discard } = useEdits(fieldsOf(apiKey), save.isPending);
  const mutate = () => save.mutate(edits, { onSuccess: (_, saved) => discard(saved) });
  return (
    <Stack maw={560}>
      <Title order={2}>{text.settings}</Title>
      <MutationForm mutation={{ ...save, mutate }} submit={text.save} done={isEdited ? undefined : text.saved}>
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

function fieldsOf({ name, scopes, rate_limit, is_active }: ApiKey) {
  return { name, scopes, rateLimit: rate_limit as number | string, isActive: is_active };
}
