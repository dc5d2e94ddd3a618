import { Select, TextInput } from '@mantine/core';
import type { Me } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { guardCaller } from '../../app/session/identity.ts';
import { en } from '../../text/en.ts';
import { DialogButton } from '../forms/dialog-button.tsx';
import { MutationForm } from '../forms/mutation-form.tsx';
import { useCommand } from '../forms/use-command.ts';

interface CreateProjectProps {
  readonly me: Me;
  readonly onCreated: (projectId: number) => void;
}

const text = en.project;
const newSpace = 'new';

/** A button, and the dialog for a project in a space that exists or in a new one. */
export function CreateProject(props: CreateProjectProps) {
  return (
    <DialogButton variant="default" label={text.create} title={text.create}>
      {(close) => <ProjectForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function ProjectForm({ me, onCreated, onClose }: CreateProjectProps & { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [space, setSpace] = useState(String(me.spaces[0]?.id ?? newSpace));
  const [spaceName, setSpaceName] = useState('');
  const queryClient = useQueryClient();
  const spaceCommand = useCommand();
  const projectCommand = useCommand();
  const create = useMutation({
    mutationFn: async () => {
      const assertSameCaller = guardCaller();
      const isNew = space === newSpace;
      const newOne = { name: spaceName, type: 'team' } as const;
      const spaceId = isNew
        ? (await spaceCommand(newOne, (options) => mneme.spaces.create(newOne, options))).id
        : Number(space);
      // If the project is refused, a second try is for the space that is there now.
      if (isNew) setSpace(String(spaceId));
      assertSameCaller();
      const project = { name, spaceId };
      return projectCommand(project, (options) => mneme.projects.create(project, options));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['me'] }),
    onSuccess: ({ id }) => {
      onCreated(id);
      onClose();
    },
  });
  const spaces = me.spaces.map(({ id, name: spaceName }) => ({ value: String(id), label: text.space(spaceName, id) }));
  return (
    <MutationForm mutation={create} submit={text.submit} onCancel={onClose}>
      <TextInput
        label={text.nameLabel}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        required
      />
      <Select
        label={text.spaceLabel}
        description={text.spaceHint}
        data={[...spaces, { value: newSpace, label: text.newSpace }]}
        value={space}
        onChange={(value) => value !== null && setSpace(value)}
        allowDeselect={false}
      />
      {space === newSpace && (
        <TextInput
          label={text.spaceNameLabel}
          value={spaceName}
          onChange={(event) => setSpaceName(event.currentTarget.value)}
          required
        />
      )}
    </MutationForm>
  );
}
