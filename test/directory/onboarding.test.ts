import { expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* The overview of the console shows an administrator the first steps until they hide them. */

const service = await useService()
const path = '/api/2/users/me/onboarding'
const addAdmin = () => addSignedIn(service, { permissions: ['system:admin-access'] })
const isHidden = async (bearer: string): Promise<boolean> => {
  const { text } = await service.client('GET', '/admin', {
    headers: { cookie: `latchkey=${bearer}`, accept: 'text/html' },
  })
  const [, value] = /&quot;hidesOnboarding&quot;:(true|false)/.exec(text) ?? []
  expect(value).toBeDefined()
  return value === 'true'
}

it('hides the first steps from one administrator, and shows them again', async () => {
  const [one, other] = [await addAdmin(), await addAdmin()]
  const set = (is_hidden: unknown) => service.client('PUT', path, { bearer: one.bearer, body: { is_hidden } })
  expect(await isHidden(one.bearer)).toBe(false)
  const answers = await Promise.all(Array.from({ length: 5 }, () => set(true)))
  expect(answers.filter(({ status }) => ![204, 409].includes(status))).toEqual([])
  expect((await set(true)).status).toBe(204)
  expect([await isHidden(one.bearer), await isHidden(other.bearer)]).toEqual([true, false])
  expect((await set('yes')).body.errors).toMatchObject([{ field: 'is_hidden' }])
  expect((await set(false)).status).toBe(204)
  expect(await isHidden(one.bearer)).toBe(false)
})

it('refuses people who do not see them', async () => {
  const { bearer } = await addSignedIn(service, { permissions: ['users:view'] })
  const body = { is_hidden: true }
  expect((await service.client('PUT', path, { bearer, body })).status).toBe(403)
  expect((await service.client('PUT', path, { body })).status).toBe(401)
})
