import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const withEmail = () => ({ email: `${randomUUID()}@example.com` })

it.each([
  ['without an address', {}, 'The user has no verified email address. Set one first.'],
  [
    'who is disabled',
    { ...withEmail(), is_enabled: false },
    'The user is disabled or expired. Enable the user first.',
  ],
  [
    'who signs in otherwise',
    { ...withEmail(), allow_changing_password: false },
    'The user is not allowed to choose a password. Set `allow_changing_password` first.',
  ],
])('an administrator learns why a user %s gets no reset link', async (_, fields, detail) => {
  const { user } = await addPerson(service, fields)
  const path = `/api/2/users/${user.id}/password/reset`
  const { status, body } = await service.client('POST', path, { bearer: admin.bearer })
  expect([status, body.detail]).toEqual([409, detail])
})
