import type { ErrorPage } from '../../lib/http/error-handler.ts'
import { fillTemplate } from '../../lib/http/fill-template.ts'
import type { Problem } from '../../lib/http/problem.ts'
import type { Services } from '../../lib/services.ts'
import { findSamlProvider } from '../../lib/store/saml/saml-providers.ts'
import { describeError } from './error-messages.ts'
import { builtPages } from './error-page.prebuilt.ts'

/**
 * The page for a person whose way to or from an identity provider failed. It offers a way to try again: the address
 * that the error names, otherwise the start of a sign-in with the same provider, if the provider exists.
 */
export const samlErrorPage =
  (services: Services): ErrorPage =>
  async (problem, { rawPath }) => {
    const provider = await findProviderName(services, problem, rawPath)
    const { title, message } = describeError(problem, rawPath, provider)
    const retryUrl =
      problem.tryAgain === undefined ? startUrlOf(problem, rawPath, provider) : problem.tryAgain
    const page = builtPages.error
    const html = fillTemplate(page.html, {
      title,
      message,
      provider,
      retryUrl: retryUrl ?? undefined,
      signInUrl: services.config.signInUrl,
      requestId: problem.requestId,
    })
    return { html, headers: page.headers }
  }

/** Returns the name of the provider in the path. The page must also work without it, so errors are only logged. */
const findProviderName = async (
  { table, log }: Services,
  { code }: Problem,
  path: string,
): Promise<string | undefined> => {
  const [, id] = /^\/api\/2\/auth\/saml\/(\d{1,10})\//.exec(path) ?? []
  if (id === undefined || code === 'not_found') return undefined
  try {
    return (await findSamlProvider(table, Number(id)))?.name
  } catch (error) {
    log.warn('saml.provider_not_named', { error })
    return undefined
  }
}

/** Returns where the sign-in starts again; null if the provider is unknown. */
const startUrlOf = ({ code }: Problem, path: string, provider: string | undefined): string | null => {
  if (code === 'not_found' || (code === 'invalid_request' && provider === undefined)) return null
  const start = /^(\/api\/2\/auth\/saml\/\d{1,10}\/sso)(?:\/return)?$/
  return start.exec(path.replace(/\/assertion$/, '/sso'))?.[1] ?? null
}
