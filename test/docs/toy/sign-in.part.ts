import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createConnectionError } from '../errors.ts'
import type { SignInProtocol } from '../sign-in-protocol.ts'
import { storeStart } from '../start-sign-in.ts'
import type { ToyAnswer } from './models.ts'
import { getSharedKeyContext } from './protocol.ts'
import { type ToyConnection, toyKind } from './records.ts'

export const toySignIn: SignInProtocol<ToyConnection, ToyAnswer> = {
  stored: toyKind,
  start: async (services, connection, browserSecret, options) => {
    const state = randomBytes(24).toString('base64url')
    await storeStart(services, connection, { id: state, browserSecret }, options)
    return `${connection.sign_in_url}?state=${state}`
  },
  nameFlow: ({ state }) => state,
  explainUnsolicited: () => 'Start the sign-in here.',
  check: async ({ services, provider }, { answer: { name = '', mac = '' }, flow }) => {
    const key = await services.vault.decrypt(provider.sharedKey.cipher, getSharedKeyContext(provider.id))
    const expected = createHmac('sha256', key).update(`${flow.id} ${name}`).digest()
    const given = Buffer.from(mac, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw createConnectionError('login_failed', provider, 'invalid_answer', 'The answer is not signed.')
    const now = services.now()
    return {
      identity: {
        ...{ id: flow.id, issuedAt: now, authenticatedAt: now, authnContexts: [], usableUntil: now },
        subject: {
          ...{ nameId: name, nameIdFormat: null, nameQualifier: null },
          ...{ spNameQualifier: null, sessionIndex: null },
        },
        ...{ identifier: null, sessionEndsAt: null, attributes: [] },
      },
    }
  },
  diagnose: async () => ({ accepted: true, steps: [], subject: null }),
}
