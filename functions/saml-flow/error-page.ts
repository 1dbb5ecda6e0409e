import { findBranding } from '../../lib/accounts/common/branding.ts'
import type { ErrorPage } from '../../lib/http/error-handler.ts'
import { choosePageLanguageOf } from '../../lib/http/page-language.ts'
import type { Problem } from '../../lib/http/problem.ts'
import { renderPlainPage } from '../../lib/plain-pages/plain-page.ts'
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
  async (problem, event) => {
    const { rawPath } = event
    const { publicUrl, signInUrl } = services.config
    const provider = await findProviderName(services, problem, rawPath)
    const place = { path: rawPath, provider, host: new URL(publicUrl).host }
    const retryUrl =
      problem.tryAgain === undefined ? startUrlOf(problem, rawPath, provider) : problem.tryAgain
    return renderPlainPage(
      builtPages.error,
      await findBranding(services),
      choosePageLanguageOf(event),
      (t) => ({
        ...describeError(t, problem, place),
        provider,
        retryUrl: retryUrl ?? undefined,
        tryAgain: t('tryAgain'),
        signInUrl,
        goToSignIn: t('goToSignIn'),
        requestNumber: t('requestNumber', { number: problem.requestId }),
      }),
    )
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
