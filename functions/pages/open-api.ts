import type { pages } from '../../lib/contract/operations/pages.ts'
import type { Config } from '../../lib/core/config.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

let making: ReturnType<typeof make> | undefined

/** The document is the same as long as this process lives, and making it takes far longer than answering with it. */
export const getOpenApi: UseCase<typeof pages.getOpenApi> = async (_, { config }) => {
  making ??= make(config)
  return { status: 200, body: await making }
}

const make = async (config: Config) => {
  // Every declaration and every model of the service: no page needs them.
  const [{ operations }, { buildOpenApi }] = await Promise.all([
    import('../../lib/contract/operations.ts'),
    import('../../lib/http/open-api.ts'),
  ])
  return buildOpenApi(operations, config)
}
