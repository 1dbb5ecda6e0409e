import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume, countFailedLookup, tryRefund } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { auditStep, writeAudit } from '../../accounts/events/write-event.ts'
import { openSession } from '../../accounts/sessions/session-rules.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserDetail } from '../../accounts/users/user-body.ts'
import { buildSessionCookies } from '../../http/authenticate.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { verifyPassword } from '../../kernel/secrets/passwords.ts'
import { ConditionFailed } from '../../kernel/table/transaction.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { buildActivityStep, createActivity, findActivities } from './activities.records.ts'
import { deleteCurrentLink } from './delete-link.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { toAccessLinkBody, toRestrictedBody } from './link-body.ts'
import { needsOwnLogin, withLinkScope } from './link-session.ts'
import { readFilters } from './list.use-cases.ts'
import { matches } from './lists.records.ts'
import type { accessLinks } from './operations.ts'
import { buildViewStep } from './records.ts'
import { requireManageableLink, requireVisibleLink } from './rights.ts'
import { createUnknownLinkError, describeLink, findLink, findLinkProduct, requireLinkValue } from './rules.ts'
import { anonymousViewer, createRecipientViewer } from './shown-links.ts'

/** Gets an access link with its newest uses. Guests do not see the uses, because they contain addresses of others. */
export const getAccessToken: UseCase<typeof accessLinks.getAccessToken> = async (
  { params, principal },
  services,
) => {
  const link = await requireVisibleLink(services, principal, params.id)
  const activities = principal.session?.accessLink
    ? []
    : await findActivities(services.table, link.id, services.now())
  const viewer = await createRecipientViewer(services, principal)
  return { status: 200, body: await toAccessLinkBody(services, link, activities, viewer) }
}

/**
 * Looks up an access link by its value. This does not count as a view, because email scanners and chat previews also
 * fetch links. Unknown, deleted, expired, used up, and filtered links get the same response.
 */
export const getAccessTokenByValue: UseCase<typeof accessLinks.getAccessTokenByValue> = async (
  { params, query, context, principal },
  services,
) => {
  requireLinkValue(params.token)
  const active = await findLink(services, params.token)
  if (!active || !matches(active.link, readFilters(query))) {
    await auditRefusal(services, context, 'access_token.not_found', { outcome: 'not_found' })
    await countFailedLookup(services, context)
    throw createUnknownLinkError()
  }
  const viewer = { ...anonymousViewer, userId: principal?.user.id }
  return { status: 200, body: await toRestrictedBody(services, active, params.token, viewer) }
}

/** Deletes an access link. The sessions created with it, and their tickets stop working at once. */
export const deleteAccessToken: UseCase<typeof accessLinks.deleteAccessToken> = async (
  { params, principal, context },
  services,
) => {
  await deleteCurrentLink(services, context, () => requireManageableLink(services, principal, params.id))
  return { status: 204 }
}

/**
 * Redeems an access link. One transaction consumes a view, records the use, and opens a session of the recipient. If
 * there are more concurrent uses than views left, the others get the response of an unknown link.
 */
export const redeemAccessToken: UseCase<typeof accessLinks.redeemAccessToken> = async (
  { body, principal, context, isFromOwnOrigin },
  services,
) => {
  requireLinkValue(body.token)
  const active = await findLink(services, body.token)
  if (!active) throw await countUnknownLink(services, context)
  const { link, user } = active
  const isGuest = !link.require_login && !needsOwnLogin(user)
  const ownSession = isGuest ? undefined : requireOwnSession(user, principal)
  await requireLinkPassword(services, link, body.password, context)
  // The response is read before the write. An error after it would consume a view without a session.
  const detail = await toUserDetail(services.table, withLinkScope({ ...user, lastSeenAt: services.now() }))
  const value = await openLinkSession(services, context, { link, user, ownSession })
  const lifetimeMs = link.expiresAt === null ? undefined : link.expiresAt - services.now()
  const redirect = findLinkProduct(services.config, link)?.url
  // A product gets the session of the link by a ticket, so the browser needs no cookie for it.
  const isCookieKept = body.keep_own_session && (redirect !== undefined || isOwnSession(principal))
  return {
    status: 200,
    body: { user: detail, ...omitUndefined({ redirect }), session_key: value },
    // As with sign-in, another site must not sign browsers in to a session of its choice (login CSRF). The cookie of the
    // recipient's own session stays: it can open the link, too.
    ...(isFromOwnOrigin && isGuest && !isCookieKept
      ? { cookies: buildSessionCookies(services.config, value, lifetimeMs) }
      : {}),
  }
}

