import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import type { Found } from '../../accounts/users/leak-row.ts'
import type { UseCase } from '../../http/use-case.ts'
import { notFound } from '../../kernel/errors/errors.ts'
import { findCredentialIn, hashCredential, parseCredentialStart } from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { leaks } from '../leaks.ts'
import type { leaks as operations } from './operations.ts'

/** Finds whose credential a value is. Only its hash is compared, and failures are counted like those of others. */
export const findCredential: UseCase<typeof operations.findCredential> = async (
  { body, context },
  services,
) => {
  const found = await find(services, body.value.trim())
  if (!found) {
    await countFailedLookup(services, context)
    throw notFound('credential')
  }
  const [owner] = found.user === null ? [] : await findUsers(services.table, [found.user])
  return { status: 200, body: { ...found, name: found.name ?? null, user_name: owner?.username ?? null } }
}

const find = async (services: Services, value: string): Promise<Found | undefined> => {
  const credential = findCredentialIn(value)
  if (credential) return leaks[credential.kind].find?.(services, credential)
  const start = parseCredentialStart(value)
  // The beginning names the user, the link or the client that the value belongs to.
  if (start) return leaks[start.kind].findByStart?.(services.table, start.subject)
  const hash = hashCredential(value)
  const { findChosenOwner, find: findChosen } = leaks.api_token
  const subject = await findChosenOwner?.(services.table, hash)
  return subject === undefined ? undefined : findChosen?.(services, { subject, hash })
}
