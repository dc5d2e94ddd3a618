import { UndirectedGraph } from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import type { LayoutRequest, LayoutStep } from './layout.ts';

/** The iterations between two looks at the clock. */
const stepIterations = 20;
const settings = { barnesHutOptimize: true, gravity: 0.6, scalingRatio: 8, strongGravityMode: true, slowDown: 4 };

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const { positions, edges, maxIterations, maxMs } = data;
  const graph = new UndirectedGraph();
  for (let node = 0; node < positions.length / 2; node += 1) {
    graph.addNode(node, { x: positions[2 * node], y: positions[2 * node + 1] });
  }
  for (const { from, to, weight } of edges) {
    graph.updateUndirectedEdge(from, to, (known) => ({ weight: (known.weight ?? 0) + weight }));
  }
  const end = performance.now() + maxMs;
  for (let done = 0, isDone = false; !isDone; ) {
    forceAtlas2.assign(graph, { iterations: stepIterations, settings });
    done += stepIterations;
    isDone = done >= maxIterations || performance.now() > end;
    post({ positions: positionsOf(graph), isDone });
  }
};

function positionsOf(graph: UndirectedGraph): Float64Array {
  const positions = new Float64Array(2 * graph.order);
  let index = 0;
  graph.forEachNode((_node, { x, y }) => {
    positions[index] = x;
    positions[index + 1] = y;
    index += 2;
  });
  return positions;
}

function post(step: LayoutStep): void {
  self.postMessage(step, { transfer: [step.positions.buffer] });
}