const countUnknownLink = async (services: Services, context: RequestContext): Promise<AppError> => {
  await auditRefusal(services, context, 'access_token.not_found', { outcome: 'not_found' })
  await countFailedLookup(services, context)
  return createUnknownLinkError()
}

/** Whether someone is signed in, and not only by a link. */
const isOwnSession = (principal: SessionPrincipal | undefined): boolean =>
  principal !== undefined && !principal.session.accessLink

/** A session that a link opened, or an impersonation, does not count as a sign-in of the recipient. */
const requireOwnSession = (recipient: UserRecord, principal: SessionPrincipal | undefined): SessionRecord => {
  if (!principal)
    throw new AppError('not_authenticated', {
      detail: 'This link requires its recipient to sign in. Send the session as bearer credential.',
      headers: { 'www-authenticate': 'Bearer' },
    })
  if (!isOwnSession(principal) || principal.actor || principal.user.id !== recipient.id)
    throw new AppError('permission_denied', { detail: 'This link is for another user.' })
  return principal.session
}

interface Redemption {
  readonly link: AccessLinkRecord
  readonly user: UserRecord
  /** The session of a recipient who is not a guest. The session of the link ends with it. */
  readonly ownSession: SessionRecord | undefined
}

const openLinkSession = async (
  services: Services,
  context: RequestContext,
  { link, user, ownSession }: Redemption,
): Promise<string> => {
  const use = createActivity(link.id, services.now(), context.address)
  const extraSteps = [
    buildViewStep(link, use),
    buildActivityStep(use),
    auditStep(context, 'access_token.redeemed', { ...describeLink(link), user: user.id }),
  ]
  try {
    return await openSession(services, user, context, {
      methods: ['link'],
      extraSteps,
      link: {
        id: link.id,
        createdBy: link.createdBy,
        isGuest: !ownSession,
        ...omitUndefined({ ownSession: ownSession?.hash, organization: link.organization }),
      },
      expiresAt: Math.min(
        link.expiresAt ?? Number.POSITIVE_INFINITY,
        ownSession?.expiresAt ?? Number.POSITIVE_INFINITY,
      ),
    })
  } catch (error) {
    throw error instanceof ConditionFailed ? await countUnknownLink(services, context) : error
  }
}

/**
 * Checks the password of a link, if it has one. A guess is counted before it is checked, so that parallel guesses are
 * limited like sequential ones.
 *
 * @throws AppError `login_incomplete` with the reason `password_required`
 * @throws AppError `login_failed` for a wrong password, after storing the audit event
 * @throws AppError `too_many_requests` after too many guesses from one network or from all
 */
const requireLinkPassword = async (
  services: Services,
  link: AccessLinkRecord,
  password: string | null | undefined,
  context: RequestContext,
): Promise<void> => {
  if (link.passwordHash === null) return
  if (!password)
    throw new AppError('login_incomplete', {
      reason: 'password_required',
      detail: 'The link has a password. Send it as `password`.',
    })
  const id = String(link.id)
  const refunds = [
    await consume(services, 'linkGuessesPerNetwork', `${id} ${getNetwork(context.address)}`),
    await consume(services, 'linkGuesses', id),
  ]
  if (!(await verifyPassword(password, link.passwordHash, services.config.passwordCost))) {
    await writeAudit(services, context, 'access_token.refused', {
      ...describeLink(link),
      outcome: 'invalid_credentials',
    })
    throw new AppError('login_failed', {
      reason: 'invalid_credentials',
      detail: 'The password of the link is wrong.',
    })
  }
  // Otherwise a widely shared link would lock everyone out.
  await Promise.all(refunds.map((refund) => tryRefund(services, refund)))
}
