import { Anchor, Group } from '@mantine/core';
import type { Table } from '@mneme/client';
import { en } from '../../text/en.ts';

const text = en.tables;

/** The browser saves what the server streams, so that a table of any size can be had. */
export function ExportTable({ table: { id, name } }: { readonly table: Table }) {
  return (
    <Group>
      {(['csv', 'json'] as const).map((format) => (
        <Anchor key={format} href={`/api/v3/tables/${id}/rows.${format}`} download={`${name}.${format}`}>
          {text[format]}
        </Anchor>
      ))}
    </Group>
  );
}
