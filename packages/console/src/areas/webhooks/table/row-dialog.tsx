import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { Row, Table } from '@mneme/client';
import { Dialog } from '../../../components/forms/dialog.tsx';
import { Time } from '../../../components/time.tsx';
import { en } from '../../../text/en.ts';
import { textOf, valueIn } from './row-values.ts';

interface RowDialogProps {
  readonly table: Table;
  /** Undefined: closed. */
  readonly row: Row | undefined;
  readonly onClose: () => void;
}

const text = en.tables;

/** All values of a row, in full. */
export function RowDialog({ table, row, onClose }: RowDialogProps) {
  return (
    <Dialog
      opened={row !== undefined}
      onClose={onClose}
      title={row && text.rowTitle(row.id)}
      size="xl"
      closeLabel={text.close}
    >
      {row && (
        <Stack>
          <Text size="sm">
            {text.received}: <Time value={row.created_at} />
          </Text>
          {table.columns.map(({ column_name: name, display_name, type }) => (
            <Value key={name} name={display_name} type={type} value={textOf(valueIn(row, name))} />
          ))}
          <Group justify="flex-end">
            <Button onClick={onClose}>{text.close}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

interface ValueProps {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

function Value({ name, type, value }: ValueProps) {
  return (
    <Stack gap={4}>
      <Text size="sm" className="user-text">
        {name}{' '}
        <Text span size="xs" c="dimmed">
          {type}
        </Text>
      </Text>
      {value === '' ? (
        <Text>{en.none}</Text>
      ) : (
        <Code block className="user-text" mah={240} tabIndex={0} role="region" aria-label={name}>
          {value}
        </Code>
      )}
    </Stack>
  );
}
