import { randomInt } from 'node:crypto'
import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep, buildSignInSetSteps } from '../../accounts/outbox/security-notices.ts'
import { editUserEndingOtherSessions } from '../../accounts/sessions/end-sessions.records.ts'
import { isLimitedToPasskeySetup } from '../../accounts/sessions/session-rules.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { PasskeyState, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { editUserEndingSessions } from '../../accounts/users/write-users.records.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import type { Ordering } from '../../kernel/contract/query.ts'
import { invalidRequest, notFound } from '../../kernel/errors/errors.ts'
import { buildPage } from '../../kernel/table/listing.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { requireRightToChange } from '../directory/rights/account-rights.ts'
import { requireWayLeft } from '../sign-in/ways-to-sign-in.ts'
import { buildUseChallengeStep } from './challenges.records.ts'
import { findChallenge, type OpenChallenge } from './challenges.ts'
import type { Passkey } from './models.ts'
import type { passkeys } from './operations.ts'
import { requireRightToPasskeys } from './passkey-rights.ts'
import {
  buildAddedPasskey,
  buildDeletePasskeySteps,
  buildNewPasskeySteps,
  buildRenamePasskeyStep,
  countRemovedPasskeys,
  createPasskey as createStoredPasskey,
  listPasskeys,
  type PasskeyRecord,
} from './records.ts'
import { requirePasskey } from './settings.use-cases.ts'
import {
  buildRegistrationBinding,
  buildUpgradeBinding,
  isFreshPasswordSession,
  requireRoomForPasskey,
  requireSetupStillDue,
} from './start-registration.use-cases.ts'
import { verifyRegistration } from './verify-registration.ts'

/** A passkey as its owner and administrators see it. */
const toPasskeyBody = (passkey: PasskeyRecord): Passkey => ({
  id: passkey.id,
  name: passkey.name,
  created_at: formatTime(passkey.createdAt),
  last_used_at: formatTime(passkey.lastUsedAt),
  is_synced: passkey.isBackupEligible ?? false,
  is_backed_up: passkey.isBackedUp,
  is_user_verified: passkey.isUserVerified,
  aaguid: passkey.aaguid,
})

/** Lists the caller's passkeys. A user has only a few, so all of them are read at once and sorted here. */
export const getOwnPasskeys: UseCase<typeof passkeys.getOwnPasskeys> = async (request, services) => ({
  status: 200,
  ...(await readPage(services, request, request.principal.user.id)),
})

/** Lists the passkeys of a user, to help them when they lost one. */
export const getUserPasskeys: UseCase<typeof passkeys.getUserPasskeys> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  return { status: 200, ...(await readPage(services, request, user.id)) }
}

type SortField = 'id' | 'name' | 'created_at'

interface PasskeyListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly ordering: Ordering<SortField> }
}

const readPage = async (
  { table, config }: Services,
  request: PasskeyListRequest,
  userId: number,
): Promise<ReturnType<typeof toListReply<Passkey>>> => {
  const getSortKey = sortKeys[request.query.ordering.field]
  const { rows, next } = buildPage(await listPasskeys(table, userId), getSortKey, readPageRequest(request))
  const bodies = rows.map(({ indexKey, row }) => ({ indexKey, row: toPasskeyBody(row) }))
  return toListReply(request, config, { rows: bodies, next })
}

const formatId = ({ id }: PasskeyRecord): string => sortableId(id)

const sortKeys: Readonly<Record<SortField, (passkey: PasskeyRecord) => string>> = {
  id: formatId,
  name: (passkey) => `${passkey.name}\t${formatId(passkey)}`,
  created_at: (passkey) => `${formatTime(passkey.createdAt)}#${formatId(passkey)}`,
}

