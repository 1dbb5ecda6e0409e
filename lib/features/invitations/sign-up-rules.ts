import { randomBytes } from 'node:crypto'
import { isPrivileged } from '../../accounts/callers/permissions.ts'
import { findGroups, type GroupRecord } from '../../accounts/groups/groups.records.ts'
import { buildEmailState } from '../../accounts/names/email-confirmations.ts'
import { normalizeEmail } from '../../accounts/names/names.ts'
import { toDeliverableAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildGroupUnchangedStep, type JoinGuard } from '../../accounts/users/build-index-steps.records.ts'
import { buildUser } from '../../accounts/users/new-user.ts'
import {
  LooksLikeOther,
  type NewUser,
  type UserInvitation,
  type UserRecord,
} from '../../accounts/users/stored-user.records.ts'
import { AppError, invalidRequest } from '../../kernel/errors/errors.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { buildSkeletonField } from '../directory/names/lookalikes.ts'
import { validateNewUsername } from '../directory/names/user-validation.ts'
import { findUserTemplate, type UserTemplateRecord } from '../directory/templates/templates.records.ts'
import type { SignUpGifts } from './product-groups.ts'
import { findSignUpPolicy, type SignUpPolicy, type SignUpRequest } from './sign-up.records.ts'

/** Until an administrator decides otherwise, no one can sign up. */
export const defaultSignUpPolicy: SignUpPolicy = {
  mode: 'off',
  domains: [],
  refused_domains: [],
  approvers: [],
  user_template: null,
  terms_version: null,
  terms_url: null,
}

/** What everyone accepts who creates their own account. */
export interface SignUpTerms {
  readonly version: string
  readonly url: string
}

/** The terms of the policy, also while it lets no one sign up. Undefined if there are none. */
export const findSignUpTerms = async ({ table }: Services): Promise<SignUpTerms | undefined> => {
  const { terms_version: version = null, terms_url: url = null } =
    (await findSignUpPolicy(table))?.policy ?? {}
  return version === null || url === null ? undefined : { version, url }
}

/** The form in which domains are compared. Undefined for a text that is no domain. */
export const normalizeDomain = (domain: string): string | undefined => {
  const address = domain.includes('@') ? undefined : toDeliverableAddress(`a@${domain}`)
  return address?.slice(2)
}

/** The domain of an address in the form that mail is sent to. */
export const getDomain = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Whether the policy lists the domain of an address, or allows all. */
export const isListedDomain = ({ mode, domains }: SignUpPolicy, address: string): boolean =>
  mode === 'open' || (mode === 'approval' && domains.length === 0) || domains.includes(getDomain(address))

/** @throws AppError `permission_denied` while no one can sign up */
export const requireSignUpPolicy = async ({ table }: Services): Promise<SignUpPolicy> => {
  const policy = (await findSignUpPolicy(table))?.policy
  if (!policy || policy.mode === 'off')
    throw new AppError('permission_denied', { detail: 'Signing up is turned off.' })
  return policy
}

/** @throws AppError `invalid_request` if the policy lists other domains, which the sign-up page names */
export const requireListedDomain = (policy: SignUpPolicy, address: string): void => {
  if (!isListedDomain(policy, address))
    throw invalidRequest([{ field: 'email', message: 'must be an address of a domain that can sign up' }])
}

interface PlainTemplate {
  readonly template: UserTemplateRecord | undefined
  readonly groups: readonly GroupRecord[]
  /** The attributes that a new user begins with, as stored. Without it, none. */
  readonly attributes?: string
}

/** What new users get besides, because the hook of a product said so. Undefined for nothing. */
export const addGifts = (plain: PlainTemplate, gifts: SignUpGifts | undefined): PlainTemplate => {
  if (!gifts) return plain
  const groups = [...plain.groups, ...gifts.groups]
  return {
    ...plain,
    groups: [...new Map(groups.map((group) => [group.id, group])).values()],
    attributes: gifts.attributes,
  }
}

/**
 * Reads the template of new users. A user with too many rights is worse than none, so the template and its groups are checked
 * when the policy is saved, and for each new user.
 *
 * @throws AppError `permission_denied` if the template is missing, or gives a privileged permission
 */
export const requirePlainTemplate = async (
  { table, log }: Services,
  id: number | null,
): Promise<PlainTemplate> => {
  if (id === null) return { template: undefined, groups: [] }
  const template = await findUserTemplate(table, id)
  const groups = await findGroups(table, template?.groups ?? [])
  const given = [...(template?.permissions ?? []), ...groups.flatMap(({ permissions }) => permissions)]
  if (template && !given.some(isPrivileged)) return { template, groups }
  log.error('sign_up.template_refused', { template: id })
  throw new AppError('permission_denied', {
    detail: 'Signing up is not set up at the moment. Ask an administrator.',
  })
}

/** A group that got other permissions since it was read refuses the new user. */
export const buildPlainGroupGuard = ({ groups }: PlainTemplate): JoinGuard => {
  const permissions = new Map(groups.map((group) => [group.id, group.permissions]))
  return (groupId) => buildGroupUnchangedStep(groupId, permissions.get(groupId) ?? [])
}

/** What a person who signs up said, and when. */
export type Newcomer = Pick<SignUpRequest, 'email' | 'full_name' | 'language' | 'acceptedTerms'>

/**
 * Creates the user of a verified address. The address is also the username, so that no one can try names. If the name of
 * another user looks like it, the newcomer gets another username: the owner of an address is never kept out by a name.
 *
 * @throws NotUnique if an account has the address
 */
export const createNewcomer = async (
  { config }: Services,
  { email, full_name: fullName, language, acceptedTerms }: Newcomer,
  { template, groups, attributes }: PlainTemplate,
  invitation: UserInvitation,
  create: (user: NewUser) => Promise<UserRecord>,
): Promise<UserRecord> => {
  const build = async (username: string) =>
    buildUser({
      username,
      ...(await buildSkeletonField(config, username)),
      email,
      ...buildEmailState('link'),
      full_name: fullName,
      permissions: template?.permissions ?? [],
      groups: groups.map(({ id }) => id),
      language: language ?? template?.language ?? null,
      default_page: template?.default_page ?? '/',
      is_external: template?.is_external ?? false,
      invitation,
      ...omitUndefined({ acceptedTerms, attributes }),
    })
  const other = `user-${randomBytes(8).toString('hex')}`
  const address = { normalizedEmail: normalizeEmail(email), isVerified: true }
  if (validateNewUsername(config, email, address).length > 0) return create(await build(other))
  try {
    return await create(await build(email))
  } catch (error) {
    if (!(error instanceof LooksLikeOther)) throw error
    return create(await build(other))
  }
}
