import type { pages } from '../../lib/contract/operations/pages.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

export const getOpenApi: UseCase<typeof pages.getOpenApi> = async (_, { config }) => {
  // Every declaration and every model of the service: no page needs them.
  const [{ operations }, { openApi }] = await Promise.all([
    import('../../lib/contract/operations.ts'),
    import('../../lib/http/open-api.ts'),
  ])
  return { status: 200, body: openApi(operations, config) }
}
