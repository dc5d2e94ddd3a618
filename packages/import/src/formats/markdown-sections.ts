export interface Section {
  /** The headings above it, the outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** Splits Markdown at its headings (`# ...`). Those inside of fenced code are none. */
export function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  let headings: (string | undefined)[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const end = () => {
    sections.push({ headings: headings.filter((heading) => heading !== undefined), text: lines.join('\n') });
    lines = [];
  };
  for (const line of markdown.split(/\r?\n/)) {
    const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) : null;
    if (heading) {
      end();
      const level = heading[1]?.length ?? 1;
      headings = [...Array.from({ length: level - 1 }, (_, index) => headings[index]), titleOf(heading[2] ?? '')];
    } else lines.push(line);
    fence = fenceAfter(line, fence);
  }
  end();
  return sections.filter(({ text }) => text.trim() !== '');
}

/** `## Title ##` may end as it begins. */
function titleOf(text: string): string {
  return text
    .trim()
    .replace(/[ \t]#+$/, '')
    .trim();
}

/** The fence of code that a line is in or opens: only the same character, as often or oftener, closes it. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (fence === undefined) return open;
  if (open === undefined) return fence;
  return fence.startsWith(open) ? undefined : open;
}
