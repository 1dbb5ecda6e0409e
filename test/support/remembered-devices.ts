import { requireUser } from '../../lib/accounts/users/require-records.ts'
import {
  buildRememberedDeviceStep,
  type RememberedDeviceRecord,
} from '../../lib/features/remembered-devices/records.ts'
import { mintDeviceSecret } from '../../lib/features/remembered-devices/secrets.ts'
import type { Answer, Client } from './client.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'
import { storeSignInPolicy } from './sign-in-policy.ts'

const cookieName = 'latchkey-remembered-device'

/** A browser on the origin of the service that signs in, and keeps the cookie of a remembered device. */
export interface RememberingBrowser {
  /** The cookie as the browser sends it, or an empty text. */
  cookie: string
  /** Signs in with the password and keeps the cookie of the answer. */
  readonly signIn: (person: Person, fields?: object) => Promise<Answer>
  /** Sends any request with the cookie, and keeps that of the answer. */
  readonly send: (path: string, body: object, bearer?: string) => Promise<Answer>
}

export const openRememberingBrowser = (
  { client: ownClient, url }: Pick<TestService, 'client' | 'url'>,
  client: Client = ownClient,
  cookie = '',
): RememberingBrowser => {
  const browser: RememberingBrowser = {
    cookie,
    signIn: ({ user, password }, fields = {}) =>
      browser.send('/api/2/auth/login', { username: user.username, password, ...fields }),
    send: async (path, body, bearer) => {
      const headers = { origin: url, ...(browser.cookie === '' ? {} : { cookie: browser.cookie }) }
      const answer = await client('POST', path, {
        body,
        headers,
        ...(bearer === undefined ? {} : { bearer }),
      })
      const set = answer.cookies.find((one) => one.startsWith(`${cookieName}=`))
      if (set !== undefined) browser.cookie = set.split(';')[0] ?? ''
      return answer
    },
  }
  return browser
}

/** Stores a device of a user who has no authenticator app, under a policy that allows it. */
export const addRememberedDevice = async (
  service: TestService,
  userId: number,
): Promise<RememberedDeviceRecord> => {
  const { table, now } = service.services
  await storeSignInPolicy(service, { remembered_device_days: 30 })
  const { value: _, ...hashes } = mintDeviceSecret(userId)
  const device: RememberedDeviceRecord = {
    ...hashes,
    ...{ slot: 0, id: 1_402_887_316, userId, createdAt: now(), lastUsedAt: null },
    endsAt: now() + 30 * 86_400_000,
    credentialEpoch: (await requireUser(table, userId)).credentialEpoch,
    authenticator: null,
    ...{ address: '192.0.2.1', userAgent: 'Mozilla/5.0' },
  }
  await table.transact([buildRememberedDeviceStep(device, undefined)])
  return device
}
