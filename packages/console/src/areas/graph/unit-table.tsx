import { Anchor, Box, Table, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import type { Node } from './filter-graph.ts';

const text = en.graph.table;
const rowHeight = 64;
const overscan = 8;

interface UnitTableProps {
  readonly nodes: readonly Node[];
  readonly selected: string | undefined;
  readonly onSelect: (unitId: string) => void;
}

/** The memories as rows. Only those that can be seen are in the page. */
export function UnitTable({ nodes, selected, onSelect }: UnitTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: nodes.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan,
    getItemKey: (index) => nodes[index]?.id ?? index,
  });
  const items = rows.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <Box ref={frame} component="section" className="unit-table" tabIndex={0} aria-label={text.label}>
      <Table stickyHeader miw={640} layout="fixed" aria-rowcount={nodes.length + 1}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="45%">{text.columns.text}</Table.Th>
            <Table.Th>{text.columns.type}</Table.Th>
            <Table.Th>{text.columns.date}</Table.Th>
            <Table.Th>{text.columns.entities}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Space height={before} />
          {items.map(({ index, key, size }) => {
            const node = nodes[index];
            return (
              node && (
                <UnitRow
                  key={key}
                  node={node}
                  row={index + 2}
                  height={size}
                  isSelected={node.id === selected}
                  onSelect={onSelect}
                />
              )
            );
          })}
          <Space height={after} />
        </Table.Tbody>
      </Table>
    </Box>
  );
}

/** Instead of the rows that cannot be seen. */
function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={4} style={{ height }} />
    </tr>
  );
}

interface UnitRowProps extends Pick<UnitTableProps, 'onSelect'> {
  readonly node: Node;
  /** Its place in the whole table, from 1. */
  readonly row: number;
  readonly height: number;
  readonly isSelected: boolean;
}

function UnitRow({ node, row, height, isSelected, onSelect }: UnitRowProps) {
  return (
    <Table.Tr aria-rowindex={row} h={height} {...(isSelected && { 'aria-current': true })}>
      <Table.Td>
        <Anchor
          component="button"
          ta="left"
          size="sm"
          lineClamp={2}
          className="user-text"
          onClick={() => onSelect(node.id)}
        >
          {node.text}
        </Anchor>
      </Table.Td>
      <Table.Td>{en.factTypes[node.type]}</Table.Td>
      <Table.Td>
        <Time value={node.date} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" lineClamp={2} className="user-text">
          {node.entities === '' ? en.none : node.entities}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
