import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { sessionKey } from '../../lib/kernel/table/keys/keys.ts'
import type { SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

/** Makes the latest proof of identity in the session of a person this old. Works without a clock that tests can move. */
export const ageAuthentication = async (
  { services: { table, now } }: Pick<TestService, 'services'>,
  { user, bearer }: SignedInPerson,
  ageMs: number,
): Promise<void> => {
  await table.update(sessionKey(user.id, parseCredential(bearer)?.hash ?? ''), (x) => ({
    set: [`${x.path('authentication', 'at')} = ${x.value(now() - ageMs)}`],
  }))
}
