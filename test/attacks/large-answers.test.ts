import { describe, expect, it } from 'vitest'
import type { Json } from '../support/client.ts'
import { allPages, seedUsers } from '../support/directory.ts'
import { bundle, linksPath, postLink } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * A function returns its body as text inside JSON. A quote in a value has up to two bytes in the table, two in the body, and
 * four in the result of the function, which has at most 6 MB. The gateway answers 500 for more, as on AWS.
 */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })

const quotes = (count: number): string => '"'.repeat(count)
const largestPage = 4.5 * 1024 * 1024
const readIds = async (path: string): Promise<number[]> => {
  const pages = await allPages<Json>(service, path, admin.bearer)
  expect(pages.length).toBeGreaterThan(1)
  for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(largestPage)
  return pages.flat().map(({ id }) => id)
}

describe('a list of rows full of quotes', () => {
  it('of users ends each page before the limit of Lambda, and loses no one', async () => {
    await seedUsers(service, 60, 10_000, (at) => ({
      username: `quoting-${at}`,
      attributes: JSON.stringify({ fm_bookmarks: [quotes(35_000)] }),
    }))
    const ids = (await readIds('/api/2/users?limit=1000')).filter((id) => id >= 10_000)
    expect(ids).toEqual(Array.from({ length: 60 }, (_, at) => 10_000 + at))
  })

  it('of groups ends each page before the limit of Lambda', async () => {
    const created: number[] = []
    for (let at = 0; at < 60; at++) {
      const body = { name: `quoting-${at}`, ldap_guid: quotes(30_000) }
      created.push((await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body })).body.id)
    }
    expect(await readIds('/api/2/groups')).toEqual(created)
  })

  it('of access links ends each page before the limit of Lambda', async () => {
    const created: number[] = []
    for (let at = 0; at < 70; at++) {
      const bundles = Array.from({ length: 25 }, () => bundle({ name: quotes(1000) }))
      created.push((await postLink(service, admin.bearer, { bundles })).body.id)
    }
    expect(await readIds(linksPath)).toEqual(created)
  })
})

describe('a group whose members have a lot of data', () => {
  const memberIds = Array.from({ length: 100 }, (_, at) => 20_000 + at)
  const readGroup = (id: number) => service.client('GET', `/api/2/groups/${id}`, { bearer: admin.bearer })

  it('is shown with all members, of whom the last have no bookmarks and permissions', async () => {
    await seedUsers(service, memberIds.length, 20_000, (at) => ({
      username: `collector-${at}`,
      attributes: JSON.stringify({ fm_bookmarks: [quotes(35_000)] }),
      permissions: ['media:access'],
    }))
    const body = { name: 'collectors', members: memberIds, permissions: ['tasks:view'] }
    const created = await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body })
    expect(created.status).toBe(201)
    const answers = [created, await readGroup(created.body.id)]
    for (const { status, text, body: group } of answers) {
      expect(status, text.slice(0, 500)).toBeLessThan(300)
      expect(group.members.map(({ id }: Json) => id)).toEqual(memberIds)
      const [first, last] = [group.members[0], group.members.at(-1)]
      expect(first.fm_bookmarks).toEqual([quotes(35_000)])
      expect(first.effective_permissions).toEqual(['media:access', 'tasks:view'])
      expect(last).toMatchObject({
        username: 'collector-99',
        fm_bookmarks: [],
        permissions: [],
        group_permissions: [],
        effective_permissions: [],
      })
    }
  })

  it('keeps members and their data if the answer is sent back', async () => {
    const found = await service.client('GET', '/api/2/groups?limit=1&ordering=name', { bearer: admin.bearer })
    const { id } = found.body[0]
    expect(found.body[0].name).toBe('collectors')
    const members = (await readGroup(id)).body.members.slice(50)
    const sent = { members: [...memberIds.slice(0, 50), ...members] }
    const changed = await service.client('PATCH', `/api/2/groups/${id}`, { bearer: admin.bearer, body: sent })
    expect(changed.status).toBe(200)
    expect(changed.body.members.map((member: Json) => member['id'])).toEqual(memberIds)
    const user = await service.client('GET', '/api/2/users/20099', { bearer: admin.bearer })
    expect(user.body).toMatchObject({ permissions: ['media:access'], fm_bookmarks: [quotes(35_000)] })
  })
})
