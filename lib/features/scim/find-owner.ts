import { findOwnerOfHash } from '../connections/accounts.records.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import type { ScimContext } from './scim-context.ts'

/** The user who has the identity of a person now: after a merge it is another one than at the first sign-in. */
export const findOwnerId = async (
  { services: { table }, caller: { connection } }: Pick<ScimContext, 'services' | 'caller'>,
  { userId, identity }: Pick<ScimUserRecord, 'userId' | 'identity'>,
): Promise<number | undefined> =>
  identity === undefined ? userId : ((await findOwnerOfHash(table, connection.id, identity)) ?? userId)
