import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { normalizeEmail } from '../../accounts/names/names.ts'
import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { findUser, findUserIdByEmail } from '../../accounts/users/find-users.records.ts'
import { getOpenInvitation } from '../../accounts/users/invitation-state.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, ConflictError, conflict, invalidRequest } from '../../kernel/errors/errors.ts'
import { signUpRequestLifetimeMs, signUpRequestsMax } from '../../kernel/limits/limits.ts'
import { parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { consumeWithProof } from '../network-limits/rules.ts'
import { askAboutAccount, createAccount, renewInvitation, toNewcomer } from './create-account.ts'
import type { invitations } from './operations.ts'
import {
  buildSignUpRequestStep,
  buildUseSignUpLinkStep,
  findSignUpLink,
  findSignUpRequest,
  getSignUpRequestId,
  listSignUpRequests,
  type SignUpLink,
  type SignUpPolicy,
} from './sign-up.records.ts'
import { type Newcomer, requireListedDomain, requireSignUpPolicy } from './sign-up-rules.ts'

/**
 * Queues the email. The mailer looks up the account, the suppressions and the refused domains later, so neither the response
 * nor its duration reveals any of them.
 */
export const requestSignUp: UseCase<typeof invitations.requestSignUp> = async (
  { body, context },
  services,
) => {
  await consumeWithProof(services, 'request_sign_up', context, body.proof)
  const policy = await requireSignUpPolicy(services)
  const address = parseMailAddress(body.email)
  if (!address)
    throw invalidRequest([{ field: 'email', message: 'must be an address that can receive the link' }])
  requireListedDomain(policy, address.address)
  const job = { kind: 'sign_up', email: address.address } as const
  await services.table.transact([buildOutboxStep(job, context, services.now())])
  return { status: 204 }
}

/** Shows what the person has to say. It uses nothing, so mail scanners that open links use nothing. */
export const findSignUp: UseCase<typeof invitations.findSignUp> = async ({ body, context }, services) => {
  const { link, policy } = await requireLink(services, context, body.token)
  return {
    status: 200,
    body: {
      email: link.email,
      needs_approval: policy.mode === 'approval',
      terms_version: policy.terms_version,
      terms_url: policy.terms_url,
      expires_at: formatTime(link.expiresAt),
    },
  }
}

/**
 * Uses the link. The account, or the request that waits, and the end of the link are one transaction, so a link makes one
 * account, however often it is sent at the same time.
 */
export const completeSignUp: UseCase<typeof invitations.completeSignUp> = async (
  { body, context },
  services,
) => {
  const { link, policy } = await requireLink(services, context, body.token)
  if (link.usedBy !== undefined)
    return { status: 200, body: { invitation_token: await renewInvitation(services, link.usedBy) } }
  if (policy.terms_version !== null && body.terms_version !== policy.terms_version)
    throw invalidRequest([{ field: 'terms_version', message: 'must be the current version of the terms' }])
  const fields = { email: link.email, full_name: body.full_name }
  const use = (usedBy: number) =>
    buildUseSignUpLinkStep(link.hash, { usedBy, nowMs: services.now() }, () => new AppError('invalid_token'))
  if (policy.mode === 'approval') {
    await queueRequest(services, context, {
      newcomer: toNewcomer(services, context, policy, fields),
      policy,
      use,
    })
    return { status: 200, body: { invitation_token: null } }
  }
  try {
    const token = await createAccount(services, context, {
      newcomer: fields,
      policy,
      buildSteps: (userId) => [use(userId)],
    })
    return { status: 200, body: { invitation_token: token } }
  } catch (error) {
    // The link was used at the same time, so the address is that of the account which it made.
    const { usedBy = undefined } =
      error instanceof ConflictError
        ? ((await findSignUpLink(services.table, link.hash, services.now())) ?? {})
        : {}
    throw usedBy === undefined ? error : new AppError('invalid_token')
  }
}

interface Waiting {
  readonly newcomer: Newcomer
  readonly policy: SignUpPolicy
  /** Builds the step that uses the link for a user. For one who waits, the ID is 0. */
  readonly use: (usedBy: number) => Step
}

/** Stores the request for those who manage users, and informs the approvers. */
const queueRequest = async (
  services: Services,
  context: RequestContext,
  { newcomer, policy, use }: Waiting,
): Promise<void> => {
  const { table, now } = services
  const at = now()
  const normalizedEmail = normalizeEmail(newcomer.email)
  if ((await findUserIdByEmail(table, normalizedEmail)) !== undefined)
    throw conflict('There is already an account with this address. Sign in instead.')
  const id = getSignUpRequestId(normalizedEmail)
  const waiting = await listSignUpRequests(table, at)
  const isAgain = waiting.some((request) => request.id === id)
  if (!isAgain && waiting.length >= signUpRequestsMax)
    throw conflict('Too many people wait for an account. Try again later.')
  const gifts = await askAboutAccount(services, context, newcomer)
  const request = {
    ...newcomer,
    ...(gifts && { gifts: { groups: gifts.groups.map(({ id }) => id), attributes: gifts.attributes } }),
    id,
    requestedAt: at,
    expiresAt: at + signUpRequestLifetimeMs,
  }
  await table.transact([
    use(0),
    buildSignUpRequestStep(request),
    auditStep(context, 'sign_up.waiting', { target: id }),
    ...(isAgain
      ? []
      : policy.approvers.map((to) =>
          buildOutboxStep({ kind: 'sign_up_waiting', to, person: newcomer.email }, context, at),
        )),
  ])
}

/**
 * Finds the link of a token, and the policy that decides about it now.
 *
 * @throws AppError `permission_denied` if signing up was turned off
 * @throws AppError `invalid_token`, alike for a malformed, unknown, used and expired token
 */
const requireLink = async (
  services: Services,
  context: RequestContext,
  token: string,
): Promise<{ readonly link: SignUpLink; readonly policy: SignUpPolicy }> => {
  // Rejected without reading the table, so callers do not pay for mistyped values.
  const credential = parseCredential(token)
  if (credential?.kind !== 'sign_up') throw new AppError('invalid_token')
  const policy = await requireSignUpPolicy(services)
  const link = await findSignUpLink(services.table, credential.hash, services.now())
  if (link && (await canBeUsed(services, link))) {
    requireListedDomain(policy, link.email)
    return { link, policy }
  }
  await auditRefusal(services, context, 'sign_up.link_refused', { outcome: 'invalid_token' })
  await countFailedLookup(services, context)
  throw new AppError('invalid_token')
}

/** A used link works until its account accepts the invitation, or while the person waits for approval. */
const canBeUsed = async ({ table, now }: Services, { email, usedBy }: SignUpLink): Promise<boolean> => {
  if (usedBy === undefined) return true
  if (usedBy === 0)
    return (await findSignUpRequest(table, getSignUpRequestId(normalizeEmail(email)), now())) !== undefined
  const user = await findUser(table, usedBy)
  return user !== undefined && getOpenInvitation(user) !== undefined
}