/** Adds a passkey that the browser created for a challenge of this session. It does not end other sessions. */
export const createPasskey: UseCase<typeof passkeys.createPasskey> = async (
  { body, principal, context },
  services,
) => {
  const { user } = principal
  requireRightToPasskeys(user)
  requireRoomForPasskey(user)
  requireSetupStillDue(principal)
  const { clientDataJSON } = body.credential.response
  const asked = await findChallenge(services, clientDataJSON, buildRegistrationBinding(principal))
  const challenge = asked ?? (await findUpgrade(services, principal, clientDataJSON))
  if (!challenge) throw invalidCredential()
  const isConditional = asked === undefined
  const verified = await verifyRegistration(services, body.credential, challenge.value, { isConditional })
  if (!verified) throw invalidCredential()
  const { userHandle = '' } = challenge.record
  // Another registration gave the user a handle in the meantime, so this passkey would not be recognized.
  if (user.passkeys && user.passkeys.userHandle !== userHandle) throw new EditConflict()
  const passkey: PasskeyRecord = {
    ...verified,
    id: randomInt(1, 2 ** 31),
    userId: user.id,
    name: body.name ?? 'Passkey',
    createdAt: services.now(),
    lastUsedAt: null,
    ...(isConditional ? { isUnasked: true } : {}),
    ...(isConditional && !verified.isUserVerified ? { isUnproven: true } : {}),
  }
  const steps = [
    buildUseChallengeStep(challenge.record, invalidCredential),
    auditStep(context, 'passkey.added', { user: user.id, target: String(passkey.id) }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'passkey_added' }),
  ]
  // The passkey replaces the way that opened this session, which may have opened others.
  if (isLimitedToPasskeySetup(principal.session))
    await editUserEndingOtherSessions(
      services.table,
      principal,
      buildAddedPasskey(user, userHandle, passkey),
      [...steps, ...buildNewPasskeySteps(passkey)],
    )
  else await createStoredPasskey(services.table, user, { passkey, userHandle }, steps)
  return {
    status: 201,
    headers: { location: `/api/2/users/me/passkeys/${passkey.id}` },
    body: toPasskeyBody(passkey),
  }
}

/** Finds the challenge of a passkey that the browser created without a question. The sign-in must still be fresh. */
const findUpgrade = async (
  services: Services,
  principal: SessionPrincipal,
  clientDataJson: string,
): Promise<OpenChallenge | undefined> =>
  isFreshPasswordSession(services, principal)
    ? findChallenge(services, clientDataJson, buildUpgradeBinding(principal))
    : undefined

const invalidCredential = () =>
  invalidRequest([
    {
      field: 'credential',
      message: 'must be a new passkey for unused options that this session requested within five minutes',
    },
  ])

/** Renames one of the caller's passkeys. No other field can be changed. */
export const patchPasskey: UseCase<typeof passkeys.patchPasskey> = async (
  { params, body, principal: { user }, context },
  services,
) => {
  const passkey = await requirePasskey(services, user.id, params.id)
  const { name = passkey.name } = body
  if (name !== passkey.name)
    await services.table.transact([
      buildRenamePasskeyStep(passkey, name),
      auditStep(context, 'passkey.renamed', {
        user: user.id,
        target: String(passkey.id),
        changes: [{ field: 'name' }],
      }),
    ])
  return { status: 200, body: toPasskeyBody({ ...passkey, name }) }
}

/**
 * Removes one of the caller's passkeys. All other sessions end, because the device with the passkey may be lost, and may
 * be signed in. The last way to sign in stays.
 */
export const deletePasskey: UseCase<typeof passkeys.deletePasskey> = async (
  { params, principal: { user, session }, context },
  services,
) => {
  const passkey = await requirePasskey(services, user.id, params.id)
  await requireWayLeft(services, user, { passkeyId: passkey.id })
  const { changes, steps } = buildRemoval(services, context, user, passkey)
  await editUserEndingOtherSessions(services.table, { user, session }, changes, steps)
  return { status: 204 }
}

/** Removes a passkey of a user and ends all of their sessions. Callers keep their own last way to sign in here, too. */
export const deleteUserPasskey: UseCase<typeof passkeys.deleteUserPasskey> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  const passkey = await requirePasskey(services, user.id, params.passkey_id)
  if (user.id === principal.user.id) await requireWayLeft(services, user, { passkeyId: passkey.id })
  const { changes, steps } = buildRemoval(services, context, user, passkey)
  const extraSteps = [...steps, ...(await buildSignInSetSteps(services, context, user))]
  await editUserEndingSessions(services.table, user, changes, { extraSteps })
  return { status: 204 }
}

interface Removal {
  readonly changes: { readonly passkeys: PasskeyState }
  readonly steps: readonly Step[]
}

const buildRemoval = (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  passkey: PasskeyRecord,
): Removal => ({
  changes: { passkeys: countRemovedPasskeys(user, [passkey]) },
  steps: [
    ...buildDeletePasskeySteps(passkey, () => notFound('passkey')),
    auditStep(context, 'passkey.removed', { user: user.id, target: String(passkey.id) }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'passkey_removed' }),
  ],
})
