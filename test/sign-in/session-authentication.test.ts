import { describe, expect, it } from 'vitest'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { addLink, redeem } from '../support/links.ts'
import { addSharer } from '../support/mailed-links.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

const findAuthentication = async (bearer: string) => {
  const { subject, hash } = parseCredential(bearer) ?? { subject: 0, hash: '' }
  const { session } = await findSessionAndUser(service.services.table, subject, hash)
  return { createdAt: session?.createdAt, ...session?.authentication }
}

describe('a session stores the time and the methods of its sign-in', () => {
  it('with a password', async () => {
    const { createdAt, ...authentication } = await findAuthentication(
      await signIn(service, await addPerson(service)),
    )
    expect(authentication).toEqual({ at: createdAt, methods: ['pwd'] })
  })

  it('with a password and a code or a recovery code', async () => {
    const person = await addSignedIn(service)
    const { authenticator, recoveryCodes } = await enableSecondFactor(service, person)
    const methodsAfter = async (otp: string | undefined) => {
      const body = { username: person.user.username, password: person.password, otp }
      const answer = await service.client('POST', '/api/2/auth/login', { body })
      return (await findAuthentication(answer.body.session_key)).methods
    }
    expect(await methodsAfter(authenticator.code(1))).toEqual(['pwd', 'otp'])
    expect(await methodsAfter(recoveryCodes[0])).toEqual(['pwd', 'recovery_code'])
  })

  it('with an access link', async () => {
    const { bearer } = await addSharer(service)
    const link = await addLink(service, bearer)
    const answer = await redeem(service, link.token)
    expect((await findAuthentication(answer.body.session_key)).methods).toEqual(['link'])
  })
})
