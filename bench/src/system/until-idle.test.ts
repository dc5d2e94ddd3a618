import { expect, test } from 'vitest';
import { workDone } from './until-idle.ts';

test('work is what was appended, embedded, and written to or found in Qdrant', () => {
  const metrics = `# HELP mneme_events_appended_total How many
mneme_events_appended_total{stream="MEMORY",type="FactsExtracted"} 3
mneme_events_appended_total{stream="ACCESS",type="KeyIssued"} 2
mneme_model_calls_total{model="a b",kind="embed"} 4
mneme_qdrant_request_duration_seconds_count{operation="upsert",outcome="done"} 10
mneme_qdrant_request_duration_seconds_count{operation="retrieve",outcome="ok"} 7
mneme_qdrant_request_duration_seconds_sum{operation="upsert",outcome="done"} 0.25
mneme_http_request_duration_seconds_count{route="/metrics"} 100`;
  expect(workDone(metrics)).toBe(19);
});
