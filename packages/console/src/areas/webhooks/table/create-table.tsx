import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import type { Column } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mneme } from '../../../app/client.ts';
import { DialogButton } from '../../../components/forms/dialog-button.tsx';
import { MutationForm } from '../../../components/forms/mutation-form.tsx';
import { useCommand } from '../../../components/forms/use-command.ts';
import { en } from '../../../text/en.ts';

interface CreateTableProps {
  readonly projectId: number;
}

interface TypedColumn {
  /** Tells columns apart while they are typed. */
  readonly key: number;
  readonly column_name: string;
  readonly type: Column['type'];
}

const text = en.tables;
const types: readonly Column['type'][] = [
  'text',
  'number',
  'date',
  'checkbox',
  'url',
  'email',
  'longtext',
  'multiselect',
  'datetime',
];

export function CreateTable({ projectId }: CreateTableProps) {
  return (
    <DialogButton variant="default" label={text.create} title={text.create}>
      {(close) => <TableForm projectId={projectId} onCancel={close} />}
    </DialogButton>
  );
}

function TableForm({ projectId, onCancel }: CreateTableProps & { readonly onCancel: () => void }) {
  const [name, setName] = useState('');
  const [columns, setColumns] = useState<readonly TypedColumn[]>([]);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const command = useCommand();
  const create = useMutation({
    mutationFn: () => {
      const table = { name, columns: columns.map(({ key: _, ...column }) => column) };
      return command({ projectId, table }, (options) => mneme.tables.create(projectId, table, options));
    },
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['tables', 'list'] });
      await navigate({
        to: '/webhooks/tables/$tableId',
        params: { tableId: String(id) },
        search: { project: projectId },
      });
    },
  });
  const add = () => {
    const key = Math.max(0, ...columns.map((column) => column.key)) + 1;
    setColumns([...columns, { key, column_name: '', type: 'text' }]);
  };
  const change = (key: number, changes: Partial<TypedColumn>) =>
    setColumns(columns.map((column) => (column.key === key ? { ...column, ...changes } : column)));
  return (
    <MutationForm mutation={create} submit={text.submit} onCancel={onCancel}>
      <TextInput
        label={text.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        required
      />
      <Text size="sm">{text.columnsHint}</Text>
      {columns.map(({ key, column_name, type }, index) => (
        <Group key={key} align="end" wrap="nowrap">
          <TextInput
            aria-label={text.columnName(index + 1)}
            value={column_name}
            onChange={(event) => change(key, { column_name: event.currentTarget.value })}
            required
          />
          <Select
            aria-label={text.columnType(index + 1)}
            data={types}
            value={type}
            onChange={(value) => value !== null && change(key, { type: value })}
            allowDeselect={false}
          />
          <Button
            variant="default"
            aria-label={text.removeColumn(index + 1)}
            onClick={() => setColumns(columns.filter((column) => column.key !== key))}
          >
            ×
          </Button>
        </Group>
      ))}
      <Group>
        <Button variant="default" size="compact-md" onClick={add}>
          {text.addColumn}
        </Button>
      </Group>
    </MutationForm>
  );
}
