import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endedSessionRetentionMs, keptTicketsPerUser } from '../../lib/core/limits.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { userKey } from '../../lib/store/engine/keys.ts'
import { startProxy } from '../infra/dynamodb-proxy.ts'
import type { JsonValue } from '../support/client.ts'
import { addPerson, signIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/** DynamoDB refuses longer expressions. The engine of the tests does not. */
const expressionBytes = 4096

let service: TestService
let proxy: Awaited<ReturnType<typeof startProxy>>
const tooLong: string[] = []

const checkExpressions = (part: JsonValue): void => {
  if (part === null || typeof part !== 'object') return
  for (const [name, value] of Object.entries<JsonValue>(part))
    if (typeof value === 'string' && /Expression$/.test(name) && value.length > expressionBytes)
      tooLong.push(`${name} of ${value.length} bytes`)
    else checkExpressions(value)
}

beforeAll(async () => {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
  proxy = await startProxy({
    endpoint,
    onCall: ({ input }) => {
      checkExpressions(input)
      return () => undefined
    },
  })
  process.env['DYNAMODB_ENDPOINT'] = proxy.url
  service = await startService()
})
afterAll(async () => {
  await service.close()
  await proxy.close()
})

const randomHash = () => randomBytes(32).toString('base64url')
const many = <Value>(count: number, value: Value): Record<string, Value> =>
  Object.fromEntries(Array.from({ length: count }, () => [randomHash(), value]))

/** A user whose record is full of entries that are no longer needed. */
const addBusyPerson = async () => {
  const person = await addPerson(service)
  const long = service.services.now() - endedSessionRetentionMs
  await service.services.table.update(userKey(person.user.id), (x) => ({
    set: [
      `${x.path('endedSessions')} = ${x.value(many(1000, long - 1))}`,
      `${x.path('tickets')} = ${x.value(many(keptTicketsPerUser, { expiresAt: long, session: randomHash() }))}`,
    ],
  }))
  return person
}

const countEntries = async (id: number) => {
  const user = await findUser(service.services.table, id)
  return {
    ended: Object.keys(user?.endedSessions ?? {}).length,
    tickets: Object.keys(user?.tickets ?? {}).length,
  }
}

describe('a user with a thousand ended sessions and as many tickets as are kept', () => {
  it('signs in and out, and their record becomes smaller', async () => {
    const person = await addBusyPerson()
    for (let round = 0; round < 3; round++) {
      const bearer = await signIn(service, person)
      expect((await service.client('POST', '/api/2/auth/logout', { bearer })).status).toBe(204)
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    }
    expect((await countEntries(person.user.id)).ended).toBeLessThan(900)
    expect(tooLong).toEqual([])
  })

  it('gets tickets that work, and their record becomes smaller', async () => {
    const person = await addBusyPerson()
    const bearer = await signIn(service, person)
    for (let round = 0; round < 3; round++) {
      const made = await service.client('POST', '/api/2/auth/ticket', { bearer, body: {} })
      expect(made.status).toBe(200)
      const checked = await service.client('POST', '/api/2/auth/ticket/check', { body: made.body })
      expect(checked.body.id).toBe(person.user.id)
    }
    expect((await countEntries(person.user.id)).tickets).toBeLessThan(keptTicketsPerUser - 100)
    expect(tooLong).toEqual([])
  })
})
