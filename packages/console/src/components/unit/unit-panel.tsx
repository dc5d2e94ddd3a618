import { Alert, Badge, Box, Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core';
import type { Memory } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { en } from '../../text/en.ts';
import { RouteLink } from '../link.tsx';
import { Loaded } from '../loaded.tsx';
import { ProblemAlert } from '../problem.tsx';
import { Time } from '../time.tsx';
import { CorrectUnit } from './correct-unit.tsx';
import { type Field, Fields } from './fields.tsx';
import { ForgetUnit } from './forget-unit.tsx';
import { documentQuery, unitQuery } from './queries.ts';
import { UnitHistory } from './unit-history.tsx';
import { UnitLinks } from './unit-links.tsx';
import { UnitOpinion } from './unit-opinion.tsx';
import { UnitOrigin } from './unit-origin.tsx';
import './unit.css';

const text = en.unit;

export interface UnitPanelProps {
  readonly unitId: string;
  /** Shows another memory, to which this one is linked. */
  readonly onSelect: (unitId: string) => void;
  /** Without it the entities are plain text. */
  readonly onEntity?: ((name: string) => void) | undefined;
  /** Without it the panel cannot be closed. */
  readonly onClose?: (() => void) | undefined;
  readonly onForgotten: () => void;
}

/** A memory: what it says, where it comes from, what it is linked to; it can be corrected and forgotten. */
export function UnitPanel(props: UnitPanelProps) {
  const { unitId, onClose } = props;
  const query = useQuery(unitQuery(unitId));
  const heading = useRef<HTMLHeadingElement>(null);
  const isShown = query.data?.id === unitId;
  useEffect(() => {
    if (isShown) heading.current?.focus();
  }, [isShown]);
  return (
    <Stack component="section" aria-label={text.title} gap="md">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} ref={heading} tabIndex={-1}>
          {text.title}
        </Title>
        {onClose && <CloseButton onClick={onClose} aria-label={text.close} />}
      </Group>
      <Loaded query={query}>{(unit) => <Unit key={unit.id} unit={unit} {...props} />}</Loaded>
    </Stack>
  );
}

function Unit({ unit, onSelect, onEntity, onForgotten }: UnitPanelProps & { readonly unit: Memory }) {
  return (
    <>
      <Text className="user-text">{unit.text}</Text>
      <Group gap="xs">
        <CorrectUnit unit={unit} />
        <ForgetUnit unit={unit} onForgotten={onForgotten} />
      </Group>
      <Fields fields={fieldsOf(unit)} />
      <Entities unit={unit} onEntity={onEntity} />
      {unit.document && <DocumentText agentId={unit.agent_id} documentId={unit.document.id} />}
      <UnitOrigin origin={unit.origin} />
      {unit.opinion && <UnitOpinion steps={unit.opinion} onSelect={onSelect} />}
      <UnitHistory history={unit.history} />
      <UnitLinks unit={unit} onSelect={onSelect} />
    </>
  );
}

function fieldsOf(unit: Memory): Field[] {
  const { document } = unit;
  return [
    [text.fields.agent, unit.agent_id],
    [text.fields.type, en.factTypes[unit.fact_type]],
    [text.fields.date, <Time key="date" value={unit.date} />],
    [text.fields.confidence, unit.confidence === null ? undefined : en.percent(unit.confidence)],
    [text.fields.mentions, unit.mentions.toLocaleString(en.locale)],
    [text.fields.context, unit.context ?? undefined],
    [
      text.fields.document,
      document && <DocumentLink key="document" agentId={unit.agent_id} documentId={document.id} />,
    ],
    [text.fields.place, document ? text.place(document.item, document.fact) : undefined],
    [text.fields.id, unit.id],
  ];
}

function Entities({ unit: { entities }, onEntity }: Pick<UnitPanelProps, 'onEntity'> & { readonly unit: Memory }) {
  return (
    <Stack gap={4}>
      <Title order={3} fz="md">
        {text.entities}
      </Title>
      {entities.length === 0 && <Text size="sm">{text.noEntities}</Text>}
      <Group gap={6}>
        {entities.map(({ name, type }) =>
          onEntity ? (
            <Button key={`${type} ${name}`} size="compact-xs" variant="default" onClick={() => onEntity(name)}>
              {name}
            </Button>
          ) : (
            <Badge key={`${type} ${name}`} variant="default" tt="none" maw="100%">
              {name}
            </Badge>
          ),
        )}
      </Group>
    </Stack>
  );
}

interface DocumentProps {
  readonly agentId: string;
  readonly documentId: string;
}

function DocumentLink({ agentId, documentId }: DocumentProps) {
  return (
    <RouteLink to="/documents/view" search={{ agent: agentId, id: documentId }} size="sm">
      {documentId}
    </RouteLink>
  );
}

/** The whole text of the document, when somebody wants to read it. */
function DocumentText({ agentId, documentId }: DocumentProps) {
  const [isOpen, setOpen] = useState(false);
  const { data, isFetching, error } = useQuery({ ...documentQuery(agentId, documentId), enabled: isOpen });
  return (
    <Stack gap={4}>
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          loading={isFetching && !data}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? text.hideDocument : text.showDocument}
        </Button>
      </Group>
      {isOpen && error && <ProblemAlert error={error} />}
      {isOpen && data && (
        <Alert color="gray" title={data.id} className="user-text">
          <Box component="section" className="unit-document" tabIndex={0} aria-label={text.fields.document}>
            {data.original_text}
          </Box>
        </Alert>
      )}
    </Stack>
  );
}
