import { isDeepStrictEqual } from 'node:util'
import { type AuditEventRecord, buildAuditStep } from '../../accounts/events/records.ts'
import { buildUserLogoutSteps } from '../../accounts/sessions/logout-jobs.records.ts'
import { type PasskeyState, type UserRecord, userKind } from '../../accounts/users/stored-user.records.ts'
import { changeItem } from '../../kernel/table/change-item.ts'
import { decreaseCount, isPresent } from '../../kernel/table/expressions.ts'
import { type Key, passkeyMarkerKey, userKey } from '../../kernel/table/keys/keys.ts'
import { organizationTokenCountKey } from '../../kernel/table/keys/organization-keys.ts'
import { scimTokenCountKey } from '../../kernel/table/keys/scim-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Item, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { buildExpiryItems } from '../access-links/index.records.ts'
import { type AccessLinkRecord, accessLinkKind } from '../access-links/link.records.ts'
import { buildRemoveCompanyAccountSteps, readCompanyAccount } from '../connections/accounts.records.ts'
import type { ConnectionSetup } from '../connections/records.ts'
import { clientKind } from '../oauth/clients.records.ts'
import {
  decodeOrganizationInvitation,
  endOrganizationInvitation,
} from '../organizations/invitations.records.ts'
import { changeRoles, decodeMembership, endMembership } from '../organizations/memberships.records.ts'
import { decodeOrganization, editOrganization } from '../organizations/records.ts'
import { decodeOrganizationToken } from '../organizations/tokens.records.ts'
import { countRemovedPasskeys, passkeyCodec } from '../passkeys/records.ts'
import { findHoldingRecord, type HoldingRecord } from './holdings.records.ts'

/** What was ended, in the words of the summary. */
export type EndedKind =
  | 'users'
  | 'one-time items'
  | 'API tokens'
  | 'API tokens of organizations'
  | 'tokens of directories'
  | 'access links'
  | 'passkeys'
  | 'linked accounts'
  | 'client secrets'
  | 'set-up links'
  | 'invitations to organizations'
  | 'memberships'
  | 'organizations'
  | 'organizations to check'
  | 'counters'

export interface EndTarget {
  readonly table: Table
  /** The table that a restored one replaces. What was ended there since ends again. */
  readonly replaced: Table | undefined
  readonly options: EndOptions
  readonly isDryRun: boolean
  /** Identifies the run in the audit events. */
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** An item that changes more often than this during one attempt is left to the next run. */
const attempts = 8

/** What the command does with an item. */
interface End {
  readonly kind: EndedKind
  /** Returns false if the item was changed or deleted since it was read. */
  readonly apply: () => Promise<boolean>
}

/** Ends what an item grants. Returns undefined if it grants nothing. @throws Error if the item keeps changing. */
export const applyEnd = async (target: EndTarget, found: Item): Promise<EndedKind | undefined> => {
  const plan = findPlan(found)
  if (!plan) return undefined
  let item: Item | undefined = found
  for (let attempt = 0; attempt < attempts && item; attempt++) {
    const key = keyOf(item)
    const end: End | undefined = await plan(target, item, async () =>
      target.replaced ? ((await target.replaced.get(key)) ?? null) : undefined,
    )
    if (!end) return undefined
    if (target.isDryRun || (await end.apply())) return end.kind
    item = await target.table.get(key)
  }
  if (item) throw new Error('An item kept changing. Run the same command again.')
  return undefined
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk })

/** The item in the replaced table: null if that has none, and undefined without such a table. */
type Replaced = Item | null | undefined

/** Decides what ends of an item. Undefined if nothing does. */
type Plan = (
  target: EndTarget,
  item: Item,
  readReplaced: () => Promise<Replaced>,
) => Promise<End | undefined> | End | undefined

const findPlan = (item: Item): Plan | undefined => {
  const record = findHoldingRecord(item)
  if (record) return plans[record]
  return item.sk === 'counter' ? planCounter : undefined
}

