import { type Finding, judge } from './judge.ts';
import type { PastedCorpus } from './pasted-texts.ts';
import type { Reader } from './readers.ts';

export async function measurePasted({ texts, storedAt }: PastedCorpus, read: Reader): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const text of texts) findings.push(...judge(text, await read(text, storedAt)));
  return findings;
}
