import { createHash } from 'node:crypto'
import type { Services } from '../../lib/services.ts'
import { type ConnectionRecord, readConnections } from '../../lib/store/connections/connections.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { findSamlAccounts, type SamlAccount } from '../../lib/store/saml/saml-accounts.ts'
import { isCredentialRevoked } from '../../lib/store/sign-in/revoked-credentials.ts'

export type UsableSamlAccount = SamlAccount & { readonly provider: ConnectionRecord }

/** Finds the accounts that can sign a user in: those of existing providers, without those that a report revoked. */
export const findUsableSamlAccounts = async (
  { table }: Services,
  user: UserRecord,
): Promise<readonly UsableSamlAccount[]> => {
  const accounts = (await findSamlAccounts(table, user)).filter(
    ({ linkedAt }) => !isCredentialRevoked(user, linkedAt),
  )
  const ids = [...new Set(accounts.map(({ providerId }) => providerId))]
  const providers = new Map((await readConnections(table, ids)).map((provider) => [provider?.id, provider]))
  return accounts.flatMap((account) => {
    const provider = providers.get(account.providerId)
    return provider ? [{ ...account, provider }] : []
  })
}

/**
 * The ID of an account in paths. It is derived from the name at the provider, and differs between the accounts of one
 * user.
 */
export const getSamlAccountId = ({ providerId, hash }: SamlAccount): number => {
  const digest = createHash('sha256').update(`${providerId}#${hash}`).digest()
  return (digest.readUInt32BE() % (2 ** 31 - 1)) + 1
}
