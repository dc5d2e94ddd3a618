import { agentsArea } from '../areas/agents/area.ts';
import { documentsArea } from '../areas/documents/area.ts';
import { graphArea } from '../areas/graph/area.ts';
import { keysArea } from '../areas/keys/area.ts';
import { searchArea } from '../areas/search/area.ts';
import { systemArea } from '../areas/system/area.ts';
import { thinkArea } from '../areas/think/area.ts';
import { tourArea } from '../areas/tour/area.ts';
import { webhooksArea } from '../areas/webhooks/area.ts';

/** The areas, in the order of the navigation. */
export const areas = [
  agentsArea,
  graphArea,
  searchArea,
  thinkArea,
  documentsArea,
  keysArea,
  webhooksArea,
  systemArea,
  tourArea,
] as const;
