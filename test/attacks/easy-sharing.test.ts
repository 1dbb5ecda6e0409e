import { describe, expect, it } from 'vitest'
import {
  addLink,
  bundle,
  deleteLink,
  easySharing,
  linksPath,
  lookUp,
  objectId,
  postLink,
  redeem,
  statusesOf,
} from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* An attacker who may create links claims an object first, or asks for the link of someone else. */

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
const attacker = await addSignedIn(service, { permissions: ['media:access'] })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

it('returns no token value of another creator, not even to an administrator', async () => {
  const id = objectId()
  const own = await addLink(service, creator.bearer, easySharing(id))
  for (const { bearer, user } of [attacker, admin]) {
    const answer = await postLink(service, bearer, easySharing(id))
    expect(answer.status).toBe(201)
    expect(answer.text).not.toContain(own.token)
    expect(answer.body.created_by.id).toBe(user.id)
    expect(answer.body.user.id).not.toBe(own.user.id)
  }
})

it('gives an attacker who shares an object first no guests of others', async () => {
  const id = objectId()
  const claimed = await addLink(service, attacker.bearer, easySharing(id))
  const own = await addLink(service, creator.bearer, easySharing(id))
  expect(own.token).not.toBe(claimed.token)
  await redeem(service, own.token)
  const { bearer } = attacker
  expect((await service.client('GET', `${linksPath}/${claimed.id}`, { bearer })).body.activity).toEqual([])
  expect((await deleteLink(service, bearer, own.id)).status).toBe(404)
  expect((await deleteLink(service, bearer, claimed.id)).status).toBe(204)
  expect((await lookUp(service, own.token)).status).toBe(200)
  expect((await postLink(service, creator.bearer, easySharing(id))).body.id).toBe(own.id)
})

it('creates one link per creator for 60 concurrent requests of three creators', async () => {
  const id = objectId()
  const creators = [creator, attacker, admin]
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) => postLink(service, creators[at % 3]?.bearer ?? '', easySharing(id))),
  )
  expect(statusesOf(answers)).toEqual({ 200: 57, 201: 3 })
  for (const [at, { user }] of creators.entries()) {
    const own = answers.filter((_, index) => index % 3 === at)
    expect(new Set(own.map(({ body }) => body.token)).size).toBe(1)
    expect(new Set(own.map(({ body }) => body.created_by.id))).toEqual(new Set([user.id]))
  }
})

describe('an easy-sharing link without limits', () => {
  const email = `guest-${objectId()}@example.com`
  const otherTerms: readonly { name: string; given?: object; object?: object }[] = [
    { name: 'permissions', given: { permissions: { allow_read: true } } },
    { name: 'an expiry', given: { expires: '2031-01-01T00:00:00Z' } },
    { name: 'a view limit', given: { view_limit: 1 } },
    { name: 'a password', given: { password: 'what only we know' } },
    { name: 'a recipient', given: { email } },
    { name: 'a recipient who must sign in', given: { email, require_login: true } },
    { name: 'another page', given: { url: '/link?view=grid' } },
    { name: 'another path', object: { path: '/projects/trailer/other.mov' } },
    { name: 'another media root', object: { root: 8 } },
    { name: 'another asset', object: { asset: 9 } },
  ]

  it.each(otherTerms)('is not returned for a request with $name', async ({ given = {}, object = {} }) => {
    const id = objectId()
    const unlimited = await addLink(service, creator.bearer, easySharing(id))
    const limited = { ...easySharing(id, given), bundles: [bundle({ id, ...object })] }
    const answer = await postLink(service, creator.bearer, limited)
    expect(answer.status).toBe(201)
    expect(answer.body.token).not.toBe(unlimited.token)
    expect(answer.body.is_easy_sharing_for_bundle).toBe(id)
    expect((await postLink(service, creator.bearer, easySharing(id))).body.token).toBe(unlimited.token)
  })

  it('is not returned after its recipient gave the email address to someone else', async () => {
    const [id, email] = [objectId(), `guest-${objectId()}@example.com`]
    const first = await addLink(service, creator.bearer, easySharing(id, { email }))
    const path = `/api/2/users/${first.user.id}`
    const moved = { bearer: admin.bearer, body: { email: `moved-${email}` } }
    expect((await service.client('PATCH', path, moved)).status).toBe(200)
    const second = await addLink(service, creator.bearer, easySharing(id, { email }))
    expect(second.user.id).not.toBe(first.user.id)
  })
})

it('never reuses a link with a password, so a stolen session cannot guess the password', async () => {
  const request = easySharing(objectId(), { password: 'what only we know' })
  const answers = [
    await postLink(service, creator.bearer, request),
    await postLink(service, creator.bearer, request),
    await postLink(service, creator.bearer, { ...request, password: 'a wrong guess' }),
  ]
  expect(statusesOf(answers)).toEqual({ 201: 3 })
  expect(new Set(answers.map(({ body }) => body.token)).size).toBe(3)
  for (const { body } of answers)
    expect((await deleteLink(service, creator.bearer, body.id)).status).toBe(204)
})
