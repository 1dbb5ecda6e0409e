import { describeWait } from '../../lib/core/describe-wait.ts'
import type { ErrorCode } from '../../lib/core/errors.ts'
import { type Problem, problemKinds } from '../../lib/http/problem.ts'

/** An error as the person in front of the browser sees it. */
export interface ErrorDescription {
  readonly title: string
  /** What went wrong and what to do next, without a technical term. */
  readonly message: string
}

/**
 * Describes an error on the way to or from an identity provider. A detail that addresses people is shown as it is. A
 * detail that addresses developers is replaced. `provider` is the display name of the identity provider, if known.
 */
export const describeError = (
  problem: Problem,
  path: string,
  provider: string | undefined,
): ErrorDescription => {
  const { code, detail } = problem
  const isForPeople = code !== 'invalid_request' && detail !== problemKinds[code].detail
  const stage = stageOf(path)
  return {
    title: stage === 'sign-out' ? 'Sign-out failed' : (titles[code] ?? 'Something went wrong'),
    message: isForPeople ? detail : messageFor(problem, stage, provider ?? 'your sign-in provider'),
  }
}

type Stage = 'start' | 'response' | 'sign-out' | 'other'

const stageOf = (path: string): Stage => {
  if (/\/sso(\/return)?$/.test(path)) return 'start'
  if (path.endsWith('/assertion')) return 'response'
  return /\/sls(\/return)?$/.test(path) ? 'sign-out' : 'other'
}

const titles: Partial<Readonly<Record<ErrorCode, string>>> = {
  login_failed: 'You are not signed in',
  login_incomplete: 'You are not signed in',
  not_authenticated: 'You are not signed in',
  permission_denied: 'You cannot do this',
  not_found: 'Page not found',
  conflict: 'You cannot do this',
  invalid_request: 'That did not work',
  too_many_requests: 'Too many attempts',
}

const messageFor = ({ code, headers }: Problem, stage: Stage, provider: string): string => {
  switch (code) {
    case 'not_found':
      return 'This sign-in link refers to an identity provider that is no longer available. Go to the sign-in page and choose another option.'
    case 'too_many_requests':
      return `There were too many attempts. Wait ${describeWait(Number(headers['retry-after']))}, then try again.`
    case 'not_authenticated':
      return 'Go to the sign-in page and sign in, then try again.'
    case 'permission_denied':
      return 'You do not have permission to do this. If you need it, ask an administrator.'
    case 'conflict':
      return 'Someone else made a change at the same time. Try again.'
    case 'invalid_request':
    case 'payload_too_large':
    case 'unsupported_media_type':
      return unreadableMessage(stage, provider)
    case 'login_failed':
    case 'login_incomplete':
      return `Signing in with ${provider} did not work. Try again.`
    default:
      return 'Something went wrong on our side. Try again in a moment. If the problem continues, give an administrator the request number below.'
  }
}

const unreadableMessage = (stage: Stage, provider: string): string => {
  switch (stage) {
    case 'start':
      return `The link that brought you here to sign in with ${provider} is not valid. Start again here or on the sign-in page.`
    case 'response':
      return `We could not read the answer from ${provider}, so you are not signed in. Try again. If the problem continues, contact an administrator.`
    case 'sign-out':
      return `We could not use the answer from ${provider}, so you may still be signed in here. Go to the sign-in page to check, and sign out there.`
    case 'other':
      return 'This link is not valid. Go to the sign-in page and start there.'
  }
}
