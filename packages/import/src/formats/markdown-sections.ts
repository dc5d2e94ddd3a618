export interface Section {
  /** The headings above it, the outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

/**
 * Splits Markdown at its headings (`# ...`). Those inside of fenced code are none. A heading that nothing is below, neither
 * text nor another heading, is itself the text of a section.
 */
export function sectionsOf(markdown: string): Section[] {
  const parts: Part[] = [];
  let headings: (string | undefined)[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const end = () => {
    parts.push({ headings, text: lines.join('\n') });
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
  const written = parts.filter((part) => !isBlank(part) || part.headings.at(-1));
  return written.flatMap((part, index) => sectionOf(part, written[index + 1]));
}

/** A heading and the text below it. */
interface Part {
  /** The heading of each level down to its own; undefined for a level that was passed over. */
  readonly headings: readonly (string | undefined)[];
  readonly text: string;
}

function isBlank({ text }: Part): boolean {
  return text.trim() === '';
}

function sectionOf(part: Part, next: Part | undefined): Section[] {
  const { headings, text } = part;
  if (!isBlank(part)) return [{ headings: headings.filter((heading) => heading !== undefined), text }];
  if (next && next.headings.length > headings.length) return [];
  const above = headings.slice(0, -1).filter((heading) => heading !== undefined);
  return [{ headings: above, text: headings.at(-1) ?? '' }];
}

/** `## Title ##` may end as it begins. */
function titleOf(text: string): string {
  return text
    .trim()
    .replace(/[ \t]#+$/, '')
    .trim();
}

/**
 * The fence of code that a line is in or opens: only the same character, as often or oftener and alone, closes it.
 * Code that ends on the line on which it begins, such as ```npm start```, opens none.
 */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  if (open === undefined) return /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return fence?.startsWith(open) ? undefined : open;
}
