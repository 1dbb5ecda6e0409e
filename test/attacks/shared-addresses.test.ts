import { beforeAll, describe, expect, it } from 'vitest'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { addLink, lookUp, redeem, statusesOf } from '../support/links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* All requests come from one address, like those of a product. An attacker sends wrong values through the product. */

const service = await useWatchedService()
const person = await addSignedIn(service, { permissions: ['media:access'] })
let calls: string[] = []

const createTicket = async (): Promise<string> =>
  (await service.client('POST', '/api/2/auth/ticket', { bearer: person.bearer })).body.ticket
const check = (ticket: string) => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
const reset = (token: string) =>
  service.client('POST', '/api/2/auth/reset-password', {
    body: { token, password: 'correct horse staple 7' },
  })
const createResetToken = async (): Promise<string> => {
  const { user } = await addPerson(service, { email: `${Math.random()}@example.com` })
  const { value, steps } = mintResetToken(service.services, user)
  await service.services.table.transact(steps)
  return value
}
const guessTicket = () => check(mintCredential('auth_ticket', person.user.id).value)
const guesses = {
  ticket: guessTicket,
  'link value': () => lookUp(service, mintCredential('access_token', 1).value),
  'link to redeem': () => redeem(service, mintCredential('access_token', 1).value),
  'reset token': () => reset(mintCredential('reset_token', person.user.id).value),
}
const countCalls = async (send: () => Promise<{ readonly status: number }>) => {
  calls = []
  service.watch(({ action }) => {
    calls.push(action)
    return undefined
  })
  const { status } = await send()
  service.restore()
  return { status, calls }
}

describe('after more than 600 wrong tickets in a minute', () => {
  beforeAll(async () => {
    const answers = []
    while (answers.length < 650) answers.push(...(await Promise.all(Array.from({ length: 50 }, guessTicket))))
    const { 404: unknown = 0, 429: limited = 0 } = statusesOf(answers)
    expect(unknown).toBeGreaterThanOrEqual(600)
    expect(unknown + limited).toBe(650)
    expect(limited).toBeGreaterThan(0)
  })

  it('the address still gets every good value served', async () => {
    const link = await addLink(service, person.bearer)
    expect((await check(await createTicket())).status).toBe(200)
    expect((await lookUp(service, link.token)).status).toBe(200)
    expect((await redeem(service, link.token)).status).toBe(200)
    expect((await reset(await createResetToken())).status).toBe(204)
  })

  it('good tickets are served among wrong ones in parallel', async () => {
    const good = await Promise.all(Array.from({ length: 10 }, createTicket))
    const answers = await Promise.all(
      good.flatMap((ticket) => [guessTicket(), check(ticket), guessTicket(), guessTicket()]),
    )
    expect(statusesOf(answers)).toEqual({ 200: 10, 429: 30 })
  })

  it.each(Object.entries(guesses))('a wrong %s costs one read, without a write', async (_, guess) => {
    // The first refusal in a minute writes an audit event, which then counts the others.
    await guess()
    const measured = await countCalls(guess)
    expect(measured).toEqual({ status: 429, calls: ['BatchGetItem'] })
  })

  it('a used ticket is not served again', async () => {
    const ticket = await createTicket()
    const answers = await Promise.all(Array.from({ length: 20 }, () => check(ticket)))
    expect(statusesOf(answers)).toEqual({ 200: 1, 429: 19 })
  })
})

it.each([
  ['ticket', check, 'lkt', 404],
  ['link value', (value: string) => lookUp(service, value), 'lka', 404],
  ['link to redeem', (value: string) => redeem(service, value), 'lka', 404],
  ['reset token', reset, 'lkr', 400],
] as const)('a mistyped %s is refused without a table call', async (_, send, prefix, status) => {
  const value = `${prefix}_${'0'.repeat(44)}1`
  expect(await countCalls(() => send(value))).toEqual({ status, calls: [] })
})
