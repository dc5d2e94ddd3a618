import { Group, Select } from '@mantine/core';
import type { Me } from '@mneme/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mneme } from '../../app/client.ts';
import { en } from '../../text/en.ts';
import { Loaded } from '../loaded.tsx';
import { CreateProject } from './create-project.tsx';

const meQuery = queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => mneme.me({ signal }) });

interface ProjectSelectProps {
  /** The project of the address; the first one of the user unless given. */
  readonly projectId: number | undefined;
  readonly onChange: (projectId: number) => void;
  /** What there is in the project. */
  readonly children: (projectId: number) => ReactNode;
}

/** Lets a user choose a project, or create one, and shows what is in it. */
export function ProjectSelect(props: ProjectSelectProps) {
  return <Loaded query={useQuery(meQuery)}>{(me) => <ProjectChoice me={me} {...props} />}</Loaded>;
}

function ProjectChoice({ me, projectId, onChange, children }: ProjectSelectProps & { readonly me: Me }) {
  const current = projectId ?? me.spaces.flatMap(({ projects }) => projects)[0]?.id;
  return (
    <>
      <Group align="end">
        <Select
          label={en.project.label}
          data={optionsOf(me, current)}
          value={current === undefined ? null : String(current)}
          onChange={(value) => value !== null && onChange(Number(value))}
          allowDeselect={false}
          searchable
          maw={320}
        />
        <CreateProject me={me} onCreated={onChange} />
      </Group>
      {current !== undefined && children(current)}
    </>
  );
}

/** By space; a project that the address names may be another user's. */
function optionsOf({ spaces }: Me, current: number | undefined) {
  const groups = spaces.map(({ id, name, projects }) => ({
    group: en.project.space(name, id),
    items: projects.map((project) => ({ value: String(project.id), label: en.project.name(project.name, project.id) })),
  }));
  const isKnown = spaces.some(({ projects }) => projects.some(({ id }) => id === current));
  if (isKnown || current === undefined) return groups;
  return [
    ...groups,
    { group: en.project.others, items: [{ value: String(current), label: en.project.other(current) }] },
  ];
}

/** What there is in the project of the address; lets a user choose one where it names none. */
export function InProject(props: ProjectSelectProps) {
  return props.projectId === undefined ? <ProjectSelect {...props} /> : props.children(props.projectId);
}
