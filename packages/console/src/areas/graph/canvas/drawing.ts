import type { Graph } from '@mneme/client';
import { MultiUndirectedGraph } from 'graphology';
import Sigma from 'sigma';
import type { Settings } from 'sigma/settings';
import type { NodeDisplayData, PartialButFor } from 'sigma/types';
import { colorOf } from '../colors.ts';
import { isLinkKind, type ShownGraph } from '../filter-graph.ts';
import { initialPositions, type LayoutStep, startLayout } from './layout.ts';

/** What is drawn of the graph, and how. */
export interface Look {
  readonly shown: Pick<ShownGraph, 'nodeIds' | 'kinds'>;
  readonly selected: string | undefined;
  readonly colors: Colors;
}

/** As CSS has them. */
export interface Colors {
  readonly text: string;
  readonly background: string;
}

/** A graph on a WebGL canvas. */
export interface Drawing {
  show(look: Look): void;
  zoom(direction: 'in' | 'out' | 'all'): void;
  close(): void;
}

interface DrawingEvents {
  readonly onSelect: (unitId: string) => void;
  /** After the first picture, and after the last one of the layout. */
  readonly onDrawn: (stage: 'first' | 'last') => void;
}

interface NodeFields {
  x: number;
  y: number;
  readonly size: number;
  readonly color: string;
  readonly label: string;
}

interface EdgeFields {
  readonly kind: string;
  readonly weight: number;
  readonly size: number;
  readonly color: string;
}

type MemoryGraph = MultiUndirectedGraph<NodeFields, EdgeFields>;
type Renderer = Sigma<NodeFields, EdgeFields>;

const minNodeSize = 3;
const maxNodeSize = 14;
/** Nodes of smaller graphs are larger. */
const nodeSizes = 30;
const minEdgeSize = 0.3;
const edgeSizes = 3;
/** Up to this many links are drawn in full width; more of them are thinner, to leave something to see between them. */
const wideEdges = 500;
const zoomMs = 200;

/** @throws Error if the browser has no WebGL */
export function drawGraph(container: HTMLElement, graph: Graph, first: Look, events: DrawingEvents): Drawing {
  const drawn = toGraphology(graph);
  let look = first;
  const renderer: Renderer = new Sigma(drawn, container, {
    ...settings(),
    nodeReducer: (id, node) => ({
      ...node,
      hidden: !look.shown.nodeIds.has(id),
      ...(id === look.selected && { highlighted: true, size: maxNodeSize, zIndex: 1 }),
    }),
    edgeReducer: (id, edge) => ({
      ...edge,
      hidden: !look.shown.kinds.has(edge.kind) || !drawn.extremities(id).every((end) => look.shown.nodeIds.has(end)),
    }),
    defaultDrawNodeHover: (context, node, { labelFont }) => drawLabel(context, node, labelFont, look.colors),
  });
  renderer.setSetting('labelColor', { color: look.colors.text });
  renderer.on('clickNode', ({ node }) => events.onSelect(node));
  renderer.on('enterNode', () => container.classList.add('is-over-node'));
  renderer.on('leaveNode', () => container.classList.remove('is-over-node'));
  renderer.once('afterRender', () => events.onDrawn('first'));
  // The renderer follows the window alone; what is around the picture moves it later, or without the window.
  const size = new ResizeObserver(() => renderer.scheduleRefresh());
  size.observe(container);
  const endLayout = layOut(drawn, () => renderer.once('afterRender', () => events.onDrawn('last')));
  return {
    show: (next) => {
      look = next;
      renderer.setSetting('labelColor', { color: next.colors.text });
      renderer.refresh();
    },
    zoom: (direction) => void zoomFor(renderer, direction),
    close: () => {
      endLayout();
      size.disconnect();
      renderer.kill();
    },
  };
}

function settings(): Partial<Settings<NodeFields, EdgeFields>> {
  return {
    allowInvalidContainer: true,
    zIndex: true,
    labelSize: 12,
    labelDensity: 0.5,
    labelRenderedSizeThreshold: 7,
    hideEdgesOnMove: false,
    minCameraRatio: 0.02,
    maxCameraRatio: 4,
  };
}

