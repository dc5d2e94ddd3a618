import { Box, Progress, Table, Text } from '@mantine/core';
import type { SearchResult } from '@mneme/client';
import { en } from '../../text/en.ts';
import { methods, type Picture } from './trace.ts';

const text = en.search;
const maxRows = 20;

interface MethodsPictureProps {
  readonly picture: Picture;
  readonly results: readonly SearchResult[];
}

/** Results against methods: its rank there, and a bar of its score beside the best of the method. */
export function MethodsPicture({ picture: { found_by }, results }: MethodsPictureProps) {
  const shown = found_by.slice(0, maxRows);
  const texts = new Map(results.map((result) => [result.id, result.text]));
  const best = (name: string) =>
    Math.max(...found_by.flatMap((each) => each.methods.filter(({ method }) => method === name).map((m) => m.score)));
  const used = methods.filter((name) => best(name) > Number.NEGATIVE_INFINITY);
  return (
    <Box component="section" className="wide" tabIndex={0} aria-label={text.trace.tabs.methods}>
      <Table miw={480} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="40%">{text.trace.result}</Table.Th>
            {used.map((name) => (
              <Table.Th key={name}>{text.methods[name]}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ id, methods: found }, index) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Text size="sm" lineClamp={2} className="user-text">
                  {index + 1}. {texts.get(id)}
                </Text>
              </Table.Td>
              {used.map((name) => {
                const method = found.find((each) => each.method === name);
                return (
                  <Table.Td key={name}>
                    {method ? (
                      <>
                        <Text size="xs">{text.trace.rankAndScore(method.rank, method.score)}</Text>
                        <Progress
                          size="sm"
                          value={(100 * method.score) / best(name)}
                          aria-label={text.score(method.score)}
                        />
                      </>
                    ) : (
                      en.none
                    )}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
