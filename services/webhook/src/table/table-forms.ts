import type { TableReply } from '@mneme/contracts';
import type { StoredTable } from '../webhook-rows/rows.ts';

export function toTable({
  _id: id,
  projectId,
  name,
  displayName,
  columns,
  rowCount,
  createdAt,
}: StoredTable): TableReply {
  return {
    ...{ id, project_id: projectId, name, display_name: displayName },
    columns: columns.map((column, index) => ({
      column_name: column.columnName,
      display_name: column.displayName,
      type: column.type,
      order_index: index,
    })),
    row_count: rowCount,
    created_at: createdAt.toISOString(),
  };
}
