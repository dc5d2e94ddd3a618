interface LayoutEdge {
  /** Index of a node. */
  readonly from: number;
  readonly to: number;
  /** 0 to 1 */
  readonly weight: number;
}

export interface LayoutRequest {
  /** x and y of each node, one after another. */
  readonly positions: Float64Array;
  readonly edges: readonly LayoutEdge[];
  readonly maxIterations: number;
  readonly maxMs: number;
}

export interface LayoutStep {
  readonly positions: Float64Array;
  readonly isDone: boolean;
}

const maxIterations = 400;
const maxMs = 3_000;
/** Turns each point away from the one before by the golden angle, which spreads points evenly over a disc. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/** Where nodes stand before the layout: evenly on a disc, in their order, always the same. */
export function initialPositions(count: number): Float64Array {
  const positions = new Float64Array(2 * count);
  for (let node = 0; node < count; node += 1) {
    const radius = 10 * Math.sqrt(node + 0.5);
    positions[2 * node] = radius * Math.cos(node * goldenAngle);
    positions[2 * node + 1] = radius * Math.sin(node * goldenAngle);
  }
  return positions;
}

/**
 * Moves nodes that are linked towards each other, in a worker and for a bounded time.
 * @param onStep takes the positions so far @returns ends it
 */
export function startLayout(
  positions: Float64Array,
  edges: readonly LayoutEdge[],
  onStep: (step: LayoutStep) => void,
): () => void {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<LayoutStep>) => {
    onStep(data);
    if (data.isDone) worker.terminate();
  };
  const request: LayoutRequest = { positions, edges, maxIterations, maxMs };
  worker.postMessage(request);
  return () => worker.terminate();
}
