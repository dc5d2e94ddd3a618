import { Select, Stack, Text } from '@mantine/core';
import type { ApiKey } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { DialogButton } from '../../components/forms/dialog-button.tsx';
import { MutationForm } from '../../components/forms/mutation-form.tsx';
import { useCommand } from '../../components/forms/use-command.ts';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { NewKey } from './new-key.tsx';

interface RotateKeyProps {
  readonly projectId: number;
  readonly apiKey: ApiKey;
}

const text = en.keys;
const overlaps = [0, 3_600, 86_400, 604_800] as const;
const oneDay = '86400';

/** Replaces a key by a new one that has its settings. */
export function RotateKey({ projectId, apiKey }: RotateKeyProps) {
  const [overlap, setOverlap] = useState(oneDay);
  const queryClient = useQueryClient();
  const command = useCommand();
  const rotate = useMutation({
    mutationFn: () => {
      const how = { projectId, overlapSeconds: Number(overlap) };
      return command({ id: apiKey.id, ...how }, (options) => mneme.keys.regenerate(apiKey.id, how, options));
    },
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <DialogButton
      variant="default"
      label={text.rotate}
      title={rotate.isSuccess ? text.regenerated : text.rotateTitle}
      onOpen={rotate.reset}
      modalProps={{ size: 'lg' }}
    >
      {(close) =>
        rotate.isSuccess ? (
          <Stack>
            {rotate.data.old_key_valid_until !== undefined && (
              <Text>
                {text.oldKeyUntil} <Time value={rotate.data.old_key_valid_until} />
              </Text>
            )}
            <NewKey
              issuedKey={rotate.data.key}
              agentId={apiKey.agent_id === null ? undefined : String(apiKey.agent_id)}
              onDone={close}
            />
          </Stack>
        ) : (
          <MutationForm mutation={rotate} submit={text.rotateSubmit} onCancel={close}>
            <Text>{text.rotateHint}</Text>
            <Select
              label={text.overlap}
              data={overlaps.map((seconds) => ({ value: String(seconds), label: text.overlaps[seconds] }))}
              value={overlap}
              onChange={(value) => value !== null && setOverlap(value)}
              allowDeselect={false}
            />
          </MutationForm>
        )
      }
    </DialogButton>
  );
}
