import { Anchor, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { en } from '../../text/en.ts';
import type { Picture } from './trace.ts';

const text = en.search.trace;
/** The units with the greatest activation; more than that could not be told apart. */
const maxUnits = 20;
const size = 420;
const ring = 165;
const maxRadius = 18;
const maxWidth = 6;
const stepColors = { match: 'blue.8', neighbours: 'teal.8', documents: 'orange.8', links: 'grape.8' } as const;

type Unit = Picture['units'][number];
type Source = Picture['steps'][number]['units'][number]['from'][number];

/** What spread from one unit to another in a step. */
interface Spread extends Pick<Source, 'type' | 'amount'> {
  readonly from: string;
  readonly to: string;
}

interface ActivationPictureProps {
  readonly picture: Picture;
  readonly onSelect: (unitId: string) => void;
}

/** How activation came to the best units, one step after another: what they matched themselves, then what spread to them. */
export function ActivationPicture({ picture, onSelect }: ActivationPictureProps) {
  const names = picture.steps.map(({ name }) => name);
  const [step, setStep] = useState(0);
  const units = picture.units.slice(0, maxUnits);
  const most = Math.max(...units.map(({ id }) => activationAfter(picture, names.length - 1, id)), Number.MIN_VALUE);
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={text.step}
        value={String(step)}
        onChange={(value) => setStep(Number(value))}
        data={names.map((name, index) => ({ value: String(index), label: text.steps[name] }))}
        className="steps"
      />
      <Text size="sm" aria-live="polite">
        {text.stepExplanations[names[step] ?? 'match']}
      </Text>
      <div className="activation">
        <Ring picture={picture} units={units} step={step} most={most} />
        <ol className="activation-list">
          {units.map((unit, index) => (
            <li key={unit.id}>
              <Anchor
                component="button"
                ta="left"
                size="sm"
                c="inherit"
                lineClamp={1}
                className="user-text"
                onClick={() => onSelect(unit.id)}
              >
                {index + 1}. {unit.text}
              </Anchor>
              <Progress.Root size="sm">
                {picture.steps.slice(0, step + 1).map(({ name, units: added }) => {
                  const amount = added.find(({ id }) => id === unit.id)?.added ?? 0;
                  if (amount === 0) return null;
                  const label = text.added(text.steps[name], amount);
                  return (
                    <Progress.Section
                      key={name}
                      value={(100 * amount) / most}
                      color={stepColors[name]}
                      aria-label={label}
                    />
                  );
                })}
              </Progress.Root>
            </li>
          ))}
        </ol>
      </div>
      {!picture.is_complete && <Text size="sm">{text.incomplete}</Text>}
    </Stack>
  );
}

interface RingProps {
  readonly picture: Picture;
  readonly units: readonly Unit[];
  readonly step: number;
  readonly most: number;
}

/** The units on a ring, as large as they are active, and what spread in this step as lines between them. */
function Ring({ picture, units, step, most }: RingProps) {
  const places = new Map(units.map(({ id }, index) => [id, placeOf(index, units.length)]));
  const spreads = spreadsOf(picture, step).filter(({ from, to }) => places.has(from) && places.has(to) && from !== to);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="ring"
      role="img"
      aria-label={text.ring(units.length, spreads.length)}
    >
      {spreads.map((spread) => (
        <SpreadLine key={`${spread.from} ${spread.to} ${spread.type}`} spread={spread} places={places} most={most} />
      ))}
      {units.map(({ id, text: shown }, index) => {
        const { x, y } = placeOf(index, units.length);
        const radius = 3 + (maxRadius - 3) * Math.sqrt(activationAfter(picture, step, id) / most);
        return (
          <g key={id}>
            <circle cx={x} cy={y} r={radius} className={`node ${activationAfter(picture, step, id) > 0 ? '' : 'idle'}`}>
              <title>{shown}</title>
            </circle>
            <text {...labelPlace(index, units.length)} className="node-label">
              {index + 1}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

interface SpreadLineProps {
  readonly spread: Spread;
  readonly places: ReadonlyMap<string, Place>;
  readonly most: number;
}

function SpreadLine({ spread: { from, to, type, amount }, places, most }: SpreadLineProps) {
  const [start, end] = [places.get(from), places.get(to)];
  if (!start || !end) return null;
  const middle = size / 2;
  return (
    <path
      d={`M ${start.x} ${start.y} Q ${middle} ${middle} ${end.x} ${end.y}`}
      className={`spread spread-${type}`}
      strokeWidth={0.75 + (maxWidth * amount) / most}
    >
      <title>{text.added(text.spreadKinds[type], amount)}</title>
    </path>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function placeOf(index: number, count: number, distance = ring): Place {
  const angle = (2 * Math.PI * index) / count - Math.PI / 2;
  return { x: size / 2 + distance * Math.cos(angle), y: size / 2 + distance * Math.sin(angle) };
}

function labelPlace(index: number, count: number): Place {
  const { x, y } = placeOf(index, count, ring + maxRadius + 12);
  return { x, y: y + 4 };
}

function spreadsOf({ steps }: Picture, step: number): Spread[] {
  const units = steps[step]?.units ?? [];
  return units.flatMap(({ id, from }) =>
    from.map((source) => ({ from: source.id, to: id, type: source.type, amount: source.amount })),
  );
}

/** The activation of a unit after a step, counted from 0. */
function activationAfter({ steps }: Picture, step: number, unitId: string): number {
  return steps
    .slice(0, step + 1)
    .reduce((sum, { units }) => sum + (units.find(({ id }) => id === unitId)?.added ?? 0), 0);
}
