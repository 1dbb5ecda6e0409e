import { randomUUID } from 'node:crypto'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import type { Json } from './client.ts'
import type { TestService } from './service.ts'

/** Connects an account at a SAML provider to a user, and returns it as their managers see it. */
export const connectAccount = async (
  { services, client }: TestService,
  user: Pick<UserRecord, 'id'>,
  { providerId, manager }: { readonly providerId: number; readonly manager: string },
): Promise<Json> => {
  const name = { providerId, nameId: randomUUID(), qualifiers: [] }
  const account = { userId: user.id, groups: [], deletedUserId: undefined, linkedAt: services.now() }
  await services.table.transact(buildCompanyAccountSteps(name, { ...account, shownName: 'ada@example.com' }))
  const path = `/api/2/users/${user.id}/company-accounts?ordering=-linked_at`
  return (await client('GET', path, { bearer: manager })).body[0]
}
