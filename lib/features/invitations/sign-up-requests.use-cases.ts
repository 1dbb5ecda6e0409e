import { consume } from '../../accounts/callers/throttle.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findGroups } from '../../accounts/groups/groups.records.ts'
import { normalizeEmail } from '../../accounts/names/names.ts'
import { describeNewUser } from '../../accounts/users/describe-new-user.ts'
import { firstCredentialEpoch } from '../../accounts/users/plan-new-user.records.ts'
import { createUser } from '../../accounts/users/write-users.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict, notFound } from '../../kernel/errors/errors.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { endOtherClaims } from '../directory/addresses/other-claims.ts'
import { readCallerRights, requireControl } from '../directory/rights/account-rights.ts'
import { buildInvitation, buildInvitationSteps } from './invite.ts'
import type { invitations } from './operations.ts'
import { type SignUpGifts, selectProductGroups } from './product-groups.ts'
import {
  buildEndSignUpRequestStep,
  findSignUpRequest,
  listSignUpRequests,
  type SignUpRequest,
} from './sign-up.records.ts'
import {
  addGifts,
  buildPlainGroupGuard,
  createNewcomer,
  requirePlainTemplate,
  requireSignUpPolicy,
} from './sign-up-rules.ts'

/** What the hook gave when the person asked. A group that is gone, or has permissions of the service by now, is left out. */
const readGifts = async ({ table }: Services, { gifts }: SignUpRequest): Promise<SignUpGifts | undefined> => {
  if (!gifts) return undefined
  return { ...gifts, groups: selectProductGroups(await findGroups(table, gifts.groups)) }
}

const noRequest = ['request', 'It may have expired, or someone else decided about it.'] as const

export const getSignUpRequests: UseCase<typeof invitations.getSignUpRequests> = async (_, { table, now }) => {
  const requests = await listSignUpRequests(table, now())
  return {
    status: 200,
    body: requests.map(({ id, email, full_name: fullName, requestedAt, expiresAt }) => ({
      id,
      email,
      full_name: fullName,
      requested_at: formatTime(requestedAt),
      expires_at: formatTime(expiresAt),
    })),
  }
}

/**
 * Creates the user and invites them. Approvers give what the template gives, so they have to control it: otherwise someone who
 * manages users could approve an account of their own with permissions that they lack.
 */
export const approveSignUp: UseCase<typeof invitations.approveSignUp> = async (
  { params, principal, context },
  services,
) => {
  const { table, now } = services
  const request = await requireRequest(services, params.key)
  const policy = await requireSignUpPolicy(services)
  const plain = await requirePlainTemplate(services, policy.user_template)
  const rights = await readCallerRights(table, principal)
  requireControl(rights, plain.template?.permissions ?? [], plain.groups)
  const template = addGifts(plain, await readGifts(services, request))
  await consume(services, 'invitationsPerInviter', String(principal.user.id))
  const normalizedEmail = normalizeEmail(request.email)
  const inviter = { principal, rights }
  const invitation = buildInvitation(services, inviter, normalizedEmail, firstCredentialEpoch)
  const user = await createNewcomer(services, request, template, invitation, (newcomer) =>
    createUser(table, newcomer, now(), {
      guard: buildPlainGroupGuard(template),
      extraSteps: (id) => [
        buildEndSignUpRequestStep(request, decidedAlready),
        auditStep(context, 'sign_up.approved', { user: id, target: request.id }),
        auditStep(context, 'user.created', { user: id, ...describeNewUser(newcomer) }),
        ...buildInvitationSteps(services, context, id, invitation),
      ],
    }),
  )
  await endOtherClaims(services, context, user)
  return { status: 200, body: { id: user.id } }
}

export const refuseSignUp: UseCase<typeof invitations.refuseSignUp> = async (
  { params, context },
  services,
) => {
  const request = await requireRequest(services, params.key)
  await services.table.transact([
    buildEndSignUpRequestStep(request, () => notFound(...noRequest)),
    auditStep(context, 'sign_up.refused', { target: request.id }),
  ])
  return { status: 204 }
}

const decidedAlready = () => conflict('Someone else decided about this request in the meantime.')

const requireRequest = async ({ table, now }: Services, id: string): Promise<SignUpRequest> => {
  const request = /^[\w-]{22}$/.test(id) ? await findSignUpRequest(table, id, now()) : undefined
  if (!request) throw notFound(...noRequest)
  return request
}
