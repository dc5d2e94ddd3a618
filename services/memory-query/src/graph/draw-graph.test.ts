import { graphSchema } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { linkId } from '../read-model/link-rows.ts';
import { createRows } from '../testing/rows.ts';
import { drawGraph } from './draw-graph.ts';

const maxReplyBytes = 4_000_000;
const rows = createRows();
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('a drawn unit', () => {
  it('is a node, a Cytoscape element and a table row', async () => {
    const entities = [
      { name: 'Alice', type: 'PERSON' as const },
      { name: 'Lisbon', type: 'PLACE' as const },
    ];
    const unit = rows.unit('Alice moved to Lisbon in the spring of 2026.', { context: 'a letter', entities });
    const { nodes, table_rows, total_units } = await drawGraph([unit], [], 7);
    const date = unit.eventDate.toISOString();
    const shown = {
      id: unit._id,
      text: unit.text,
      context: 'a letter',
      date,
      entities: 'Alice (PERSON), Lisbon (PLACE)',
    };
    const node = { ...shown, label: 'Alice moved to Lisbon in the s...', type: 'world', color: '#4e79a7' };
    expect(nodes).toEqual([{ ...node, data: node }]);
    expect(table_rows).toEqual([shown]);
    expect(total_units).toBe(7);
  });

  it.each([
    ['x'.repeat(30), 'x'.repeat(30)],
    ['x'.repeat(31), `${'x'.repeat(30)}...`],
    ['🦜'.repeat(30), '🦜'.repeat(30)],
    ['🦜'.repeat(31), `${'🦜'.repeat(30)}...`],
    ['', ''],
  ])('is labelled with its first 30 characters: %s', async (text, label) => {
    expect((await drawGraph([rows.unit(text)], [], 1)).nodes[0]?.label).toBe(label);
  });

  it('has a colour for each type', async () => {
    const units = (['world', 'agent', 'opinion'] as const).map((factType) => rows.unit('x', { factType }));
    const { nodes } = await drawGraph([...units, ...units], [], 6);
    expect(new Set(nodes.map(({ color }) => color)).size).toBe(3);
    expect(nodes[0]?.color).toBe(nodes[3]?.color);
  });

  it('shows 500 characters of its context', async () => {
    const { nodes } = await drawGraph([rows.unit('x', { context: 'c'.repeat(600) })], [], 1);
    expect(nodes[0]?.context).toBe(`${'c'.repeat(500)}…`);
  });
});

it('draws links with both ends, type, weight, style and the shared entity', async () => {
  const [older, younger] = [rows.unit('x'), rows.unit('y')];
  const link = rows.link(older, younger, { type: 'entity', weight: 0.25, entity: 'Alice' });
  const style = { color: '#ffd700', lineStyle: 'solid' };
  const ends = { source: older._id, target: younger._id };
  expect((await drawGraph([younger, older], [link], 2)).edges).toEqual([
    {
      from: older._id,
      to: younger._id,
      type: 'entity',
      weight: 0.25,
      ...style,
      data: { id: linkId(link), ...ends, linkType: 'entity', weight: 0.25, entityName: 'Alice', ...style },
    },
  ]);
});

describe('a reply stays below 4 MB', () => {
  const [a, b] = [rows.unit('a'), rows.unit('b')];
  const manyLinks = Array.from({ length: 5_000 }, (_, index) =>
    rows.link(a, b, { type: 'entity', weight: 1 - index / 5_000, entity: 'Ж'.repeat(300) }),
  );

  it.each([
    ['plain texts', 'lorem ipsum '.repeat(80)],
    ['long texts', 'x'.repeat(20_000)],
    ['texts of wide characters', '🦜'.repeat(1_000)],
    ['texts that JSON has to escape', '\u0001'.repeat(1_000)],
  ])('with 1000 units of %s and all their links', async (_, text) => {
    const entities = Array.from({ length: 50 }, () => ({ name: text.slice(0, 60), type: 'PERSON' as const }));
    const units = Array.from({ length: 1_000 }, () => rows.unit(text, { context: text, entities }));
    const graph = await drawGraph(units, manyLinks, 100_000);
    expect(bytesOf(graph)).toBeLessThan(maxReplyBytes);
    expect(graph.nodes).toHaveLength(1_000);
    expect(graph.edges.length).toBeGreaterThan(500);
    expect(graph.edges.at(0)?.weight).toBe(1);
    expect(graphSchema.parse(JSON.parse(JSON.stringify(graph)))).toEqual(graph);
  });

  it('without truncating texts that fit', async () => {
    const units = Array.from({ length: 100 }, () => rows.unit('x'.repeat(3_000)));
    const { nodes } = await drawGraph(units, [], 100);
    expect(nodes.map(({ text }) => text.length)).toEqual(units.map(() => 3_000));
  });
});