/** Whether a write succeeded. False if the record was changed since it was read. */
const wasWritten = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    return await wasCommitted(write)
  } catch (error) {
    if (error instanceof EditConflict) return false
    throw error
  }
}

const deleteItem: Plan = ({ table }, item) => ({
  kind: 'one-time items',
  apply: () => wasCommitted(table.transact([{ delete: keyOf(item) }])),
})

/** Other records of SAML flows are marks of what was used. They must stay. */
const planFlow: Plan = (target, item, readReplaced) =>
  'startedAt' in item || 'session' in item ? deleteItem(target, item, readReplaced) : undefined

const planUser: Plan = async ({ table, options, requestId, nowMs }, item, readReplaced) => {
  const after = endUserCredentials(item, options, await readReplaced())
  if (after === item) return undefined
  const user = userKind.codec.decode(item)
  const event = { event: 'session.ended', user: user.id, target: 'all' } as const
  const steps = [buildEventStep({ requestId, nowMs }, event), ...buildUserLogoutSteps(user)]
  return { kind: 'users', apply: () => changeItem(table, item, after, steps) }
}

const planApiToken: Plan = async ({ table }, item, readReplaced) =>
  (await readReplaced()) === null
    ? { kind: 'API tokens', apply: () => wasCommitted(table.transact([{ delete: keyOf(item) }])) }
    : undefined

const planAccessLink: Plan = async ({ table, options }, item, readReplaced) => {
  const after = endAccessLink(item, options, await readReplaced())
  return after === item
    ? undefined
    : { kind: 'access links', apply: () => changeItem(table, item, after, buildExpirySteps(after)) }
}

const planCounter: Plan = async ({ table, options }, item, readReplaced) => {
  const after = options.isRestored ? skipIds(item, await readReplaced()) : item
  return after === item ? undefined : { kind: 'counters', apply: () => changeItem(table, item, after) }
}

const planPasskey: Plan = async ({ table }, item, readReplaced) =>
  (await readReplaced()) === null ? { kind: 'passkeys', apply: () => deletePasskey(table, item) } : undefined

const planLinkedAccount: Plan = async ({ table }, item, readReplaced) => {
  if ((await readReplaced()) !== null) return undefined
  const user = userKind.codec.decodeOptional(await table.get({ pk: item.pk, sk: 'user' }))
  if (!user) return undefined
  // The token of the account was revoked at its provider when the account was removed.
  const { refreshToken: _, ...account } = readCompanyAccount(item, user)
  return {
    kind: 'linked accounts',
    apply: () => wasCommitted(table.transact(buildRemoveCompanyAccountSteps(account))),
  }
}

/** A secret or a key that was removed since does not work again, and neither does one of a client that was deleted. */
const planClient: Plan = async ({ table }, item, readReplaced) => {
  const replaced = await readReplaced()
  if (replaced === undefined) return undefined
  const client = clientKind.codec.decode(item)
  const later = replaced ? clientKind.codec.decode(replaced) : { secrets: [], public_keys: [] }
  const secrets = client.secrets.filter(({ hash }) => later.secrets.some((one) => one.hash === hash))
  const public_keys = client.public_keys.filter((key) =>
    later.public_keys.some((one) => isDeepStrictEqual(one, key)),
  )
  const removed = client.secrets.length - secrets.length + client.public_keys.length - public_keys.length
  const after = { ...item, secrets, public_keys, version: client.version + 1 }
  return removed === 0 ? undefined : { kind: 'client secrets', apply: () => changeItem(table, item, after) }
}

/** A link that was made after the command began was made by someone who had to sign in again. */
const planConnection: Plan = ({ table, options }, item) => {
  const setup = item['setup'] as ConnectionSetup | null | undefined
  if (!setup?.link || setup.link.createdAt > options.at || setup.link.expiresAt <= options.at)
    return undefined
  const after = { ...item, setup: { ...setup, link: null }, version: Number(item['version']) + 1 }
  return { kind: 'set-up links', apply: () => changeItem(table, item, after) }
}

