import { expect, it } from 'vitest'
import type { Json } from '../support/client.ts'
import { addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

it('an administrator sets up a team, impersonates a member, and finds everything in the audit events', async () => {
  const admin = await addSignedIn(service, { username: 'the-admin', permissions: ['system:admin-access'] })
  const asAdmin = async (method: string, path: string, body?: object) => {
    const answer = await service.client(method, path, { bearer: admin.bearer, body })
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  const group = await asAdmin('POST', '/api/2/groups', { name: 'Editors', permissions: ['media:access'] })
  const template = await asAdmin('POST', '/api/2/user-templates', { name: 'Editor', groups: [group.id] })
  const made = await asAdmin('POST', '/api/2/users', {
    username: 'an-editor',
    permissions: template.permissions,
    groups: template.groups,
  })
  expect(made.effective_permissions).toEqual(['media:access'])
  const password = 'what the editor types'
  await asAdmin('POST', `/api/2/users/${made.id}/password`, { password })
  const editor = await signIn(service, { user: made, password })
  expect(
    (await service.client('GET', '/api/2/users/me', { bearer: editor })).body.effective_permissions,
  ).toEqual(['media:access'])

  expect((await asAdmin('GET', '/api/2/groups?name=editors')).map(({ id }: Json) => id)).toEqual([group.id])
  expect(await asAdmin('GET', `/api/2/users?filter=EDITOR&groups=${group.id}`)).toMatchObject([
    { id: made.id },
  ])

  expect(await asAdmin('GET', '/api/2/totals')).toEqual({ users: 2, guests: 0, groups: 1 })
  expect((await asAdmin('GET', '/api/2/groups'))[0].members).toEqual([made.id])

  await asAdmin('POST', '/api/2/auth/impersonation', { user: made.id })
  const refused = await service.client('POST', '/api/2/users/me/password', {
    bearer: admin.bearer,
    body: { password: 'what the administrator would like', current_password: password },
  })
  expect(refused.status).toBe(403)
  await asAdmin('POST', '/api/2/auth/impersonation/stop')

  const events = await asAdmin('GET', '/api/2/auth/audit-events')
  const story = (events as Record<string, unknown>[])
    .map(({ event, user_name, actor_name, outcome }) => [event, user_name, actor_name, outcome])
    .reverse()
  expect(story).toEqual([
    ['login.succeeded', 'the-admin', 'the-admin', 'succeeded'],
    ['group.created', null, 'the-admin', 'succeeded'],
    ['user_template.created', null, 'the-admin', 'succeeded'],
    ['user.created', 'an-editor', 'the-admin', 'succeeded'],
    ['password.set', 'an-editor', 'the-admin', 'succeeded'],
    ['login.succeeded', 'an-editor', 'an-editor', 'succeeded'],
    ['impersonation.started', 'an-editor', 'the-admin', 'succeeded'],
    ['access.denied', 'an-editor', 'the-admin', 'permission_denied'],
    ['impersonation.stopped', 'an-editor', 'the-admin', 'succeeded'],
  ])

  const members = `/api/2/groups/${group.id}/members`
  expect(await asAdmin('POST', members, { remove: [made.id] })).toEqual({ added: 0, removed: 1 })
  expect(await asAdmin('GET', `/api/2/users?groups=${group.id}&ordering=username`)).toEqual([])
  expect(await asAdmin('POST', members, { add: [made.id] })).toEqual({ added: 1, removed: 0 })
  expect(await asAdmin('GET', `/api/2/users?groups=${group.id}&ordering=username`)).toMatchObject([
    { id: made.id },
  ])
  const changes = await asAdmin('GET', '/api/2/auth/audit-events?event=group.changed')
  expect(changes).toHaveLength(2)
  expect(JSON.stringify(events)).not.toContain(password)
})
