import { Badge, List, Paper, Stack, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RouteLink } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { ConfidenceChart } from './confidence-chart.tsx';
import { type OpinionHistory, type OpinionStep, opinionQuery } from './queries.ts';

const route = getRouteApi('/shell/think/opinions/$unitId');
const text = en.think.opinions;

/** An opinion over time, and why it changed. */
export function OpinionPage() {
  const { unitId } = route.useParams();
  const { agent } = route.useSearch();
  const opinion = useQuery(opinionQuery(unitId, agent));
  return (
    <Stack maw={860}>
      <RouteLink to="/think" search={{ ...(agent !== undefined && { agent }), view: 'opinions' }}>
        {text.back}
      </RouteLink>
      <Title order={1}>{text.page}</Title>
      <Loaded query={opinion}>{(history) => <Opinion history={history} />}</Loaded>
    </Stack>
  );
}

function Opinion({ history }: { readonly history: OpinionHistory }) {
  const { unit_id: unitId, text: opinion, confidence, steps, has_more } = history;
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="xs">
          <Text fz="lg" className="user-text">
            {opinion}
          </Text>
          <Text size="sm">{confidence === null ? text.unknown : text.at(en.percent(confidence))}</Text>
          <RouteLink to="/memories/$unitId" params={{ unitId }} size="sm">
            {text.memory}
          </RouteLink>
        </Stack>
      </Paper>
      <ConfidenceChart steps={steps} />
      <Stack component="section" aria-label={text.why}>
        <Title order={2}>{text.why}</Title>
        {has_more && <Text size="sm">{text.more}</Text>}
        <Timeline active={steps.length} bulletSize={14} lineWidth={2}>
          {steps.map((step, index) => (
            <Timeline.Item key={step.event.id} title={<Badge variant="default">{text.steps[step.reason]}</Badge>}>
              <Step step={step} before={steps[index - 1]} />
            </Timeline.Item>
          ))}
        </Timeline>
      </Stack>
    </>
  );
}

interface StepProps {
  readonly step: OpinionStep;
  readonly before: OpinionStep | undefined;
}

function Step({ step: { time, reason, text: opinion, confidence, facts }, before }: StepProps) {
  const shown = (share: number | null) => (share === null ? en.none : en.percent(share));
  return (
    <Stack gap={4}>
      <Text size="sm">
        <Time value={time} />,{' '}
        {before ? text.from(shown(before.confidence), shown(confidence)) : text.at(shown(confidence))}
      </Text>
      {opinion !== null && opinion !== before?.text && (
        <Text size="sm" className="user-text">
          {opinion}
        </Text>
      )}
      {(facts.length > 0 || reason !== 'corrected') && (
        <Text size="sm">{facts.length === 0 ? text.noFacts : text.because}</Text>
      )}
      <List size="sm">
        {facts.map(({ id, text: fact }) => (
          <List.Item key={id}>
            {fact === null ? (
              text.gone
            ) : (
              <RouteLink to="/memories/$unitId" params={{ unitId: id }} size="sm" className="user-text">
                {fact}
              </RouteLink>
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
