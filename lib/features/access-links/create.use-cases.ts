import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildStandInSteps, findAddressHolders } from '../../accounts/names/address-holders.records.ts'
import { fitsKey, normalizeEmail } from '../../accounts/names/names.ts'
import { allocateUserIds } from '../../accounts/names/user-claims.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { buildUserExistsStep } from '../../accounts/users/build-user-step.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { NewUser, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { NotUnique } from '../../accounts/users/stored-user.records.ts'
import { resolveSuccessor } from '../../accounts/users/successors.records.ts'
import { createUserWithId } from '../../accounts/users/write-users.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { guestTarget } from '../../kernel/contract/audit-events.ts'
import { AppError, conflict, type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { linkPasswordMinLength } from '../../kernel/limits/limits.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { ConditionFailed, EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { createOrganizationRefusal, findNamedOrganization } from '../organizations/named-organization.ts'
import { getRecentUses } from './activities.records.ts'
import { deleteLink } from './delete-link.ts'
import { findEasySharing } from './easy-sharing.records.ts'
import { buildEasySharing } from './easy-sharing.ts'
import { buildGuest } from './guests.ts'
import type { AccessLinkRecord, EasySharing, SharedObject } from './link.records.ts'
import { toAccessLinkBody, toNewAccessLinkBody } from './link-body.ts'
import { needsOwnLogin } from './link-session.ts'
import { buildAccessLink, type NewLink } from './new-link.ts'
import type { accessLinks } from './operations.ts'
import { buildAccessLinkSteps, isUsable } from './records.ts'
import type { CreateAccessTokenRequest } from './requests.models.ts'
import { describeLink, findActiveLink, readPageUrl } from './rules.ts'
import { canShareFor, neededInOrganization } from './sharing-rights.ts'
import { createRecipientViewer } from './shown-links.ts'

/**
 * Creates an access link. If the recipient is not a known user, a guest is created for it. With easy sharing, a working
 * link that the caller created for the same object on the same terms is returned instead of a new one.
 */
export const createAccessToken: UseCase<typeof accessLinks.createAccessToken> = async (
  { body, principal, context },
  services,
) => {
  const url = requireValidRequest(services, body)
  const createdBy = principal.user.id
  const joining =
    body.organization == null ? undefined : await requireSharingFor(services, principal, body.organization)
  const viewer = await createRecipientViewer(services, principal)
  return retryConflicts(async () => {
    const recipient = await resolveRecipient(services, body, viewer.canViewUsers)
    const getEasySharing = (recipientId: number | null) =>
      buildEasySharing(body, { url, recipientId, joining })
    const existing = await findEqualLink(services, createdBy, recipient, getEasySharing)
    if (existing && (await isReusable(services, existing, recipient))) {
      const uses = getRecentUses(existing, services.now())
      return { status: 200, body: await toAccessLinkBody(services, existing, uses, viewer) }
    }
    const newLink = await buildAccessLink(services, body, { url, createdBy, joining })
    const parts = { newLink, recipient, getEasySharing, replaced: existing }
    const { link, user } = await storeLink(services, context, parts)
    await requireSameSessions(services, principal.user, link, context)
    return {
      status: 201,
      headers: { location: `/api/2/auth/access-tokens/${link.id}` },
      body: await toNewAccessLinkBody(services, link, newLink.value, {
        user,
        creator: principal.user,
        viewer,
      }),
    }
  }, 'The linked item kept changing while the link was being created. Try again.')
}

/**
 * Refuses a link that would not work. Returns the joining of the user, with which the link ends. Organizations that the user is no member of are refused like those that do not exist.
 *
 * @throws AppError `permission_denied`
 */
const requireSharingFor = async (
  services: Services,
  principal: Principal,
  organizationId: number,
): Promise<string> => {
  const named = await findNamedOrganization(services, principal, { organization: String(organizationId) })
  if (named.state !== 'member') throw createOrganizationRefusal()
  const { membership } = named.found
  if (!canShareFor(principal.user, named.found, membership))
    throw new AppError('permission_denied', {
      detail: `A link in the name of an organization requires a role there with the permission ${neededInOrganization}.`,
    })
  return membership.joining
}

/** Validates the request and returns the page of its link. @throws AppError `invalid_request` */
const requireValidRequest = (
  { config, now }: Services,
  body: CreateAccessTokenRequest,
): AccessLinkRecord['url'] => {
  const page = body.url === undefined ? { url: null } : readPageUrl(config, body.url)
  const errors = [
    ...validateAccessLinkRequest(body, now()),
    ...('message' in page ? [{ field: 'url', message: page.message }] : []),
  ]
  if (errors.length > 0 || 'message' in page) throw invalidRequest(errors)
  return page.url
}

type GetEasySharing = (recipientId: number | null) => EasySharing | null

/** The caller's own link that easy sharing can return for this recipient, whether it still works or not. */
const findEqualLink = async (
  { table }: Services,
  createdBy: number,
  recipient: Recipient,
  getEasySharing: GetEasySharing,
): Promise<AccessLinkRecord | undefined> => {
  // A guest who is created now has no links yet.
  if ('guest' in recipient && !recipient.isAnonymous) return undefined
  const easySharing = getEasySharing('user' in recipient ? recipient.user.id : null)
  return easySharing ? findEasySharing(table, createdBy, easySharing) : undefined
}

/** A guest can stand for an account. Then the state of the account must not decide, because the creator may not see it. */
const isReusable = async (
  services: Services,
  link: AccessLinkRecord,
  recipient: Recipient,
): Promise<boolean> =>
  'user' in recipient && recipient.user.hasGuestNames
    ? isUsable(link, services.now())
    : (await findActiveLink(services, link)) !== undefined

interface LinkParts {
  readonly newLink: NewLink
  readonly recipient: Recipient
  readonly getEasySharing: GetEasySharing
  /** The equal link that no longer works. The new one replaces it in easy sharing. */
  readonly replaced: AccessLinkRecord | undefined
}

/**
 * Stores the link and its recipient in one transaction.
 *
 * @throws EditConflict when another request created the same link, or a user with the same name or address
 */
const storeLink = async (
  { table, now }: Services,
  context: RequestContext,
  { newLink: { record }, recipient, getEasySharing, replaced }: LinkParts,
): Promise<{ readonly link: AccessLinkRecord; readonly user: UserRecord }> => {
  const buildSteps = (link: AccessLinkRecord) => [
    ...buildAccessLinkSteps(link, replaced),
    auditStep(
      link.organization === undefined ? context : { ...context, byMember: true },
      'access_token.created',
      describeLink(link),
    ),
  ]
  try {
    if ('user' in recipient) {
      const { user } = recipient
      const require_login = record.require_login || needsOwnLogin(user)
      const easySharing = getEasySharing(user.id)
      const link = { ...record, user: user.id, isAnonymous: false, require_login, easySharing }
      await table.transact([...buildSteps(link), buildUserExistsStep(user.id)])
      return { link, user }
    }
    const { guest, isAnonymous } = recipient
    const userId = await allocateUserIds(table, 1)
    const easySharing = getEasySharing(isAnonymous ? null : userId)
    const link = { ...record, user: userId, isAnonymous, easySharing }
    const { successorId, normalizedEmail } = guest
    const guestSteps = [
      auditStep(context, 'user.created', { user: userId, target: guestTarget }),
      ...(successorId === undefined || normalizedEmail === null
        ? []
        : buildStandInSteps(userId, successorId, normalizedEmail)),
    ]
    const user = await createUserWithId(table, userId, guest, {
      nowMs: now(),
      extraSteps: [...buildSteps(link), ...guestSteps],
    })
    return { link, user }
  } catch (error) {
    throw error instanceof ConditionFailed || error instanceof NotUnique ? new EditConflict() : error
  }
}

/** Returns the errors of a request that depend on more than one field or on the time. */
const validateAccessLinkRequest = (body: CreateAccessTokenRequest, nowMs: number): readonly FieldError[] => [
  ...(body.expires != null && Date.parse(body.expires) <= nowMs
    ? [{ field: 'expires', message: 'must be in the future' }]
    : []),
  ...(body.require_login && body.user == null && body.email == null
    ? [{ field: 'require_login', message: 'requires a recipient (`user` or `email`)' }]
    : []),
  ...validatePassword(body.password),
  ...validatePaths('bundles', body.bundles),
  ...validatePaths('directories', body.directories),
]

/** Existing links with a shorter password stay usable, because only new passwords are checked. */
const validatePassword = (password: string | null | undefined): readonly FieldError[] =>
  password != null && [...password.normalize('NFC')].length < linkPasswordMinLength
    ? [{ field: 'password', message: `must have at least ${linkPasswordMinLength} characters` }]
    : []

/** A product that resolves `..` would open content outside of the shared object. */
const validatePaths = (field: string, objects: readonly SharedObject[]): readonly FieldError[] =>
  objects.flatMap(({ path = '' }, at) =>
    /\p{Cc}/u.test(path) || path.split('/').some((part) => part === '.' || part === '..')
      ? [
          {
            field: `${field}.${at}.path`,
            message: 'must not contain control characters or the segments `.` and `..`',
          },
        ]
      : [],
  )

/** The recipient of a link: a user, or a guest that is created together with the link. */
export type Recipient =
  | { readonly user: UserRecord }
  | { readonly guest: NewUser; readonly isAnonymous: boolean }

type Given = Pick<CreateAccessTokenRequest, 'user' | 'email' | 'expires'>

/**
 * Resolves the recipient of a request, by ID or by email address. An unknown address, or no recipient at all, results in
 * a guest. A creator who may not view users gets a guest for every address. If an account has the address, the guest
 * stands for it. So neither the answer nor the work for it shows whether there is an account.
 *
 * @throws AppError `invalid_request` if the user does not exist, is disabled, or has expired.
 */
export const resolveRecipient = async (
  services: Services,
  given: Given,
  canViewUsers: boolean,
): Promise<Recipient> => {
  const { table } = services
  const { user: id, email } = given
  if (id != null) {
    const user = await resolveSuccessor(table, await findUser(table, id))
    return { user: requireActiveUser(services, user, 'user') }
  }
  if (email == null) {
    const expiresAt = given.expires == null ? null : Date.parse(given.expires)
    return { guest: buildGuest({ expiresAt }), isAnonymous: true }
  }
  const normalized = normalizeEmail(email)
  if (!fitsKey(normalized)) throw invalidRequest([{ field: 'email', message: 'is too long' }])
  const { accountId, guestId } = await findAddressHolders(table, normalized)
  if (canViewUsers && accountId !== undefined)
    return { user: requireActiveUser(services, await findUser(table, accountId), 'email') }
  const guest = guestId === undefined ? undefined : await findUser(table, guestId)
  if (guest?.successorId !== undefined) return { user: guest }
  if (guest) return { user: requireActiveUser(services, guest, 'email') }
  return { guest: buildGuest({ email, successorId: accountId }), isAnonymous: false }
}

const requireActiveUser = (
  { now }: Services,
  user: UserRecord | undefined,
  field: 'user' | 'email',
): UserRecord => {
  if (user && isActive(user, now())) return user
  throw invalidRequest([{ field, message: 'must name an existing user who is enabled and has not expired' }])
}

/**
 * Takes a link back that was made while the sessions of its creator ended: it would remain when everything of them ends. The link is stored
 * first, so one of both sees the other. A check in its transaction would let links of one creator wait for each other. If the table fails
 * now, the link stays: it was made.
 *
 * @throws AppError `conflict`
 */
const requireSameSessions = async (
  services: Services,
  { id, credentialEpoch }: UserRecord,
  link: AccessLinkRecord,
  context: RequestContext,
): Promise<void> => {
  const isSame = await findUser(services.table, id).then(
    (creator) => creator?.credentialEpoch === credentialEpoch,
    (error: unknown) => {
      services.log.error('access_link.not_checked', { request_id: context.requestId, link: link.id, error })
      return true
    },
  )
  if (isSame) return
  await deleteLink(services, link, context)
  throw conflict('The sessions of the creator ended while the link was being made. Nothing was made.')
}
