import { defaultBranding } from '../lib/features/branding/brand.models.ts'
import type { ErrorPage } from '../lib/http/error-handler.ts'
import {
  createHandler,
  type GroupHandler,
  type OperationsByName,
  type UseCases,
} from '../lib/http/handler.ts'
import type { Services } from '../lib/services.ts'

/**
 * Creates the Lambda handler of a group. Every operation of the group needs its use case, by the name of its declaration. A
 * missing use case, or one of the wrong type, does not compile. So a group passes all exports of the files with its use
 * cases. A group that people reach with a browser can have an error page.
 */
export const createGroupHandler = <Operations extends OperationsByName>(
  operations: Operations,
  useCases: UseCases<Operations>,
  createErrorPage?: (services: Services) => ErrorPage,
): GroupHandler => createHandler(operations, useCases, { createMethodPage: loadMethodPage, createErrorPage })

/** The page for people who open the address of an operation. It is loaded on demand, because that is rare. */
const loadMethodPage =
  (services: Services): ErrorPage =>
  async (problem, event) => {
    const { unmatchedErrorPage } = await import('../lib/features/pages/unmatched.page.ts')
    // The functions of other groups may not read the branding.
    return unmatchedErrorPage(services, defaultBranding)(problem, event)
  }

type AnyUseCase = (request: never, services: Services) => Promise<unknown>

/**
 * Use cases of a file that is loaded by their first call, so that the group starts without it. It is for what few people
 * need. A file makes the start smaller only if no other file of the start imports it.
 *
 * @example
 *   createGroupHandler(users, { ...list, ...onDemand(loadMerge, 'mergeUser') })
 */
export const onDemand = <File extends Readonly<Record<Name, AnyUseCase>>, Name extends string>(
  load: () => Promise<File>,
  ...names: readonly Name[]
): Pick<File, Name> => {
  const loading =
    (name: Name): AnyUseCase =>
    async (request, services) => {
      const file = await load()
      return file[name](request, services)
    }
  return Object.fromEntries(names.map((name) => [name, loading(name)])) as Pick<File, Name>
}
