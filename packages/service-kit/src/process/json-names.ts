/**
 * Lets `JSON.parse` read escaped names right. V8 (seen in 13.6 of Node 24 and 14.6 of Node 26) takes a name that it expects
 * after the names before it when that equals the beginning of the next name as it is written: after `{"a":1,"caf\\":1}` of
 * anyone, the name in `{"a":1,"caf\u00e9":1}` is read as `caf\`. Text with an escape in a name is read by `readJson` instead.
 * Parsing with a reviver stays as it is.
 */
export function readEscapedNames(): void {
  const { parse } = JSON;
  // Modules may be loaded several times in a process.
  if (parse.name === 'parseEscapedNames') return;
  JSON.parse = function parseEscapedNames(text, reviver) {
    const value = parse(text, reviver);
    return reviver === undefined && typeof text === 'string' && hasEscapedName(text) ? readJson(text, parse) : value;
  };
}

type Parse = (text: string) => unknown;

/** Whether a name of a member has an escape, in text that is JSON. */
export function hasEscapedName(json: string): boolean {
  for (let at = json.indexOf('\\'); at >= 0; at = json.indexOf('\\', at)) {
    at = endOfString(json, at);
    while (isSpace(json.charCodeAt(at))) at += 1;
    if (json[at] === ':') return true;
  }
  return false;
}

/**
 * Reads text that is JSON; names and other values are parsed one by one. As for `JSON.parse`, the last of several members with a
 * name counts, and `__proto__` is a name like any other.
 */
export function readJson(json: string, parse: Parse): unknown {
  const root: unknown[] = [];
  const open: (unknown[] | Record<string, unknown>)[] = [root];
  let name: string | undefined;
  const put = (value: unknown) => {
    const parent = open.at(-1);
    if (Array.isArray(parent)) {
      parent.push(value);
    } else if (name === undefined) {
      name = String(value);
    } else {
      Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
      name = undefined;
    }
  };
  for (let at = 0; at < json.length; ) {
    const char = json[at] ?? '';
    if (char === '{' || char === '[') {
      const child = char === '{' ? {} : [];
      put(child);
      open.push(child);
      at += 1;
    } else if (char === '}' || char === ']') {
      open.pop();
      at += 1;
    } else if (char === ',' || char === ':' || isSpace(char.charCodeAt(0))) {
      at += 1;
    } else {
      const end = char === '"' ? endOfString(json, at + 1) : endOfWord(json, at);
      put(parse(json.slice(at, end)));
      at = end;
    }
  }
  return root[0];
}

/** @param within the index of any character of a string, not in the middle of an escape @returns that behind its closing quote */
function endOfString(json: string, within: number): number {
  let at = within;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === 0x22) return at + 1;
    at += code === 0x5c ? 2 : 1;
  }
  return at;
}

const wordEnd = /[\s,\]}]|$/g;

/** @returns the index behind a number, `true`, `false` or `null` */
function endOfWord(json: string, start: number): number {
  wordEnd.lastIndex = start;
  return wordEnd.exec(json)?.index ?? json.length;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
