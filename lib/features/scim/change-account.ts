import { changeSteps } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildEmailState } from '../../accounts/names/email-confirmations.ts'
import { normalizeEmail, validateEmail } from '../../accounts/names/names.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { buildEndReportsChange, buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { findUser, findUserIdByEmail } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import { NotUnique, type UserChanges, type UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserChange } from '../../accounts/users/user-change.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { toDisplayText } from '../../kernel/contract/text-rules.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { isBelieved, isOfDirectoryAlone } from '../connections/directory-account.ts'
import { isUsableAddress } from '../connections/usable-domains.ts'
import { endOtherClaims } from '../directory/addresses/other-claims.ts'
import { connectionRights, limitRights } from '../directory/rights/rights-limit.ts'
import {
  buildUnchangedScimUserStep,
  findScimUser,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import { findOwnerId } from './find-owner.ts'
import type { ScimContext } from './scim-context.ts'
import { ScimError } from './scim-error.ts'
import type { ScimValues } from './scim-values.ts'
import { readEntries, readText, readUserValues } from './stored-values.ts'

/*
 * What an account that the directory brought takes from its person: the name, and the address inside the proven domains. An account to which
 * somebody else gave a way, an organization or a right keeps both. It is asked for the new address: a link in an email to it changes it. An
 * account that was there before takes the name once its user agreed, and no address.
 */

/** The name of a person that accounts show. */
export const readFullName = (values: ScimValues): string | null => {
  const [name] = readEntries(values, 'name')
  const part = (key: string): string => String(name?.get(key) ?? '')
  const parts = [part('givenName'), part('familyName')].filter((text) => text !== '').join(' ')
  const full = readText(values, 'displayName') ?? (part('formatted') || parts)
  return full === '' ? null : toDisplayText(full, 255)
}

type Sent = Pick<ScimUserRecord, 'values' | 'isActive'>

/** The address of a person that the connection speaks for, the main one first. Their name is none, although it can look like one. */
const readAddress = ({ caller: { connection } }: ScimContext, person: Sent): string | undefined => {
  const emails = readEntries(readUserValues(person), 'emails')
  const main = emails.filter((entry) => entry.get('primary') === true)
  return [...main, ...emails]
    .map((entry) => String(entry.get('value') ?? ''))
    .find(
      (address) =>
        address.length <= addressLength &&
        validateEmail(address) === undefined &&
        isUsableAddress(connection, address),
    )
}

const addressLength = 255

const taken = () => new ScimError(409, 'uniqueness', 'Another account has verified this address.')

/**
 * Keeps a person from an address that another account has verified, inside the proven domains of the connection. Elsewhere, the answer shows
 * nothing about an address.
 *
 * @throws ScimError 409
 */
export const requireFreeAddress = async (
  scim: ScimContext,
  before: ScimUserRecord,
  after: Sent,
): Promise<void> => {
  const address = readAddress(scim, after)
  if (address === undefined || before.userId === undefined || address === readAddress(scim, before)) return
  const holderId = await findUserIdByEmail(scim.services.table, normalizeEmail(address))
  if (holderId !== undefined && holderId !== (await findOwnerId(scim, before))) throw taken()
}

/** Whether the directory may change the account of a person: it brought the account, or its user agreed. */
const mayChange = ({ madeUser, agreement }: ScimUserRecord, userId: number | undefined): boolean =>
  madeUser === true || (agreement?.agrees === true && agreement.userId === userId)

/**
 * Changes the account of a person whose directory may change it, if it differs. So a repetition finishes what was interrupted.
 *
 * @throws ScimError 409 if another account has the address by now
 */
export const changeAccount = async (scim: ScimContext, given: ScimUserRecord): Promise<void> => {
  if (!given.madeUser && !given.agreement?.agrees) return
  const { services, caller, context } = scim
  const { table } = services
  const userId = await findOwnerId(scim, given)
  const edited = await retryConflicts(async () => {
    // The user can take back what they agreed to while the directory sends a change.
    const person = given.madeUser ? given : await findScimUser(table, caller.connection.id, given.id)
    if (!person || !mayChange(person, userId)) return undefined
    const name = readFullName(readUserValues(person))
    const address = person.madeUser ? readAddress(scim, person) : undefined
    const user = userId === undefined ? undefined : await findUser(table, userId)
    if (!user || !isBelieved(caller.connection, user)) return undefined
    const isRenamed = name !== null && name !== user.full_name
    const isMoved =
      address !== undefined && hasVerifiedEmail(user) && normalizeEmail(address) !== user.normalizedEmail
    if (!isRenamed && !isMoved) return undefined
    const isAlone = !person.madeUser || (await isOfDirectoryAlone(table, caller.connection, user))
    const renamed: UserChanges = isRenamed && isAlone ? { full_name: name } : {}
    const moved = isMoved ? (isAlone ? planAddress : planQuestion)(scim, user, address) : nothing
    const changes = { ...renamed, ...moved.changes }
    if (Object.keys(changes).length === 0) return undefined
    const shown = { ...renamed, ...(moved.changes.email !== undefined && { email: moved.changes.email }) }
    const change = toUserChange(user, shown)
    return editUser(table, user, changes, {
      extraSteps: [
        ...(Object.keys(shown).length === 0
          ? []
          : changeSteps(context, 'user.changed', { user: user.id, change })),
        ...moved.steps,
        ...(person.madeUser ? [] : [buildUnchangedScimUserStep(person)]),
      ],
    })
  }, 'The account kept changing. Send the request again.').catch((error: unknown): never => {
    throw error instanceof NotUnique ? taken() : error
  })
  if (edited) await endOtherClaims(services, context, edited)
}

interface AddressPlan {
  readonly changes: UserChanges
  readonly steps: readonly Step[]
}

const nothing: AddressPlan = { changes: {}, steps: [] }

/** From one address inside the domains to another. One outside, such as that of the person themselves, stays. */
const planAddress = (
  { services, caller: { connection }, context }: ScimContext,
  user: UserRecord,
  email: string,
): AddressPlan => {
  if (user.email === null || !isUsableAddress(connection, user.email)) return nothing
  return {
    changes: {
      email,
      normalizedEmail: normalizeEmail(email),
      ...buildEmailState('company'),
      isEmailFromProvider: undefined,
      pendingEmail: undefined,
      emailConfirmation: undefined,
      ...buildEndReportsChange(services),
      rightsLimit: limitRights(user.rightsLimit, connectionRights, {
        nowMs: services.now(),
        setsEmail: true,
      }),
    },
    steps: buildSecurityNoticeStep(services, context, user, { kind: 'email_changed' }),
  }
}

/** Asks the person: a link in an email to the new address changes it, in a session of the account. */
const planQuestion = ({ services, context }: ScimContext, user: UserRecord, email: string): AddressPlan => {
  const normalizedEmail = normalizeEmail(email)
  if (user.pendingEmail?.normalizedEmail === normalizedEmail) return nothing
  const { id: userId, credentialEpoch } = user
  return {
    changes: { pendingEmail: { email, normalizedEmail, credentialEpoch }, emailConfirmation: undefined },
    steps: [
      auditStep(context, 'email.change_requested', { user: userId }),
      buildOutboxStep({ kind: 'email_confirmation', userId }, context, services.now()),
    ],
  }
}