/** It belongs to no user whose record would end it. After a restore, no one knows who has the value of a deleted one. */
const planOrganizationToken: Plan = ({ table, options, ...run }, item) => {
  const token = decodeOrganizationToken(item)
  const isEnding = options.isRestored || options.apiTokens === 'end'
  if (!token || !isEnding || token.createdAt > options.at) return undefined
  const { organizationId: organization, id } = token
  const event = {
    event: 'organization.api_token_deleted',
    organization,
    target: `${organization} ${id}`,
  } as const
  return {
    kind: 'API tokens of organizations',
    apply: () =>
      wasCommitted(
        table.transact([
          { delete: keyOf(item), condition: isPresent },
          { update: organizationTokenCountKey(organization), changes: decreaseCount },
          buildEventStep(run, event),
        ]),
      ),
  }
}

/** It belongs to no user whose record would end it. After a restore, no one knows who has the value of a deleted one. */
const planScimToken: Plan = ({ table, options, ...run }, item) => {
  const [createdAt, connectionId, id] = [item['createdAt'], item['connectionId'], item['id']].map(Number)
  const isEnding = options.isRestored || options.apiTokens === 'end'
  if (!isEnding || !createdAt || !connectionId || createdAt > options.at) return undefined
  const event = { event: 'scim.token_deleted', target: `${connectionId} ${id}` } as const
  return {
    kind: 'tokens of directories',
    apply: () =>
      wasCommitted(
        table.transact([
          { delete: keyOf(item), condition: isPresent },
          { update: scimTokenCountKey(connectionId), changes: decreaseCount },
          buildEventStep(run, event),
        ]),
      ),
  }
}

/** An open invitation is a credential, like a reset link. */
const planOrganizationInvitation: Plan = ({ table, options, ...run }, item) => {
  const invitation = decodeOrganizationInvitation(item)
  if (!invitation || invitation.expiresAt - invitation.validMs > options.at) return undefined
  const { organizationId: organization, id, roles } = invitation
  const event = {
    event: 'organization.invitation_revoked',
    organization,
    target: `${organization} ${id} ${roles.join(' ')}`,
  } as const
  return {
    kind: 'invitations to organizations',
    apply: () => wasWritten(endOrganizationInvitation(table, invitation, [buildEventStep(run, event)])),
  }
}

/** Nobody is a member again whose membership ended since, and nobody has a role again that was taken since. */
const planMembership: Plan = async ({ table, ...run }, item, readReplaced) => {
  const replaced = await readReplaced()
  const membership = decodeMembership(item)
  if (replaced === undefined || !membership) return undefined
  const later = decodeMembership(replaced ?? undefined)
  const { userId: user, organizationId: organization } = membership
  const describe = (event: AuditEventRecord['event'], roles: readonly string[]) => ({
    keepsOwner: false,
    extraSteps: [
      buildEventStep(run, { event, user, organization, target: `${organization} ${roles.join(' ')}` }),
    ],
  })
  if (!later)
    return {
      kind: 'memberships',
      apply: () =>
        wasWritten(
          endMembership(table, membership, describe('organization.member_removed', membership.roles)),
        ),
    }
  const { roles, rolesGivenBy } = later
  if (isDeepStrictEqual([...roles].sort(), [...membership.roles].sort())) return undefined
  return {
    kind: 'memberships',
    apply: () =>
      wasWritten(
        changeRoles(
          table,
          membership,
          { roles, rolesGivenBy },
          describe('organization.member_changed', roles),
        ),
      ),
  }
}

