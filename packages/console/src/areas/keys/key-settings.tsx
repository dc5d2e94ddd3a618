import { NumberInput, Stack, Switch, TagsInput, TextInput, Title } from '@mantine/core';
import type { ApiKey } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { MutationForm } from '../../components/mutation-form.tsx';
import { en } from '../../text/en.ts';
import { knownScopes } from './create-key.tsx';

interface KeySettingsProps {
  readonly projectId: number;
  readonly apiKey: ApiKey;
}

const text = en.keys;

/** What may be changed of a key. */
export function KeySettings({ projectId, apiKey }: KeySettingsProps) {
  const [name, setName] = useState(apiKey.name);
  const [scopes, setScopes] = useState(apiKey.scopes);
  const [rateLimit, setRateLimit] = useState<number | string>(apiKey.rate_limit);
  const [isActive, setActive] = useState(apiKey.is_active);
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      // An earlier release let keys have more scopes than may be sent now; they stay.
      const changed = scopes === apiKey.scopes ? null : scopes;
      return mneme.keys.update(apiKey.id, { projectId, name, scopes: changed, rateLimit: Number(rateLimit), isActive });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <Stack maw={560}>
      <Title order={2}>{text.settings}</Title>
      <MutationForm mutation={save} submit={text.save} done={text.saved}>
        <TextInput label={text.name} value={name} onChange={(event) => setName(event.currentTarget.value)} required />
        <TagsInput
          label={text.scopes}
          description={text.scopesHint}
          data={knownScopes}
          value={scopes}
          onChange={setScopes}
        />
        <NumberInput
          label={text.rateLimit}
          value={rateLimit}
          onChange={setRateLimit}
          min={1}
          allowDecimal={false}
          required
        />
        <Switch
          label={text.active}
          description={text.activeHint}
          checked={isActive}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
      </MutationForm>
    </Stack>
  );
}
