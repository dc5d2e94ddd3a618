import type { ColumnType } from '@mneme/contracts';

/** The longest text that is not `longtext`, in UTF-16 code units. */
const longestText = 200;

/** The type of a new column, by the JSON text of its first value. */
export function inferType(json: string): ColumnType {
  switch (json[0]) {
    case 'n':
      return 'text';
    case 't':
    case 'f':
      return 'checkbox';
    case '"':
      return typeOfText(JSON.parse(json));
    case '[':
      return 'multiselect';
    default:
      return 'number';
  }
}

function typeOfText(text: string): ColumnType {
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return 'date';
  if (text.startsWith('http://') || text.startsWith('https://')) return 'url';
  if (text.includes('@')) return 'email';
  return text.length > longestText ? 'longtext' : 'text';
}
