import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useScrollIntoView } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { Answer } from './answer.tsx';
import {
  ask,
  askAgain,
  clearConversation,
  type Exchange,
  nextQuestion,
  prepareQuestion,
  type ThinkSettings,
  useConversation,
} from './conversation.ts';
import { SettingsForm } from './settings-form.tsx';
import './think.css';

const text = en.think;

export function Conversation({ agentId }: { readonly agentId: string }) {
  const exchanges = useConversation(agentId);
  const [settings, setSettings] = useState(() => nextQuestion(agentId).settings);
  const choose = (chosen: ThinkSettings) => {
    setSettings(chosen);
    prepareQuestion(agentId, { settings: chosen });
  };
  const { targetRef, scrollIntoView } = useScrollIntoView<HTMLDivElement>({ duration: 0 });
  const last = exchanges.at(-1)?.id;
  useEffect(() => {
    if (last !== undefined) scrollIntoView({ alignment: 'center' });
  }, [last, scrollIntoView]);
  return (
    <Stack maw={860}>
      {exchanges.length === 0 && <Text>{text.empty}</Text>}
      <Stack role="log" aria-label={text.log} gap="lg">
        {exchanges.map((exchange) => (
          <div key={exchange.id} ref={exchange.id === last ? targetRef : null}>
            <ExchangeView agentId={agentId} exchange={exchange} onAgain={() => askAgain(agentId, exchange)} />
          </div>
        ))}
      </Stack>
      <QuestionForm agentId={agentId} onAsk={(question) => void ask(agentId, question, settings)} />
      <SettingsForm settings={settings} onChange={choose} />
      {exchanges.length > 0 && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={() => clearConversation(agentId)}>
            {text.clear}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface ExchangeViewProps {
  readonly agentId: string;
  readonly exchange: Exchange;
  readonly onAgain: () => void;
}

function ExchangeView({ agentId, exchange, onAgain }: ExchangeViewProps) {
  const { question, askedAt, answer, opinions = [], error } = exchange;
  return (
    <Stack gap="xs">
      <Paper p="sm" radius="md" className="question" ml="auto" maw="90%">
        <Text size="xs" c="dimmed">
          {text.you}, <Time value={askedAt} />
        </Text>
        <Text className="user-text">{question}</Text>
      </Paper>
      {answer && <Answer agentId={agentId} answer={answer} opinions={opinions} />}
      {error !== undefined && <ProblemAlert error={error} onRetry={onAgain} />}
      {!answer && error === undefined && (
        <Group gap="xs">
          <Loading />
          <Text size="sm">{text.thinking}</Text>
        </Group>
      )}
    </Stack>
  );
}

interface QuestionFormProps {
  readonly agentId: string;
  readonly onAsk: (question: string) => void;
}

/** Another question can be typed while the agent thinks. */
function QuestionForm({ agentId, onAsk }: QuestionFormProps) {
  const [question, setQuestion] = useState(() => nextQuestion(agentId).draft);
  const type = (draft: string) => {
    setQuestion(draft);
    prepareQuestion(agentId, { draft });
  };
  const submit = () => {
    if (question.trim() === '') return;
    onAsk(question.trim());
    type('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the composition of a character.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="xs">
        <Textarea
          label={text.question}
          description={text.questionHint}
          value={question}
          onChange={({ currentTarget: { value } }) => type(value)}
          onKeyDown={onKeyDown}
          autosize
          minRows={2}
          maxRows={8}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={question.trim() === ''}>
            {text.ask}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
