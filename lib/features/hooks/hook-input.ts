import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'

/** What hooks learn about a person: what the record says that each request reads anyway. No password, hash, or credential is in it. */
export const describePerson = (user: UserRecord) => ({
  id: String(user.id),
  username: user.username,
  name: getDisplayName(user),
  email: user.email,
  email_verified: user.email !== null && user.emailVerified !== false,
  language: user.language,
  external_id: user.externalId?.id ?? null,
})

interface DescribedOrganization {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly external_id?: string | null | undefined
}

export const describeOrganization = ({ id, slug, name, external_id }: DescribedOrganization) => ({
  ...{ id: String(id), slug, name },
  external_id: external_id ?? null,
})

export const describeRequest = ({ address, country, userAgent }: RequestContext) => ({
  address,
  country: country ?? null,
  user_agent: userAgent,
})
