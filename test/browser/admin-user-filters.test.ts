import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { seedGroups } from '../support/directory.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()
const root = await addSignedIn(service, { permissions: ['system:admin-access'], username: 'root' })
const createGroup = async (name: string, permissions: readonly string[], ids: readonly number[]) => {
  const body = { name, permissions, members: ids.map((id) => ({ id })) }
  return (await service.client('POST', '/api/2/groups', { bearer: root.bearer, body })).body
}

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr')
const namesOf = (page: Page) => rowsOf(page).locator('td:first-child a').allInnerTexts()
const rowOf = (page: Page, username: string) => rowsOf(page).filter({ hasText: username })
/** The paths of the calls from now on. */
const watchCalls = (page: Page): string[] => {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname)
  })
  return calls
}

const width = 360

/* `flow-answers.test.ts` asks the same on a desktop. */
describe('on a phone', () => {
  const open = async () => {
    const visit = await openConsole(service, browser, {
      browserOptions: { viewport: { width, height: 800 } },
    })
    const { page } = visit
    const find = async (text: string) => {
      await visit.open(`/users?filter=${text}`)
      await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(0)
    }
    return { ...visit, find, ownName: visit.person.user.username }
  }
  const isNarrow = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

  it('says who is an administrator and why, with one key and one call for all groups', async () => {
    const { page, open: openPlace, ownName } = await open()
    const member = await addPerson(service, { username: `boss-${randomUUID()}` })
    const both = await addPerson(service, {
      username: `chief-${randomUUID()}`,
      permissions: ['system:admin-access'],
    })
    const other = await addPerson(service, { username: `other-${randomUUID()}` })
    const name = `Operations ${randomUUID()}`
    const group = await createGroup(name, ['system:admin-access'], [member.user.id, both.user.id])
    await createGroup(`Readers ${randomUUID()}`, ['users:view'], [member.user.id, other.user.id])
    await openPlace('/users')
    await rowsOf(page).first().waitFor()
    const calls = watchCalls(page)
    await page.getByRole('button', { name: 'Administrators', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Users with the permission “Administrator”.').waitFor()
    const link = (username: string) =>
      rowOf(page, username).getByRole('link', { name: `From the group ${name}` })
    await link(member.user.username).waitFor()
    await expect.poll(() => link(member.user.username).getAttribute('href')).toContain(`groups/${group.id}`)
    await link(both.user.username).waitFor()
    await rowOf(page, both.user.username).getByText('Given directly').waitFor()
    await rowOf(page, ownName).getByText('Given directly').waitFor()
    expect(await rowOf(page, member.user.username).getByText('Given directly').count()).toBe(0)
    expect(await rowOf(page, other.user.username).count()).toBe(0)
    expect(calls.filter((path) => path.startsWith('/api/2/groups'))).toEqual(['/api/2/groups'])
    const chip = page.getByRole('button', { name: 'Administrators', exact: true })
    expect(await chip.getAttribute('aria-pressed')).toBe('true')
    expect(new URL(page.url()).hash).toContain('permission=system%3Aadmin-access')
    expect(await findViolations(page)).toEqual([])
    expect(await isNarrow(page)).toBe(true)
    await page.getByRole('button', { name: 'Show all users' }).click()
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('false')
    await page.getByText('Given directly').first().waitFor({ state: 'detached' })
  })

  it('offers permissions by their titles, those of APIs, and any of a product by its name', async () => {
    const { page, find } = await open()
    const [api, product] = [`films-${width}:watch`, `p-${width}:view`]
    const title = `Watch films ${width}`
    await service.client('POST', '/api/2/protected-apis', {
      bearer: root.bearer,
      body: {
        name: `Films ${width}`,
        audience: `https://films-${width}.example`,
        permissions: [{ name: api, texts: { en: title } }],
      },
    })
    const tag = randomUUID().slice(0, 8)
    const add = (name: string, permission: string) =>
      addPerson(service, { username: `${name}-${tag}`, permissions: [permission] })
    await Promise.all([add('viewer', 'users:view'), add('watcher', api), add('user', product)])
    await find(tag)
    await page.getByText('More filters').click()
    const choice = page.getByRole('combobox', { name: 'Holds the permission' })
    await choice.selectOption({ label: 'See users' })
    await expect.poll(() => namesOf(page)).toEqual([`viewer-${tag}`])
    await page.getByText('Administrators have every permission.').waitFor()
    await choice.selectOption({ label: title })
    await expect.poll(() => namesOf(page)).toEqual([`watcher-${tag}`])
    await page.getByText(`Users with the permission “${title}”.`).waitFor()
    await choice.selectOption({ label: 'Permission of a product' })
    await page.getByRole('searchbox', { name: 'Permission of a product' }).fill(product)
    await expect.poll(() => namesOf(page)).toEqual([`user-${tag}`])
    expect(await findViolations(page)).toEqual([])
    expect(await isNarrow(page)).toBe(true)
    await page.reload()
    await expect.poll(() => namesOf(page)).toEqual([`user-${tag}`])
    await page.getByText('More filters').click()
    await expect.poll(() => choice.inputValue()).toBe(product)
    await choice.selectOption({ label: 'All' })
    await expect.poll(() => rowsOf(page).count()).toBe(3)
  })

  it('finds the user with a number first, and the other filters hold for them, too', async () => {
    const { page, open: openPlace } = await open()
    const { user } = await addPerson(service, { username: `numbered-${randomUUID()}` })
    const namesake = await addPerson(service, { username: `a${user.id}a`, full_name: 'Namesake' })
    await openPlace('/users')
    const search = page.getByRole('searchbox', { name: 'Search by name, username, email or number' })
    await search.fill(String(user.id))
    await expect.poll(async () => (await namesOf(page))[0]).toBe(user.username)
    expect(await namesOf(page)).toContain(namesake.user.username)
    expect(await findViolations(page)).toEqual([])
    await openPlace(`/users?filter=${user.id}&state=disabled`)
    await page.getByText('Nothing matches your search.').waitFor()
    await search.fill('999999999')
    await page.getByText('Nothing matches your search.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await openPlace(`/users?filter=${user.username}`)
    await expect.poll(() => namesOf(page)).toEqual([user.username])
  })
})

describe('the choice of a group', () => {
  it('shows the members of a group by its name', async () => {
    const { page, open } = await openConsole(service, browser, {
      browserOptions: { viewport: { width, height: 800 } },
    })
    const { user } = await addPerson(service)
    const name = `Writers ${randomUUID()}`
    await createGroup(name, [], [user.id])
    await open('/users')
    await rowsOf(page).first().waitFor()
    await page.getByText('More filters').click()
    await page.getByRole('combobox', { name: 'Group', exact: true }).selectOption(name)
    await expect.poll(() => namesOf(page)).toEqual([user.username])
    await page.getByText(`Members of ${name}`).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Group', exact: true }).selectOption('All')
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(1)
  })

  it('is a search among many groups', async () => {
    const { page, open } = await openConsole(service, browser)
    const { user } = await addPerson(service)
    const name = `Zoologists ${randomUUID()}`
    await createGroup(name, [], [user.id])
    await seedGroups(service, 120, 10_000)
    await open('/users')
    await rowsOf(page).first().waitFor()
    await page.getByText('More filters').click()
    await page.getByRole('searchbox', { name: 'Search groups' }).fill('zoolog')
    const pick = page.getByRole('button', { name: `Show members ${name}` })
    await pick.waitFor()
    expect(await findViolations(page)).toEqual([])
    await pick.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => namesOf(page)).toEqual([user.username])
    await page.getByText(`Members of ${name}`).waitFor()
  })
})
