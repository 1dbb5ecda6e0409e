import type { ErrorCode } from '../../lib/core/errors.ts'
import { type Problem, problemKinds } from '../../lib/http/problem.ts'

/** What a page tells somebody whose way to or from an identity provider ended there. */
export interface ErrorWords {
  readonly title: string
  /** What went wrong and what to do next, for whoever has never heard of SAML. */
  readonly sentence: string
}

/**
 * The words for a problem. Where the refusal itself speaks to whoever waits for it, it is repeated; what speaks to those
 * who program with the interface is said anew. `provider` is what people know the identity provider by, if it is known.
 */
export const errorWords = (problem: Problem, path: string, provider: string | undefined): ErrorWords => {
  const { code, detail } = problem
  const isForPeople = code !== 'invalid_request' && detail !== problemKinds[code].detail
  const place = placeOf(path)
  return {
    title: place === 'sign-out' ? 'Signing out did not work' : (titles[code] ?? 'Something went wrong'),
    sentence: isForPeople ? detail : ownSentence(problem, place, provider ?? 'your sign-in provider'),
  }
}

type Place = 'start' | 'answer' | 'sign-out' | 'elsewhere'

const placeOf = (path: string): Place => {
  if (/\/sso(\/return)?$/.test(path)) return 'start'
  if (path.endsWith('/assertion')) return 'answer'
  return /\/sls(\/return)?$/.test(path) ? 'sign-out' : 'elsewhere'
}

const titles: Partial<Readonly<Record<ErrorCode, string>>> = {
  login_failed: 'You are not signed in',
  login_incomplete: 'You are not signed in',
  not_authenticated: 'You are not signed in',
  permission_denied: 'This is not possible',
  not_found: 'There is nothing here',
  conflict: 'This is not possible',
  invalid_request: 'This did not work',
  too_many_requests: 'Too many tries',
}

const ownSentence = ({ code, headers }: Problem, place: Place, provider: string): string => {
  switch (code) {
    case 'not_found':
      return 'What this address names to sign in with is not known here, or no longer is. Go to the sign-in page and choose from what is there.'
    case 'too_many_requests':
      return `There were too many tries. Wait ${waitOf(headers['retry-after'])}, then try again.`
    case 'not_authenticated':
      return 'Go to the sign-in page and sign in, then try again.'
    case 'permission_denied':
      return 'You may not do this. If you should, ask an administrator.'
    case 'conflict':
      return 'Something else changed at the same moment. Try again.'
    case 'invalid_request':
    case 'payload_too_large':
    case 'unsupported_media_type':
      return unreadable(place, provider)
    case 'login_failed':
    case 'login_incomplete':
      return `Signing in with ${provider} did not work. Try again.`
    default:
      return 'Something went wrong on our side. Try again in a moment; if it goes on, tell an administrator the request number below.'
  }
}

const unreadable = (place: Place, provider: string): string => {
  switch (place) {
    case 'start':
      return `The address that led you here, to sign in with ${provider}, is not right. Begin once more, here or at the sign-in page.`
    case 'answer':
      return `What ${provider} sent to sign you in can’t be read. Try again; if it goes on, tell an administrator.`
    case 'sign-out':
      return `What ${provider} sent to sign you out can’t be used, so you may still be signed in here. Go to the sign-in page to see, and sign out there.`
    case 'elsewhere':
      return 'This address is not right. Go to the sign-in page and begin there.'
  }
}

const waitOf = (retryAfter: string | undefined): string => {
  const seconds = Number(retryAfter ?? 60)
  if (seconds === 1) return 'a second'
  return seconds <= 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
