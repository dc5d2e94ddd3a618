import './virtual-table.css';
import { Box, Skeleton, Table } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Rows } from './use-pages.ts';

const rowHeight = 44;
const headHeight = 44;
const overscan = 8;

export interface TableColumn<Item> {
  readonly key: string;
  readonly title: ReactNode;
  /** In pixels; the table is at least as wide as its columns together. */
  readonly width: number;
  readonly isNumber?: boolean;
  readonly sort?: 'ascending' | 'descending' | undefined;
  readonly cell: (item: Item) => ReactNode;
}

interface VirtualTableProps<Item> {
  readonly label: string;
  readonly columns: readonly TableColumn<Item>[];
  readonly rows: Rows<Item>;
  /** The most height, in pixels. */
  readonly maxHeight?: number;
}

/** A table of which only the rows in view are drawn, so that it may have any number of them. */
export function VirtualTable<Item>({ label, columns, rows, maxHeight = 560 }: VirtualTableProps<Item>) {
  const scroller = useRef<HTMLDivElement>(null);
  const count = rows.total ?? 0;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
  });
  const shown = virtualizer.getVirtualItems();
  const first = shown.at(0)?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => rows.onView(first, last), [rows, first, last]);
  const minWidth = columns.reduce((sum, { width }) => sum + width, 0);
  const height = Math.min(maxHeight, headHeight + count * rowHeight + 20);
  return (
    <Box ref={scroller} role="region" className="virtual-table" style={{ height }} tabIndex={0} aria-label={label}>
      <Table layout="fixed" stickyHeader style={{ minWidth }} aria-rowcount={count + 1} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, title, width, isNumber, sort }) => (
              <Table.Th key={key} style={{ width }} ta={isNumber ? 'right' : 'left'} aria-sort={sort}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Space height={shown[0]?.start ?? 0} columns={columns.length} />
          {shown.map(({ index }) => (
            <Row key={index} index={index} columns={columns} item={rows.at(index)} />
          ))}
          <Space height={virtualizer.getTotalSize() - (shown.at(-1)?.end ?? 0)} columns={columns.length} />
        </Table.Tbody>
      </Table>
    </Box>
  );
}

interface RowProps<Item> {
  readonly index: number;
  readonly columns: readonly TableColumn<Item>[];
  readonly item: Item | undefined;
}

function Row<Item>({ index, columns, item }: RowProps<Item>) {
  return (
    <Table.Tr aria-rowindex={index + 2} style={{ height: rowHeight }}>
      {columns.map(({ key, cell, isNumber }) => (
        <Table.Td key={key} className="one-line" ta={isNumber ? 'right' : 'left'}>
          {item === undefined ? <Skeleton height={14} /> : cell(item)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** In the place of the rows that are not drawn. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} />
    </tr>
  );
}
