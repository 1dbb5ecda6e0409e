import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { ConditionFailed } from '../../lib/store/engine/transaction-errors.ts'
import { buildAccessTokenDeletion, findAccessToken } from '../../lib/store/links/access-tokens.ts'
import {
  addLink,
  bundle,
  deleteLink,
  directory,
  getLink,
  lookUp,
  objectId,
  postLink,
  redeem,
  statusesOf,
} from '../support/links.ts'
import { addSignedIn, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let creator: Person & { readonly bearer: string }
let other: Person & { readonly bearer: string }
let admin: Person & { readonly bearer: string }
beforeAll(async () => {
  service = await startService()
  creator = await addSignedIn(service, { permissions: ['media:access'] })
  other = await addSignedIn(service, { permissions: ['media:access'] })
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
})
afterEach(() => vi.useRealTimers())
afterAll(() => service.close())

const easy = (id: number, given: object = {}) => ({
  bundles: [bundle({ id })],
  is_easy_sharing: true,
  ...given,
})

it('gives everybody who shares an object easily the same link, with a 200 to those who come later', async () => {
  const id = objectId()
  const first = await postLink(service, creator.bearer, easy(id))
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({ is_easy_sharing_for_bundle: id, is_easy_sharing_for_directory: null })
  for (const { bearer } of [creator, other]) {
    const again = await postLink(
      service,
      bearer,
      easy(id, { permissions: { allow_read: true }, view_limit: 9 }),
    )
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
  }
})

it('tells a bundle from a directory of the same id, and leaves other links of the object alone', async () => {
  const id = objectId()
  const folder = { bundles: [], directories: [directory({ id })], is_easy_sharing: true }
  const made = [
    await addLink(service, creator.bearer, easy(id)),
    await addLink(service, creator.bearer, folder),
    await addLink(service, creator.bearer, { bundles: [bundle({ id })] }),
  ]
  expect(new Set(made.map((link) => link.id)).size).toBe(3)
  expect(made[1]).toMatchObject({ is_easy_sharing_for_bundle: null, is_easy_sharing_for_directory: id })
  expect(made[2]).toMatchObject({ is_easy_sharing_for_bundle: null, is_easy_sharing_for_directory: null })
})

it('asked for fifty times at once is made once, with one guest', async () => {
  const id = objectId()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      postLink(service, [creator, other][at % 2]?.bearer ?? '', easy(id)),
    ),
  )
  expect(statusesOf(answers)).toEqual({ 200: 49, 201: 1 })
  expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1)
  const listed = await service.client('GET', `/api/2/auth/access-tokens?shared_bundles=${id}`, {
    bearer: admin.bearer,
  })
  expect(listed.body).toHaveLength(1)
})

it('is made anew once the old one is deleted, used up, expired or without its guest', async () => {
  const start = Date.now()
  const ends: readonly (readonly [
    object,
    (link: { id: number; token: string; user: { id: number } }) => unknown,
  ])[] = [
    [{}, ({ id }) => deleteLink(service, creator.bearer, id)],
    [{ view_limit: 1 }, ({ token }) => redeem(service, token)],
    [{ expires: new Date(start + 60_000).toISOString() }, () => vi.setSystemTime(start + 60_000)],
    [{}, ({ user }) => service.client('DELETE', `/api/2/users/${user.id}`, { bearer: admin.bearer })],
  ]
  for (const [given, end] of ends) {
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const id = objectId()
    const old = await addLink(service, creator.bearer, easy(id, given))
    await end(old)
    const next = await addLink(service, other.bearer, easy(id))
    expect(next.id).not.toBe(old.id)
    expect(next.is_easy_sharing_for_bundle).toBe(id)
    expect((await postLink(service, creator.bearer, easy(id))).body.id).toBe(next.id)

    // What is left of the old one goes without taking the new one's mark along.
    const left = await getLink(service, creator.bearer, old.id)
    if (left.status === 200) {
      expect(left.body.is_easy_sharing_for_bundle).toBeNull()
      expect((await deleteLink(service, creator.bearer, old.id)).status).toBe(204)
    }
    expect((await postLink(service, creator.bearer, easy(id))).body.id).toBe(next.id)
    expect((await lookUp(service, next.token)).status).toBe(200)
  }
})

it('is not taken away by who deletes the one before it at the same moment', async () => {
  const { table } = service.services
  const id = objectId()
  const old = await addLink(service, creator.bearer, easy(id, { view_limit: 1 }))
  const asRead = await findAccessToken(table, old.id)
  if (!asRead) throw new Error('the link is gone')
  await redeem(service, old.token)
  const next = await addLink(service, creator.bearer, easy(id))
  await expect(table.transact(buildAccessTokenDeletion(asRead))).rejects.toBeInstanceOf(ConditionFailed)
  expect((await postLink(service, creator.bearer, easy(id))).body.id).toBe(next.id)
})

it('is there once, however often it is deleted and asked for at the same moment', async () => {
  const id = objectId()
  for (let round = 0; round < 5; round++) {
    const made = (await postLink(service, creator.bearer, easy(id))).body
    const [deleted, ...answers] = await Promise.all([
      deleteLink(service, admin.bearer, made.id),
      ...Array.from({ length: 10 }, () => postLink(service, other.bearer, easy(id))),
    ])
    expect(deleted?.status).toBe(204)
    for (const { status } of answers) expect([200, 201]).toContain(status)
    const now = await postLink(service, other.bearer, easy(id))
    expect((await lookUp(service, now.body.token)).status).toBe(200)
    const listed = await service.client('GET', `/api/2/auth/access-tokens?shared_bundles=${id}`, {
      bearer: admin.bearer,
    })
    expect(listed.body.map((link: { id: number }) => link.id)).toEqual([now.body.id])
  }
})
