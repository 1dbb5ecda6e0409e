import { describeWait } from '../../lib/core/describe-wait.ts'
import type { ErrorPage } from '../../lib/http/error-handler.ts'
import { fillTemplate } from '../../lib/http/fill-template.ts'
import type { Problem } from '../../lib/http/problem.ts'
import type { Services } from '../../lib/services.ts'
import { builtPages } from './pages.prebuilt.ts'

/** The page for a person whose sign-in or sign-out for an app failed, and whose app cannot show the error. */
export const oidcErrorPage =
  ({ config }: Services): ErrorPage =>
  (problem, { rawPath }) => {
    const { html, headers } = builtPages.error
    const { title, message } = describeProblem(problem, rawPath.startsWith('/oauth2/logout'))
    const texts = { title, message, signInUrl: config.signInUrl, requestId: problem.requestId }
    return { html: fillTemplate(html, texts), headers }
  }

/** Describes what went wrong and what to do next, without a technical term. */
const describeProblem = ({ code, reason, headers }: Problem, isLogout: boolean) => {
  if (code === 'too_many_requests')
    return {
      title: 'Too many attempts',
      message: `Wait ${describeWait(Number(headers['retry-after']))}, then try again.`,
    }
  if (reason === 'authorization_expired')
    return {
      title: 'This sign-in is no longer valid',
      message:
        'It was completed, has expired, or was started in another browser. Go back to the app and sign in again.',
    }
  if (code === 'invalid_request' || code === 'payload_too_large')
    return isLogout
      ? {
          title: 'Sign-out failed',
          message: 'The app sent a request that is not valid. You are still signed in.',
        }
      : {
          title: 'Sign-in failed',
          message:
            'The app sent a request that is not valid. Go back to the app, or contact the people who run it.',
        }
  return { title: 'Something went wrong', message: 'Go back to the app and try again.' }
}
