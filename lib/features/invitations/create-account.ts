import { randomBytes } from 'node:crypto'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { normalizeEmail } from '../../accounts/names/names.ts'
import { allocateUserIds } from '../../accounts/names/user-claims.records.ts'
import { describeNewUser } from '../../accounts/users/describe-new-user.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { getOpenInvitation } from '../../accounts/users/invitation-state.ts'
import { firstCredentialEpoch } from '../../accounts/users/plan-new-user.records.ts'
import { createUserWithId, editUser } from '../../accounts/users/write-users.records.ts'
import { invitationLifetimeMs } from '../../kernel/limits/limits.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { endOtherClaims } from '../directory/addresses/other-claims.ts'
import type { OrganizationRecord } from '../organizations/records.ts'
import type { SignUpGifts } from './product-groups.ts'
import type { SignUpPolicy } from './sign-up.records.ts'
import {
  addGifts,
  buildPlainGroupGuard,
  createNewcomer,
  type Newcomer,
  requirePlainTemplate,
} from './sign-up-rules.ts'

/** An organization that invited a person, as hooks learn about it. */
type Inviter = Pick<OrganizationRecord, 'id' | 'slug' | 'name' | 'external_id'>

interface NewAccount {
  /** What the person said. The terms are those of the policy, which they accepted. */
  readonly newcomer: Pick<Newcomer, 'email' | 'full_name'>
  readonly policy: SignUpPolicy
  /** The organization that invited the person. Undefined for those who sign up. */
  readonly organization?: Inviter
  /** Builds the steps that use the link for this user. */
  readonly buildSteps: (userId: number) => readonly Step[]
}

/** What a person says who accepts the terms of the policy now. */
export const toNewcomer = (
  { now }: Services,
  { language }: RequestContext,
  { terms_version: version }: SignUpPolicy,
  fields: Pick<Newcomer, 'email' | 'full_name'>,
): Newcomer => ({
  ...fields,
  ...omitUndefined({ language, acceptedTerms: version === null ? undefined : { version, at: now() } }),
})

/** What the hook of a product gives an account that begins with a proved address. Undefined without a hook. */
export const askAboutAccount = async (
  services: Services,
  context: RequestContext,
  { email, full_name: name, language }: Newcomer,
  organization?: Inviter,
): Promise<SignUpGifts | undefined> => {
  if (!services.config.hooks?.beforeSignUp) return undefined
  const [{ askBeforeSignUp }, { describeOrganization }] = await Promise.all([
    import('./sign-up-hook.ts'),
    import('../hooks/hook-input.ts'),
  ])
  return askBeforeSignUp(services, context, {
    way: organization ? 'invitation' : 'email',
    proof: normalizeEmail(email),
    account: { username: email, name, email, email_verified: true, language: language ?? null },
    organization: organization && describeOrganization(organization),
  })
}

/** Creates the user of an address that a link proved, with an invitation of their own, and returns its token. */
export const createAccount = async (
  services: Services,
  context: RequestContext,
  { newcomer: fields, policy, organization, buildSteps }: NewAccount,
): Promise<string> => {
  const { table, now } = services
  const newcomer = toNewcomer(services, context, policy, fields)
  const plain = await requirePlainTemplate(services, policy.user_template)
  const template = addGifts(plain, await askAboutAccount(services, context, newcomer, organization))
  const id = await allocateUserIds(table, 1)
  const { value, hash } = mintCredential('invitation', id)
  const madeAt = now()
  const invitation = {
    id: randomBytes(12).toString('base64url'),
    hash,
    invitedBy: id,
    normalizedEmail: normalizeEmail(newcomer.email),
    credentialEpoch: firstCredentialEpoch,
    madeAt,
    sentAt: madeAt,
    expiresAt: madeAt + invitationLifetimeMs,
  }
  const created = await createNewcomer(services, newcomer, template, invitation, (user) =>
    createUserWithId(table, id, user, {
      nowMs: madeAt,
      guard: buildPlainGroupGuard(template),
      extraSteps: [
        ...buildSteps(id),
        auditStep(context, 'user.created', { user: id, actor: id, ...describeNewUser(user) }),
        auditStep(context, 'sign_up.completed', {
          user: id,
          actor: id,
          target: newcomer.acceptedTerms?.version ?? null,
        }),
      ],
    }),
  )
  await endOtherClaims(services, context, created)
  return value
}

/**
 * Gives the invitation of an account another token, because the answer with the first one may have been lost. Null if the account
 * has no open invitation.
 */
export const renewInvitation = async ({ table, now }: Services, userId: number): Promise<string | null> => {
  const user = userId === 0 ? undefined : await findUser(table, userId)
  const invitation = user && getOpenInvitation(user)
  if (!invitation) return null
  const { value, hash } = mintCredential('invitation', userId)
  await editUser(table, user, {
    invitation: { ...invitation, hash, expiresAt: now() + invitationLifetimeMs },
  })
  return value
}
