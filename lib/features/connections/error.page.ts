import type { ErrorPage } from '../../http/error-handler.ts'
import { choosePageLanguageOf } from '../../http/page.ts'
import type { Problem } from '../../http/problem.ts'
import { signInQuestionPath } from '../../kernel/contract/page-data.ts'
import type { ErrorCode } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { findBranding } from '../branding/find-branding.ts'
import { builtPages } from '../pages/error-page.prebuilt.ts'
import { describeWait, renderPlainPage, type TranslatePlain } from '../pages/plain/plain.page.ts'
import type { ConnectionPaths } from './protocol.ts'
import { protocols } from './protocols.ts'
import { findConnection } from './records.ts'

/**
 * The page for a person whose way to or from an identity provider failed. It offers a way to try again: the address
 * that the error names, otherwise the start of a sign-in with the same provider, if the provider exists.
 */
export const connectionErrorPage =
  (services: Services): ErrorPage =>
  async (problem, event) => {
    const { rawPath } = event
    const { publicUrl, signInUrl } = services.config
    const provider = await findProviderName(services, problem, rawPath)
    const place = { path: rawPath, provider, host: new URL(publicUrl).host }
    const retryUrl =
      problem.page['loginUrl'] ??
      (problem.tryAgain === undefined ? startUrlOf(problem, rawPath, provider) : problem.tryAgain)
    return renderPlainPage(
      builtPages.error,
      await findBranding(services),
      choosePageLanguageOf(event),
      (t) => ({
        ...describeError(t, problem, place),
        provider,
        retryUrl: retryUrl ?? undefined,
        connectUrl: problem.page['connectPath'],
        connect: t('connectAccounts'),
        tryAgain: t('tryAgain'),
        signInUrl,
        goToSignIn: t('goToSignIn'),
        requestNumber: t('requestNumber', { number: problem.requestId }),
      }),
    )
  }

/** Returns the name of the connection of a path. The page must also work without it, so errors are only logged. */
const findProviderName = async (
  { table, log }: Services,
  { code }: Problem,
  path: string,
): Promise<string | undefined> => {
  const id = findPaths(path)?.id ?? questionPath.exec(path)?.[1]
  if (id === undefined || code === 'not_found') return undefined
  try {
    return (await findConnection(table, Number(id)))?.name
  } catch (error) {
    log.warn('connection.not_named', { error })
    return undefined
  }
}

const questionPath = new RegExp(`^${signInQuestionPath}/(\\d{1,10})/`)

interface FoundPaths extends ConnectionPaths {
  readonly id: number
}

/** The paths of the connection that a path belongs to, by the protocol that has such paths. */
const findPaths = (path: string): FoundPaths | undefined =>
  path
    .split('/')
    .filter((part) => /^\d{1,10}$/.test(part))
    .flatMap((part) =>
      [...protocols.values()].map((protocol) => ({ id: Number(part), ...protocol.getPaths(Number(part)) })),
    )
    .find(({ start }) => path.startsWith(start.slice(0, start.lastIndexOf('/') + 1)))

/** Returns where the sign-in starts again; null if the connection is unknown. */
const startUrlOf = ({ code }: Problem, path: string, provider: string | undefined): string | null => {
  if (code === 'not_found' || (code === 'invalid_request' && provider === undefined)) return null
  const paths = findPaths(path)
  const stage = stageOf(path, paths)
  return paths && (stage === 'start' || stage === 'response') ? paths.start : null
}

/** An error as the person in front of the browser sees it. */
interface ErrorDescription {
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
const describeError = (t: TranslatePlain, problem: Problem, place: Place): ErrorDescription => {
  const stage = stageOf(place.path, findPaths(place.path))
  const isRefused = ['no_account', 'sso_required', 'sign_up_refused'].includes(problem.reason ?? '')
  const known = isRefused ? 'notSignedInTitle' : (titles[problem.code] ?? 'wrongTitle')
  const title = stage === 'sign-out' ? 'signOutFailedTitle' : known
  const { host, provider = t('yourProvider') } = place
  const message = messageForReason(t, problem, provider, host) ?? messageForCode(t, problem, stage, provider)
  return { title: t(title), message }
}

type Stage = 'start' | 'response' | 'sign-out' | 'other'

const stageOf = (path: string, paths: ConnectionPaths | undefined): Stage => {
  if (path === paths?.start || path === paths?.end) return 'start'
  if (path === paths?.answer) return 'response'
  return paths?.signOut !== undefined && path.startsWith(paths.signOut) ? 'sign-out' : 'other'
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
  { reason, page: { accountThere, needsInvitation, requiredConnection, refusal } }: Problem,
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
      return [
        accountThere && t('accountThere', { provider, account: accountThere }),
        t('noAccount'),
        needsInvitation && t('needsInvitation', { provider }),
      ]
        .filter(Boolean)
        .join(' ')
    case 'sso_required':
      return requiredConnection && t('otherProvider', { provider: requiredConnection })
    case 'sign_in_refused':
      return refusal
    case 'sign_up_refused':
      return refusal ?? t('signUpRefused')
    case 'organization_inactive':
      return t('organizationInactive')
    case 'organization_full':
      return t('organizationFull')
    case 'not_a_member':
      return t('notMember')
    case 'account_disabled':
      return t('disabled')
    case 'passkey_required':
      return t('secondFactorNeeded')
    case 'account_taken':
      return t('taken', { provider })
    case 'needs_https':
      return t('needsHttps', { provider, host })
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