/** One that was deleted since is suspended, like a deleted user is disabled. Without the replaced table, its people check it. */
const planOrganization: Plan = async ({ table, options, ...run }, item, readReplaced) => {
  const replaced = await readReplaced()
  const organization = decodeOrganization(item)
  if (!options.isRestored || !organization) return undefined
  const { id } = organization
  if (replaced === undefined) {
    const event = { event: 'organization.restored', organization: id, target: String(id) } as const
    return {
      kind: 'organizations to check',
      apply: () => wasCommitted(table.transact([buildEventStep(run, event)])),
    }
  }
  const later = decodeOrganization(replaced ?? undefined)
  const state = later?.state ?? 'suspended'
  const endsAt = later?.endsAt ?? null
  if (organization.state === state && (organization.endsAt ?? null) === endsAt) return undefined
  const event = {
    event: 'organization.changed',
    organization: id,
    target: `${id} state`,
  } as const
  return {
    kind: 'organizations',
    apply: () =>
      wasWritten(editOrganization(table, organization, { state, endsAt }, [buildEventStep(run, event)])),
  }
}

/** What the command does with each record. A record that grants nothing without a session or a user is left to these. */
const plans: Readonly<Record<HoldingRecord, Plan | undefined>> = {
  user: planUser,
  session: undefined,
  resetToken: deleteItem,
  secondFactorToken: deleteItem,
  securityReport: deleteItem,
  rememberedDevice: undefined,
  apiToken: planApiToken,
  passkey: planPasskey,
  linkedAccount: planLinkedAccount,
  membership: planMembership,
  ticket: deleteItem,
  passkeyChallenge: deleteItem,
  emailCode: deleteItem,
  signUpLink: deleteItem,
  mailJob: deleteItem,
  accessLink: planAccessLink,
  client: planClient,
  connection: planConnection,
  connectionFlow: planFlow,
  scimToken: planScimToken,
  grant: undefined,
  authorizationCode: undefined,
  refreshToken: undefined,
  device: undefined,
  organization: planOrganization,
  organizationToken: planOrganizationToken,
  organizationInvitation: planOrganizationInvitation,
}

/** An event by which people see what the command ended. AWS knows who ran it. */
const buildEventStep = (
  { requestId, nowMs }: Pick<EndTarget, 'requestId' | 'nowMs'>,
  details: Pick<AuditEventRecord, 'event' | 'target'> & Partial<AuditEventRecord>,
): Step =>
  buildAuditStep({
    at: nowMs,
    requestId,
    address: 'command line',
    user: null,
    actor: null,
    outcome: 'succeeded',
    ...details,
  })

/** Moves an access link in the lists that are in order of expiration. */
const buildExpirySteps = (link: Item): readonly Step[] =>
  buildExpiryItems(accessLinkKind.codec.decode(link)).map((entry) => ({ put: entry }))

/** Deletes a passkey with its marker, and counts it in the user. Fails if the user was changed concurrently. */
const deletePasskey = async (table: Table, item: Item): Promise<boolean> => {
  const passkey = passkeyCodec.decode(item)
  const { userId, hash } = passkey
  const user = await table.get(userKey(userId))
  const passkeys = user?.['passkeys'] as PasskeyState | undefined
  const countStep: Step = {
    update: userKey(userId),
    changes: (x) => ({
      set: [
        `${x.path('passkeys')} = ${x.value(countRemovedPasskeys(passkeys ? { passkeys } : {}, [passkey]))}`,
      ],
      condition: `${x.path('passkeys')} = ${x.value(passkeys)}`,
    }),
  }
  return wasCommitted(
    table.transact([
      { delete: keyOf(item), condition: isPresent },
      { delete: passkeyMarkerKey(hash) },
      ...(passkeys ? [countStep] : []),
    ]),
  )
}

interface EndOptions {
  /** When the operator started the command, in epoch milliseconds. Users who were processed since are skipped. */
  readonly at: number
  /** The latest time step of one-time passwords that must not be accepted any more, without the drift of the app. */
  readonly timeStep: number
  /** `change` lets users sign in once more, to set a new password. `remove` requires a reset by email. */
  readonly passwords: 'keep' | 'change' | 'remove'
  readonly apiTokens: 'keep' | 'end'
  readonly recoveryCodes: 'keep' | 'end'
  readonly accessLinks: 'keep' | 'end'
  /** Whether the table was restored, so that it lacks what happened since. */
  readonly isRestored: boolean
}

