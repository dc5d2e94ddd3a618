import { Anchor, Button, Group, Stack } from '@mantine/core';
import type { Table } from '@mneme/client';
import { useMutation } from '@tanstack/react-query';
import { mneme } from '../../../app/client.ts';
import { ProblemAlert } from '../../../components/problem.tsx';
import { en } from '../../../text/en.ts';

const text = en.tables;
const formats = ['csv', 'json'] as const;
type Format = (typeof formats)[number];

/** The browser saves what the server streams, so that a table of any size can be had. */
export function ExportTable({ table }: { readonly table: Table }) {
  // Over plain http in a network the server cannot tell that a link is one of this page.
  if (!isSecureContext) return <FetchedExport table={table} />;
  return (
    <Group>
      {formats.map((format) => (
        <Anchor key={format} href={`/api/v3/tables/${table.id}/rows.${format}`} download={`${table.name}.${format}`}>
          {text[format]}
        </Anchor>
      ))}
    </Group>
  );
}

/** Tables as large as the memory of the browser allows. */
function FetchedExport({ table: { id, name } }: { readonly table: Table }) {
  const save = useMutation({
    mutationFn: async (format: Format) => {
      const response = await mneme.tables.export(id, format);
      saveFile(await response.blob(), `${name}.${format}`);
    },
  });
  return (
    <Stack gap="xs">
      <Group>
        {formats.map((format) => (
          <Button
            key={format}
            variant="default"
            size="compact-sm"
            loading={save.isPending && save.variables === format}
            onClick={() => save.mutate(format)}
          >
            {text[format]}
          </Button>
        ))}
      </Group>
      {save.isError && <ProblemAlert error={save.error} />}
    </Stack>
  );
}

function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
