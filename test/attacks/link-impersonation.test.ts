import { expect, it } from 'vitest'
import { addLink, linksPath, postLink, statusesOf } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* An administrator impersonates a user in order to send links in the user's name. */

const detail = 'Not allowed while impersonating another user.'
const impersonation = '/api/2/auth/impersonation'
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const victim = await addSignedIn(service, { permissions: ['media:access'] })

const countLinksOfVictim = async () =>
  (await service.client('GET', `${linksPath}?created_by=${victim.user.id}`, { bearer: victim.bearer })).body
    .length
const impersonate = () =>
  service.client('POST', impersonation, { bearer: admin.bearer, body: { user: victim.user.id } })
const stop = () => service.client('POST', `${impersonation}/stop`, { bearer: admin.bearer })

it('creates and emails no link in the name of an impersonated user, once or 20 times in parallel', async () => {
  const own = await addLink(service, victim.bearer)
  const before = await countLinksOfVictim()
  expect((await impersonate()).status).toBe(204)
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => postLink(service, admin.bearer)),
    postLink(service, admin.bearer, { is_easy_sharing: true }),
    service.client('POST', `${linksPath}/${own.id}/email`, {
      bearer: admin.bearer,
      body: { email: 'someone@example.com' },
    }),
  ])
  expect(statusesOf(answers)).toEqual({ 403: 22 })
  for (const { body } of answers) expect(body).toMatchObject({ code: 'permission_denied', detail })
  expect(await countLinksOfVictim()).toBe(before)
  expect(service.mailbox.mails).toEqual([])
  expect((await stop()).status).toBe(204)
  expect((await postLink(service, admin.bearer)).body.created_by.id).toBe(admin.user.id)
})

it('creates at most links of the administrator while impersonation starts concurrently', async () => {
  const before = await countLinksOfVictim()
  const [started, ...answers] = await Promise.all([
    impersonate(),
    ...Array.from({ length: 20 }, () => postLink(service, admin.bearer)),
  ])
  expect(started?.status).toBe(204)
  for (const { status, body } of answers) {
    expect([201, 403]).toContain(status)
    if (status === 201) expect(body.created_by.id).toBe(admin.user.id)
  }
  expect(await countLinksOfVictim()).toBe(before)
  await stop()
})
