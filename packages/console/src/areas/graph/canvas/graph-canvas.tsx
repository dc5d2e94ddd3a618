import { Alert, Button, Group, useComputedColorScheme } from '@mantine/core';
import type { Graph } from '@mneme/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { en } from '../../../text/en.ts';
import type { ShownGraph } from '../filter-graph.ts';
import { type Colors, type Drawing, drawGraph, type Look } from './drawing.ts';

const text = en.graph.picture;

interface GraphCanvasProps {
  readonly graph: Graph;
  readonly shown: ShownGraph;
  readonly selected: string | undefined;
  readonly onSelect: (unitId: string) => void;
}

/** Memories as points and links as lines, drawn by WebGL. The table has the same for those who do not see it. */
export function GraphCanvas({ graph, shown, selected, onSelect }: GraphCanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  const [isFailed, setFailed] = useState(false);
  const scheme = useComputedColorScheme();
  const select = useEffectEvent(onSelect);
  const look = (): Look => ({ shown, selected, colors: colorsOf(container.current) });
  const firstLook = useEffectEvent(look);
  const lookAgain = useEffectEvent(() => drawing.current?.show(look()));

  useEffect(() => {
    const place = container.current;
    if (!place) return;
    delete place.dataset.drawn;
    try {
      drawing.current = drawGraph(place, graph, firstLook(), {
        onSelect: select,
        onDrawn: (stage) => {
          place.dataset.drawn = stage;
          performance.mark(`graph-drawn-${stage}`);
        },
      });
    } catch {
      setFailed(true);
    }
    return () => {
      drawing.current?.close();
      drawing.current = undefined;
    };
  }, [graph]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what is looked at again
  useEffect(() => lookAgain(), [shown, selected, scheme]);

  if (isFailed)
    return (
      <Alert color="yellow" title={text.failed}>
        {text.advice}
      </Alert>
    );
  return (
    <div className="graph-frame">
      <div
        ref={container}
        className="graph-canvas"
        role="img"
        aria-label={text.label(shown.nodes.length, shown.edgeCount)}
      />
      <Group className="graph-tools" gap={4}>
        {(['in', 'out', 'all'] as const).map((direction) => (
          <Button key={direction} size="compact-sm" variant="default" onClick={() => drawing.current?.zoom(direction)}>
            {text.zoom[direction]}
          </Button>
        ))}
      </Group>
    </div>
  );
}

function colorsOf(element: HTMLElement | null): Colors {
  const style = getComputedStyle(element ?? document.body);
  return { text: style.color, background: style.getPropertyValue('--mantine-color-body') };
}
