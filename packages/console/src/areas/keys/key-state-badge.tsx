import type { ApiKey } from '@mneme/client';
import { StateBadge } from '../../components/state-badge.tsx';
import { en } from '../../text/en.ts';
import { stateOf } from './queries.ts';

const tones = { active: 'good', inactive: 'neutral', expired: 'bad' } as const;

export function KeyStateBadge({ apiKey }: { readonly apiKey: ApiKey }) {
  const state = stateOf(apiKey, Date.now());
  return <StateBadge tone={tones[state]}>{en.keys.states[state]}</StateBadge>;
}
