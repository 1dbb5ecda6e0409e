import { afterEach, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { addPerson, signIn } from '../support/people.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

const service = await useWatchedService()
afterEach(() => service.restore())

it('answers a reset that loses five races as a conflict and leaves the token valid', async () => {
  const { services } = service
  const { user } = await addPerson(service, { email: 'changing@example.com' })
  const { value, steps } = mintResetToken(services, user)
  await services.table.transact(steps)
  const password = 'a long new passphrase'
  const reset = () =>
    service.client('POST', '/api/2/auth/reset-password', { body: { token: value, password } })
  const isReset = hasStep('Delete', new RegExp(`^user#${user.id}$`))
  let edits = 0
  service.watch(async (call) => {
    if (!isReset(call) || edits === 5) return undefined
    edits += 1
    const current = await findUser(services.table, user.id)
    if (current) await editUser(services.table, current, { full_name: `Name ${edits}` })
    return undefined
  })
  const answer = await reset()
  expect(answer.status).toBe(409)
  expect(answer.body.code).toBe('conflict')
  service.restore()
  expect((await reset()).status).toBe(204)
  expect(await signIn(service, { user, password })).toMatch(/^lks_/)
})
