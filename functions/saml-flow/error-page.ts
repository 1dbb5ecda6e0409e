import type { ErrorPage } from '../../lib/http/error-handler.ts'
import { escapeHtml, setPage } from '../../lib/http/page.ts'
import type { Problem } from '../../lib/http/problem.ts'
import type { Services } from '../../lib/services.ts'
import { findSamlProvider } from '../../lib/store/saml/saml-providers.ts'
import { errorWords } from './error-words.ts'

/**
 * What went wrong, for somebody on the way to or from an identity provider, with a way to try again: the one that the
 * refusal names, else the plain start of a sign-in with the same provider, if there is such a provider.
 */
export const samlErrorPage =
  (services: Services): ErrorPage =>
  async (problem, { rawPath }) => {
    const provider = await providerName(services, problem, rawPath)
    const { title, sentence } = errorWords(problem, rawPath, provider)
    const start = problem.tryAgain === undefined ? startOf(problem, rawPath, provider) : problem.tryAgain
    const content = [
      `<p role="alert">${escapeHtml(sentence)}</p>`,
      ...(start === null ? [] : [`<p><a href="${escapeHtml(start)}">Try again</a></p>`]),
      `<p><a href="${escapeHtml(services.config.signInUrl)}">Go to the sign-in page</a></p>`,
      `<p><small>${provider === undefined ? '' : `<bdi>${escapeHtml(provider)}</bdi>, `}`,
      `request ${escapeHtml(problem.requestId)}</small></p>`,
    ]
    return setPage(title, content.join('\n'))
  }

/** What people call the provider that the path names; a page must come about without it, too. */
const providerName = async (
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

/** Null for nowhere: what nobody knows can't be tried again. */
const startOf = ({ code }: Problem, path: string, provider: string | undefined): string | null => {
  if (code === 'not_found' || (code === 'invalid_request' && provider === undefined)) return null
  const start = /^(\/api\/2\/auth\/saml\/\d{1,10}\/sso)(?:\/return)?$/
  return start.exec(path.replace(/\/assertion$/, '/sso'))?.[1] ?? null
}
