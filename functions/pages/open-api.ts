import type { pages } from '../../lib/contract/operations/pages.ts'
import type { Config } from '../../lib/core/config.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

let creation: ReturnType<typeof createDocument> | undefined

/** Creates the document once per process: it never changes, and creating it is expensive. */
export const getOpenApi: UseCase<typeof pages.getOpenApi> = async (_, { config }) => {
  creation ??= createDocument(config)
  return { status: 200, body: await creation }
}

const createDocument = async (config: Config) => {
  // These import every declaration and every model of the service, which no page needs.
  const [{ operations }, { buildOpenApi }] = await Promise.all([
    import('../../lib/contract/operations.ts'),
    import('../../lib/http/open-api.ts'),
  ])
  return buildOpenApi(operations, config)
}