function toGraphology({ nodes, edges }: Graph): MemoryGraph {
  const graph: MemoryGraph = new MultiUndirectedGraph();
  const degrees = degreesIn(edges);
  // In the order of time, memories of one time stand beside each other.
  const ordered = nodes.toSorted((left, right) => (left.date < right.date ? -1 : 1));
  const positions = initialPositions(nodes.length);
  const least = Math.max(minNodeSize, Math.min(maxNodeSize / 2, nodeSizes / Math.sqrt(nodes.length)));
  for (const [index, { id, type, label }] of ordered.entries()) {
    const size = Math.min(maxNodeSize - 2, least + Math.sqrt(degrees.get(id) ?? 0) / 2);
    graph.addNode(id, {
      x: positions[2 * index] ?? 0,
      y: positions[2 * index + 1] ?? 0,
      size,
      color: colorOf(type),
      label,
    });
  }
  const widest = edgeSizes * Math.min(1, Math.sqrt(wideEdges / edges.length));
  for (const { from, to, type, weight } of edges) {
    if (!isLinkKind(type) || !graph.hasNode(from) || !graph.hasNode(to)) continue;
    graph.addEdge(from, to, { kind: type, weight, size: minEdgeSize + widest * weight ** 2, color: colorOf(type) });
  }
  return graph;
}

function degreesIn(edges: Graph['edges']): ReadonlyMap<string, number> {
  const degrees = new Map<string, number>();
  for (const { from, to } of edges) {
    for (const end of [from, to]) degrees.set(end, (degrees.get(end) ?? 0) + 1);
  }
  return degrees;
}

/** Users who prefer reduced motion see only the end of it. */
function layOut(graph: MemoryGraph, onDone: () => void): () => void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const indexes = new Map(graph.mapNodes((id) => id).map((id, index) => [id, index]));
  const positions = new Float64Array(graph.mapNodes((_id, { x, y }) => [x, y]).flat());
  const edges = graph.mapEdges((_id, { weight }, from, to) => ({
    from: indexes.get(from) ?? 0,
    to: indexes.get(to) ?? 0,
    weight,
  }));
  return startLayout(positions, edges, (step) => {
    if (step.isDone) onDone();
    if (step.isDone || !isStill) move(graph, indexes, step);
  });
}

function move(graph: MemoryGraph, indexes: ReadonlyMap<string, number>, { positions }: LayoutStep): void {
  graph.updateEachNodeAttributes(
    (id, fields) => {
      const index = indexes.get(id) ?? 0;
      fields.x = positions[2 * index] ?? fields.x;
      fields.y = positions[2 * index + 1] ?? fields.y;
      return fields;
    },
    { attributes: ['x', 'y'] },
  );
}

function zoomFor(renderer: Renderer, direction: 'in' | 'out' | 'all'): Promise<void> {
  const camera = renderer.getCamera();
  const animation = { duration: zoomMs };
  if (direction === 'in') return camera.animatedZoom(animation);
  return direction === 'out' ? camera.animatedUnzoom(animation) : camera.animatedReset(animation);
}

type LabelledNode = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'>;

/** The label of the node under the pointer, and of the selected one, on a background of its own. */
function drawLabel(context: CanvasRenderingContext2D, node: LabelledNode, font: string, colors: Colors): void {
  const { x, y, size, label } = node;
  context.font = `13px ${font}`;
  context.beginPath();
  context.arc(x, y, size + 3, 0, 2 * Math.PI);
  context.strokeStyle = colors.text;
  context.lineWidth = 2;
  context.stroke();
  if (!label) return;
  context.fillStyle = colors.background;
  context.fillRect(x + size + 4, y - 11, context.measureText(label).width + 10, 22);
  context.fillStyle = colors.text;
  context.fillText(label, x + size + 9, y + 5);
}
