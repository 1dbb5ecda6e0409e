import { afterEach, expect, it, vi } from 'vitest'
import { buildAccessLinkDeletion, findAccessLink } from '../../lib/features/access-links/records.ts'
import { ConditionFailed } from '../../lib/kernel/table/transaction.ts'
import {
  addLink,
  bundle,
  deleteLink,
  directory,
  easySharing,
  getLink,
  lookUp,
  objectId,
  postLink,
  redeem,
  statusesOf,
} from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
const other = await addSignedIn(service, { permissions: ['media:access'] })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => vi.useRealTimers())

it('returns the same easy-sharing link for equal requests of one creator, with status 200 after the first', async () => {
  const id = objectId()
  const first = await postLink(service, creator.bearer, easySharing(id))
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({ is_easy_sharing_for_bundle: id, is_easy_sharing_for_directory: null })
  const created = await service.client('POST', '/api/2/api-tokens', {
    bearer: creator.bearer,
    body: { name: 'script' },
  })
  const equal = [
    easySharing(id),
    easySharing(id, { permissions: { allow_read: false }, expires: null, view_limit: null, password: null }),
    { bundles: [bundle({ id, name: 'Trailer, renamed' })], is_easy_sharing: true },
  ]
  for (const bearer of [creator.bearer, created.body.token])
    for (const request of equal) {
      const again = await postLink(service, bearer, request)
      expect(again.status).toBe(200)
      expect(again.body).toEqual(first.body)
    }
})

it('keeps easy-sharing links apart from other links, and bundles apart from directories with the same id', async () => {
  const id = objectId()
  const folder = { bundles: [], directories: [directory({ id })], is_easy_sharing: true }
  const created = [
    await addLink(service, creator.bearer, easySharing(id)),
    await addLink(service, creator.bearer, folder),
    await addLink(service, creator.bearer, { bundles: [bundle({ id })] }),
  ]
  expect(new Set(created.map((link) => link.id)).size).toBe(3)
  expect(created[1]).toMatchObject({ is_easy_sharing_for_bundle: null, is_easy_sharing_for_directory: id })
  expect(created[2]).toMatchObject({ is_easy_sharing_for_bundle: null, is_easy_sharing_for_directory: null })
})

it.each([
  ['an anonymous guest', () => ({})],
  ['a new email address', () => ({ email: `guest-${objectId()}@example.com` })],
  ['a user', () => ({ user: other.user.id, view_limit: 3 })],
])('creates exactly one easy-sharing link for %s from 50 concurrent requests', async (_, given) => {
  const id = objectId()
  const request = easySharing(id, given())
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => postLink(service, creator.bearer, request)),
  )
  expect(statusesOf(answers)).toEqual({ 200: 49, 201: 1 })
  expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1)
  expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  const listed = await service.client('GET', `/api/2/auth/access-tokens?shared_bundles=${id}`, {
    bearer: admin.bearer,
  })
  expect(listed.body).toHaveLength(1)
})

it('creates a new easy-sharing link once the old one is deleted, used up, or without its guest', async () => {
  const ends: readonly (readonly [
    object,
    (link: { id: number; token: string; user: { id: number } }) => unknown,
  ])[] = [
    [{}, ({ id }) => deleteLink(service, creator.bearer, id)],
    [{ view_limit: 1 }, ({ token }) => redeem(service, token)],
    [{}, ({ user }) => service.client('DELETE', `/api/2/users/${user.id}`, { bearer: admin.bearer })],
  ]
  for (const [given, end] of ends) {
    const id = objectId()
    const old = await addLink(service, creator.bearer, easySharing(id, given))
    await end(old)
    const next = await addLink(service, creator.bearer, easySharing(id, given))
    expect(next.id).not.toBe(old.id)
    expect(next.is_easy_sharing_for_bundle).toBe(id)
    expect((await postLink(service, creator.bearer, easySharing(id, given))).body.id).toBe(next.id)

    // Deleting the rest of the old link must not delete the marker of the new one.
    const left = await getLink(service, creator.bearer, old.id)
    if (left.status === 200) {
      expect(left.body.is_easy_sharing_for_bundle).toBeNull()
      expect((await deleteLink(service, creator.bearer, old.id)).status).toBe(204)
    }
    expect((await postLink(service, creator.bearer, easySharing(id, given))).body.id).toBe(next.id)
    expect((await lookUp(service, next.token)).status).toBe(200)
  }
})

it('does not return an easy-sharing link after its expiry, which is one of its terms', async () => {
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  const id = objectId()
  const expiring = easySharing(id, { expires: new Date(start + 60_000).toISOString() })
  const old = await addLink(service, creator.bearer, expiring)
  expect((await postLink(service, creator.bearer, expiring)).body.id).toBe(old.id)
  vi.setSystemTime(start + 60_000)
  expect((await postLink(service, creator.bearer, expiring)).status).toBe(400)
  expect((await postLink(service, creator.bearer, easySharing(id))).status).toBe(201)
})

it('keeps the new easy-sharing link when its predecessor is deleted concurrently', async () => {
  const { table } = service.services
  const id = objectId()
  const request = easySharing(id, { view_limit: 1 })
  const old = await addLink(service, creator.bearer, request)
  const staleLink = await findAccessLink(table, old.id)
  if (!staleLink) throw new Error('the link was not found')
  await redeem(service, old.token)
  const next = await addLink(service, creator.bearer, request)
  await expect(table.transact(buildAccessLinkDeletion(staleLink))).rejects.toBeInstanceOf(ConditionFailed)
  expect((await postLink(service, creator.bearer, request)).body.id).toBe(next.id)
})

it('keeps exactly one easy-sharing link while it is deleted and requested concurrently', async () => {
  const id = objectId()
  for (let round = 0; round < 5; round++) {
    const created = (await postLink(service, creator.bearer, easySharing(id))).body
    const [deleted, ...answers] = await Promise.all([
      deleteLink(service, admin.bearer, created.id),
      ...Array.from({ length: 10 }, () => postLink(service, creator.bearer, easySharing(id))),
    ])
    expect(deleted?.status).toBe(204)
    for (const { status } of answers) expect([200, 201]).toContain(status)
    const now = await postLink(service, creator.bearer, easySharing(id))
    expect((await lookUp(service, now.body.token)).status).toBe(200)
    const listed = await service.client('GET', `/api/2/auth/access-tokens?shared_bundles=${id}`, {
      bearer: admin.bearer,
    })
    expect(listed.body.map((link: { id: number }) => link.id)).toEqual([now.body.id])
  }
})
