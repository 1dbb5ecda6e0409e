import { operations } from '../../lib/contract/operations.ts'
import type { GroupHandler } from '../../lib/http/handler.ts'

/** The ids of the operations that still answer 501, as the functions themselves say. */
export const unbuiltOperations = async (): Promise<readonly string[]> => {
  const groups = [...new Set(operations.map(({ group }) => group))]
  const handlers = await Promise.all(
    groups.map(
      async (group): Promise<GroupHandler> => (await import(`../../functions/${group}/index.ts`)).handler,
    ),
  )
  return handlers.flatMap(({ unbuilt }) => unbuilt).sort()
}