/**
 * The form of a user after all credentials were ended, or the user itself if that was done before. `replaced` is the same item in the
 * table that a restored one replaces, null if that has none, and undefined without such a table.
 */
const endUserCredentials = (
  item: Item,
  { at, timeStep, passwords, apiTokens, recoveryCodes }: EndOptions,
  replaced: Replaced,
): Item => {
  const user = userKind.codec.decode(item)
  if ((user.credentialsEndedAt ?? 0) >= at) return item
  const later = replaced ? userKind.codec.decode(replaced) : undefined
  const wasPasswordChanged = later !== undefined && later.passwordHash !== user.passwordHash
  const mustChange = passwords === 'change' || wasPasswordChanged
  const isStillEnabled = replaced === undefined || later?.is_enabled === true
  const { emailConfirmation: _, legacySignIn: __, ...kept } = item
  const wasMarkEnded = passwords === 'remove' || (later !== undefined && !later.legacySignIn)
  const legacySignIn = wasMarkEnded ? undefined : user.legacySignIn
  return {
    ...kept,
    pk: item.pk,
    sk: item.sk,
    credentialEpoch: user.credentialEpoch + 1,
    resetEpoch: (user.resetEpoch ?? 0) + 1,
    version: user.version + 1,
    is_enabled: user.is_enabled && isStillEnabled,
    securityReports: { ...user.securityReports, endedUntil: at },
    ...(apiTokens === 'end' ? { apiTokensEndedAt: at } : {}),
    ...(passwords === 'remove' ? { passwordHash: null } : {}),
    ...(legacySignIn ? { legacySignIn } : {}),
    ...(mustChange && (user.passwordHash || legacySignIn) ? { password_change_required: true } : {}),
    ...(user.totp ? { totp: endCodes(user.totp, later, { timeStep, recoveryCodes }) } : {}),
    credentialsEndedAt: at,
  }
}

type Totp = NonNullable<UserRecord['totp']>

/** Codes of the present time may have been used already. Recovery codes that were used since do not work again. */
const endCodes = (
  totp: Totp,
  later: UserRecord | undefined,
  { timeStep, recoveryCodes }: Pick<EndOptions, 'timeStep' | 'recoveryCodes'>,
): Totp => {
  const unused = later?.totp?.recoveryCodes ?? (later ? {} : totp.recoveryCodes)
  const kept = Object.entries(totp.recoveryCodes).filter(([hash]) => Object.hasOwn(unused, hash))
  return {
    ...totp,
    lastStep: Math.max(totp.lastStep, timeStep + totp.driftSteps + 1),
    recoveryCodes: recoveryCodes === 'end' ? {} : Object.fromEntries(kept),
  }
}

/** A link that was deleted since ends. A limited one has no more views than were left. */
const endAccessLink = (item: Item, { at, accessLinks }: EndOptions, replaced: Replaced): Item => {
  const link: AccessLinkRecord = accessLinkKind.codec.decode(item)
  const isEnding = (accessLinks === 'end' || replaced === null) && (link.expiresAt ?? at + 1) > at
  const later = replaced ? accessLinkKind.codec.decode(replaced) : link
  const viewsLeft = Math.min(link.view_limit_left, later.view_limit_left)
  return isEnding || viewsLeft < link.view_limit_left
    ? { ...item, view_limit_left: viewsLeft, ...(isEnding ? { expiresAt: at } : {}) }
    : item
}

/** More than a service creates between a backup and the moment that it is restored. */
const skippedIds = 10_000

/**
 * IDs that were given out since must not be given to others: products know users by their ID. Without the replaced table,
 * the counter skips as many as are likely to exist.
 */
const skipIds = (item: Item, replaced: Replaced): Item => {
  const last = Number(item['last'] ?? 0)
  const next = replaced === undefined ? last + skippedIds : Math.max(last, Number(replaced?.['last'] ?? 0))
  return next === last ? item : { ...item, last: next }
}
