import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* The start page of a user is in profiles and tickets, and products lead there. */

const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  ALLOWED_ORIGINS: 'https://media.example.com',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const send = (method: string, path: string, body: object) =>
  service.client(method, `/api/2/${path}`, { bearer: admin.bearer, body })

const hostile = [
  'javascript:alert(1)',
  'JavaScript:alert(1)//https://media.example.com',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://media.example.com/0',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/a\u0000b',
  '/a\u202eb',
  'https://evil.example/',
  'https://media.example.com.evil.example/',
  'https://media.example.com@evil.example/',
  'http://media.example.com/',
  'https:evil.example',
  'media',
]

describe.each(hostile)('the start page %j', (default_page) => {
  it('is refused for new and existing users, the own profile, and templates', async () => {
    const { user } = await addPerson(service)
    const required = { username: randomUUID(), permissions: [], groups: [] }
    const template = await send('POST', 'user-templates', { name: randomUUID() })
    const answers = await Promise.all([
      send('POST', 'users', { ...required, default_page }),
      send('PUT', `users/${user.id}`, { ...required, default_page }),
      send('PATCH', `users/${user.id}`, { default_page }),
      send('PUT', 'users/me', { default_page }),
      send('PATCH', 'users/me', { default_page }),
      send('POST', 'user-templates', { name: randomUUID(), default_page }),
      send('PATCH', `user-templates/${template.body.id}`, { default_page }),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ field: 'default_page' }])
    }
  })
})

it.each([
  '/',
  '/projects?tab=1#top',
  '/übersicht',
  'https://media.example.com/library',
  'https://auth.example.com/account',
])('a start page may be %s', async (default_page) => {
  expect((await send('PATCH', 'users/me', { default_page })).body.default_page).toBe(default_page)
  expect((await send('POST', 'user-templates', { name: randomUUID(), default_page })).status).toBe(201)
})

it('can be sent back after its origin is no longer allowed', async () => {
  const { user } = await addPerson(service, { default_page: 'https://former.example.com/' })
  const path = `users/${user.id}`
  const { body } = await service.client('GET', `/api/2/${path}`, { bearer: admin.bearer })
  expect((await send('PUT', path, { ...body, full_name: 'Ann' })).status).toBe(200)
})
