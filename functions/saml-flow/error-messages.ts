import type { ErrorCode } from '../../lib/errors/errors.ts'
import type { Problem } from '../../lib/http/problem.ts'
import { describeWait, type TranslatePlain } from '../../lib/plain-pages/plain-page.ts'

/** An error as the person in front of the browser sees it. */
export interface ErrorDescription {
  readonly title: string
  /** What went wrong and what to do next, without a technical term. */
  readonly message: string
}

interface Place {
  /** The path of the request. */
  readonly path: string
  /** The display name of the identity provider, if it is known. */
  readonly provider: string | undefined
  /** The host of this service. */
  readonly host: string
}

/**
 * Describes an error on the way to or from an identity provider. The details of the API address administrators and
 * developers, so they are not shown. The request number leads to them.
 */
export const describeError = (t: TranslatePlain, problem: Problem, place: Place): ErrorDescription => {
  const stage = stageOf(place.path)
  const title = stage === 'sign-out' ? 'signOutFailedTitle' : (titles[problem.code] ?? 'wrongTitle')
  const { host, provider = t('yourProvider') } = place
  const message =
    messageForReason(t, problem.reason, provider, host) ?? messageForCode(t, problem, stage, provider)
  return { title: t(title), message }
}

type Stage = 'start' | 'response' | 'sign-out' | 'other'

const stageOf = (path: string): Stage => {
  if (/\/sso(\/return)?$/.test(path)) return 'start'
  if (path.endsWith('/assertion')) return 'response'
  return /\/sls(\/return)?$/.test(path) ? 'sign-out' : 'other'
}

type TitleName = Parameters<TranslatePlain>[0] & `${string}Title`

const titles: Partial<Readonly<Record<ErrorCode, TitleName>>> = {
  login_failed: 'notSignedInTitle',
  login_incomplete: 'notSignedInTitle',
  not_authenticated: 'notSignedInTitle',
  permission_denied: 'forbiddenTitle',
  not_found: 'notFoundTitle',
  conflict: 'forbiddenTitle',
  invalid_request: 'didNotWorkTitle',
  too_many_requests: 'tooManyTitle',
}

const messageForReason = (
  t: TranslatePlain,
  reason: string | undefined,
  provider: string,
  host: string,
): string | undefined => {
  switch (reason) {
    case 'no_cookie':
      return t('noCookie', { host })
    case 'unsolicited':
      return t('notStarted', { provider })
    case 'other_browser':
      return t('otherBrowser')
    case 'used_or_late':
    case 'replay':
      return t('ended')
    case 'signed_out':
      return t('signedOut', { provider })
    case 'no_account':
      return t('noAccount')
    case 'account_disabled':
      return t('disabled')
    case 'account_taken':
      return t('taken', { provider })
    case 'force_authn':
      return t('noNewProof', { provider })
    case 'encrypted_assertion':
      return t('oldKey', { provider })
    default:
      return undefined
  }
}

const messageForCode = (
  t: TranslatePlain,
  { code, headers }: Problem,
  stage: Stage,
  provider: string,
): string => {
  switch (code) {
    case 'not_found':
      return t('providerMissing')
    case 'too_many_requests':
      return t('tooMany', { wait: describeWait(t, Number(headers['retry-after'])) })
    case 'not_authenticated':
      return stage === 'start' ? t('signInToLink', { provider }) : t('signInFirst')
    case 'permission_denied':
      return t('forbidden')
    case 'conflict':
      return t('conflict')
    case 'invalid_request':
    case 'payload_too_large':
    case 'unsupported_media_type':
      return unreadableMessage(t, stage, provider)
    case 'login_failed':
    case 'login_incomplete':
      return t('failed', { provider })
    default:
      return t('ourSide')
  }
}

const unreadableMessage = (t: TranslatePlain, stage: Stage, provider: string): string => {
  switch (stage) {
    case 'start':
      return t('startLinkInvalid', { provider })
    case 'response':
      return t('responseUnreadable', { provider })
    case 'sign-out':
      return t('signOutUnreadable', { provider })
    case 'other':
      return t('linkInvalid')
  }
}
