import type { FactType, Graph } from '@mneme/contracts';
import { linkId } from '../read-model/link-rows.ts';
import type { Link } from '../read-model/rows.ts';
import { cut, fitUnits, maxReplyBytes, type ReadUnit, showUnit } from '../units/shown-units.ts';

/** How much of a context is drawn, in characters. */
export const maxContext = 500;
/** What nodes and rows may take of a reply before their texts are truncated; edges get the rest. */
const maxNodeBytes = 2_500_000;
const labelLength = 30;

const colors: Record<FactType, string> = { world: '#4e79a7', agent: '#59a14f', opinion: '#e15759' };

/** As consoles of the original API draw them. */
const lineStyles = {
  temporal: { color: '#00bcd4', lineStyle: 'dashed' },
  semantic: { color: '#ff69b4', lineStyle: 'solid' },
  entity: { color: '#ffd700', lineStyle: 'solid' },
} as const satisfies Record<Link['type'], Pick<Graph['edges'][number], 'color' | 'lineStyle'>>;

/** Lays out units and links, strongest first, as a graph and a table of at most 4 MB. */
export async function drawGraph(
  units: readonly ReadUnit[],
  links: readonly Link[],
  totalUnits: number,
): Promise<Graph> {
  const { units: drawn, bytes } = await fitUnits(units, maxNodeBytes, drawUnit);
  return {
    nodes: drawn.map(({ node }) => node),
    edges: within(links.map(drawLink), maxReplyBytes - bytes),
    table_rows: drawn.map(({ row }) => row),
    total_units: totalUnits,
  };
}

function drawUnit(unit: ReadUnit, maxText: number): { node: Graph['nodes'][number]; row: Graph['table_rows'][number] } {
  const { factType, ...row } = showUnit(unit, maxContext, maxText);
  const { id, ...shown } = row;
  const fields = { id, label: cut(unit.text, labelLength, '...'), type: factType, ...shown, color: colors[factType] };
  return { node: { ...fields, data: fields }, row };
}

function drawLink({ from, to, type, weight, entity }: Link): Graph['edges'][number] {
  const style = lineStyles[type];
  const ends = { id: linkId({ type, from, to }), source: from, target: to };
  return { from, to, type, weight, ...style, data: { ...ends, linkType: type, weight, entityName: entity, ...style } };
}

/** The first items that together take no more than a number of bytes. */
function within<T>(items: readonly T[], bytes: number): T[] {
  let left = bytes;
  const end = items.findIndex((item) => {
    left -= Buffer.byteLength(JSON.stringify(item)) + 1;
    return left < 0;
  });
  return items.slice(0, end < 0 ? undefined : end);
}
