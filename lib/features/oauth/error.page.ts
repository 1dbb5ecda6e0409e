import type { ErrorPage } from '../../http/error-handler.ts'
import { choosePageLanguageOf } from '../../http/page.ts'
import type { Problem } from '../../http/problem.ts'
import type { Services } from '../../services.ts'
import { findBranding } from '../branding/find-branding.ts'
import { describeWait, renderPlainPage, type TranslatePlain } from '../pages/plain/plain.page.ts'
import { builtPages } from './pages.prebuilt.ts'

/** The page for a person whose sign-in or sign-out for an app failed, and whose app cannot show the error. */
export const oauthErrorPage =
  (services: Services): ErrorPage =>
  async (problem, event) =>
    renderPlainPage(builtPages.error, await findBranding(services), choosePageLanguageOf(event), (t) => ({
      // For the developer of the app. It is English, like all details of problems.
      explanation: services.config.localKeyFile === undefined ? undefined : explain(problem),
      ...describeProblem(t, problem, { isLogout: event.rawPath.startsWith('/oauth2/logout') }),
      signInUrl: services.config.signInUrl,
      goToSignIn: t('goToSignIn'),
      requestNumber: t('requestNumber', { number: problem.requestId }),
    }))

const explain = ({ code, detail, errors = [] }: Problem): string | undefined => {
  if (code !== 'invalid_request') return undefined
  return errors.length > 0 && errors[0]?.field !== 'query'
    ? errors.map(({ field, message }) => `${field} ${message}`).join('\n')
    : detail
}

/** Describes what went wrong and what to do next, without a technical term. */
const describeProblem = (
  t: TranslatePlain,
  { code, reason, headers }: Problem,
  { isLogout }: { readonly isLogout: boolean },
) => {
  if (code === 'too_many_requests') {
    const wait = describeWait(t, Number(headers['retry-after']))
    return { title: t('tooManyTitle'), message: t('tooMany', { wait }) }
  }
  if (reason === 'authorization_expired') return { title: t('expiredTitle'), message: t('appExpired') }
  if (code === 'invalid_request' || code === 'payload_too_large')
    return isLogout
      ? { title: t('signOutFailedTitle'), message: t('appSignOutInvalid') }
      : { title: t('signInFailedTitle'), message: t('appRequestInvalid') }
  return { title: t('wrongTitle'), message: t('appOther') }
}
