import { changeItem } from '../../lib/store/maintenance/change-item.ts'
import { migrateItem } from '../../lib/store/maintenance/migrate-item.ts'
import { formatNumber } from '../cli/progress.ts'
import type { TableCommand } from './table-arguments.ts'
import { passTable } from './table-pass.ts'

/** Converts all items to the present version of their kind, and prints a summary. Returns the exit code. */
export const runMigrate = (
  command: Extract<TableCommand, { name: 'migrate' }>,
  signal: AbortSignal,
): Promise<number> => {
  const counts = new Map<string, number>()
  let skipped = 0
  return passTable(
    command,
    { description: 'migrate', signal },
    {
      begin:
        ({ table, now }) =>
        async (item) => {
          const migrated = migrateItem(item, now())
          if (migrated === item) return
          // A concurrent write of the service wins. The next run finds the item again.
          if (command.isDryRun || (await changeItem(table, item, migrated)))
            counts.set(item.sk, (counts.get(item.sk) ?? 0) + 1)
          else skipped += 1
        },
      summarize: (items) => {
        const verb = command.isDryRun ? 'would be migrated' : 'migrated'
        const lines = [...counts].map(([kind, count]) => `${kind}: ${formatNumber(count)} ${verb}`)
        if (skipped > 0)
          lines.push(`${formatNumber(skipped)} items were changed at the same moment. Run the command again.`)
        const sum = [...counts.values()].reduce((total, count) => total + count, 0)
        lines.push(`${formatNumber(items)} items read, ${formatNumber(sum)} ${verb}.`)
        return `${lines.join('\n')}\n`
      },
    },
  )
}
