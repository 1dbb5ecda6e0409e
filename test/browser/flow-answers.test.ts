import { randomUUID } from 'node:crypto'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { pairKey } from '../../lib/kernel/rates/sign-in-delays.ts'
import { postFrom } from '../support/addressed-client.ts'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { seedUsers } from '../support/directory.ts'
import { addLink } from '../support/links.ts'
import { saveFile } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person, signIn } from '../support/people.ts'
import { inOneBrowser } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

/* What administrators ask the console, with the number of actions that an answer takes: each press, choice and text is one. */

const service = await useService()
const root = await addSignedIn(service, { permissions: ['system:admin-access'], username: 'root' })
const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
  const answer = await service.client(method, path, { bearer: root.bearer, ...(body && { body }) })
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.body
}
const makeTag = () => randomUUID().slice(0, 8)
const [firstId, size] = [1000, 5000]
await seedUsers(service, size, firstId, (at) => {
  const address = `person-${String(at).padStart(4, '0')}@example.com`
  return { username: address, email: address, full_name: `Person ${at}` }
})
for (let count = 0; count < 13; count += 1) {
  await addLink(service, root.bearer, { email: `guest${count}@partner.example` })
  await call('POST', '/api/2/api-tokens', { name: `Export ${count}`, expires: '2099-01-02T00:00:00Z' })
}
const createGroup = async (name: string, fields: object): Promise<number> =>
  (await call('POST', '/api/2/groups', { name, ...fields })).id
const large = await createGroup('Large', {})
for (let from = 0; from < size; from += 1000)
  await call('POST', `/api/2/groups/${large}/members`, {
    add: Array.from({ length: 1000 }, (_, at) => firstId + from + at),
  })

/** Guesses the password of a person from one address until they have to wait for longer than a test takes. */
const makeWait = async ({ user: { username }, password }: Person) => {
  const tryFrom = async (given: string) =>
    (await postFrom('127.8.8.8', `${service.url}/api/2/auth/login`, { username, password: given })).status
  for (let at = 0; at < 5; at++) await tryFrom('wrong')
  // Seven further failures, without the minutes that they take.
  const { table, now } = service.services
  await table.update(pairKey(username, '127.8.8.8'), (x) => ({
    set: [
      `${x.path('failures')} = ${x.value(12)}`,
      `${x.path('settled')} = ${x.value(12)}`,
      `${x.path('lastAt')} = ${x.value(now())}`,
    ],
  }))
  expect(await tryFrom(password)).toBe(429)
  return tryFrom
}

describe.each(inOneBrowser.map(({ browser }) => browser))('in %s', async (name) => {
  const browser = await shareBrowser(name)
  const enter = async () => {
    const visit = await openConsole(service, browser, {
      browserOptions: { locale: 'en', viewport: { width: 1280, height: 800 } },
    })
    const { page } = visit
    let taken = 0
    const act = async (action: Promise<unknown>): Promise<void> => {
      taken += 1
      await action
    }
    const dialog = page.getByRole('dialog')
    return {
      ...visit,
      dialog,
      rows: page.locator('.data-list tbody > tr'),
      /** The name of what is pressed must be exact. */
      press: (button: string, within: Locator = page.getByRole('main')) =>
        act(within.getByRole('button', { name: button, exact: true }).click()),
      type: (field: Locator, text: string) => act(field.fill(text)),
      key: (keys: string) => act(page.keyboard.press(keys)),
      place: (link: string) =>
        act(page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click()),
      act,
      /** How many actions there were since the last question. */
      countActions: () => {
        const count = taken
        taken = 0
        return count
      },
      height: () => page.evaluate<number>('document.documentElement.scrollHeight'),
    }
  }

  it('answers who may do everything, whose token leaked, why a person is refused, and how many signed in', async () => {
    const tag = makeTag()
    const boss = await addPerson(service, { username: `boss-${tag}` })
    const operations = `Operations ${tag}`
    const permissions = ['system:admin-access']
    await createGroup(operations, { permissions, members: [{ id: boss.user.id }] })
    const kim = await addPerson(service, { username: `kim-${tag}`, full_name: 'Kim' })
    const { token } = (
      await service.client('POST', '/api/2/api-tokens', {
        bearer: await signIn(service, boss),
        body: { name: `Deploy ${tag}` },
      })
    ).body
    const tryFrom = await makeWait(kim)
    const { page, act, countActions, dialog, heading, key, open, place, press, rows, seeToast } =
      await enter()
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))

    await place('Users')
    await press('Administrators')
    const row = rows.filter({ hasText: boss.user.username })
    await row.getByRole('link', { name: `From the group ${operations}` }).waitFor()
    await rows.filter({ hasText: 'root' }).first().getByText('Given directly').waitFor()
    expect(countActions()).toBeLessThanOrEqual(2)

    const chosen = page.getByRole('option', { selected: true })
    await key('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await act(page.keyboard.insertText(token))
    await chosen.getByText(`API token Deploy ${tag}`).waitFor()
    expect(countActions()).toBeLessThanOrEqual(2)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Revoke Deploy ${tag}` }).waitFor()
    const secret = token.slice(8)
    expect(urls.filter((url) => url.includes(secret))).toEqual([])
    expect(
      await page.evaluate('JSON.stringify([location.href, history.state, localStorage, sessionStorage])'),
    ).not.toContain(secret)

    await open(`/users?filter=${kim.user.username}`)
    await expect
      .poll(async () => {
        await page.reload()
        await rows.filter({ hasText: kim.user.username }).waitFor()
        return rows.getByText('Waits until').count()
      })
      .toBe(1)
    countActions()
    await act(rows.getByRole('link', { name: kim.user.username }).click())
    await page.getByText(/^Kim must wait until \d/).waitFor()
    expect(countActions()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    await open('/blocks')
    await page.getByRole('button', { name: `Lift ${kim.user.username}` }).waitFor()
    await open(`/users/${kim.user.id}`)
    await press('Let in now')
    await press('Let in now', dialog)
    await seeToast('Kim can sign in again.')
    await expect.poll(() => page.getByText('must wait until').count()).toBe(0)
    expect(await tryFrom(kim.password)).toBe(200)

    await open('/overview')
    countActions()
    await place('Activity')
    const { text } = await saveFile(page, () => press('Export as CSV'))
    expect(countActions()).toBeLessThanOrEqual(2)
    expect(await heading()).toBe('Activity')
    expect(text).toMatch(/\r\nsign_ins,/)
  })

  it('changes a group of 5,000 on one screen, finds members, and adds and removes many by a list', async () => {
    const joining = await Promise.all(
      [1, 2, 3].map((at) => addPerson(service, { username: `joining-${at}-${makeTag()}` })),
    )
    const { page, dialog, height, open, press, rows, seeToast, type } = await enter()
    await open(`/groups/${large}`)
    await expect.poll(() => rows.count()).toBe(12)
    const search = page.getByRole('searchbox', { name: 'Search members' })
    await type(search, 'Person 4999')
    await expect.poll(() => rows.count()).toBe(1)
    await type(search, '')
    await expect.poll(() => rows.count()).toBe(12)
    expect(await height()).toBeLessThanOrEqual(900)
    await press('Add members')
    await press('Find several users', dialog)
    const names = [...joining.map(({ user }) => user.username), 'nobody']
    await type(dialog.getByRole('textbox'), names.join('\n'))
    await press('Find', dialog)
    await dialog.getByText('Not found: nobody').waitFor()
    await dialog.getByText('3 users:').waitFor()
    await press('Add members', dialog)
    await seeToast('3 members added.')
    const isMember = async ({ user }: Person): Promise<boolean> => {
      const found = await call('GET', `/api/2/users?groups=${large}&filter=${user.username}`)
      return found.length === 1
    }
    expect(await Promise.all(joining.map(isMember))).toEqual([true, true, true])
    await type(search, 'joining-')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByLabel('Select all shown').check()
    await press('Remove from the group')
    expect(await findViolations(page)).toEqual([])
    await press('Remove from the group', dialog)
    await seeToast('3 members removed.')
    expect(await Promise.all(joining.map(isMember))).toEqual([false, false, false])
    // Nothing of it led to a place below the window.
    expect(await page.evaluate<number>('scrollY')).toBe(0)
  })

  it('finds people by group, number and recipient, and shows 12 rows of each list and a table at 768 px', async () => {
    const kim = await addPerson(service, { username: `kim-${makeTag()}` })
    await signIn(service, kim)
    const writers = `Writers ${makeTag()}`
    await createGroup(writers, { members: [{ id: kim.user.id }] })
    const { page, act, countActions, open, place, rows, type } = await enter()
    await place('Users')
    await act(page.getByText('More filters').click())
    await act(page.getByRole('combobox', { name: 'Group', exact: true }).selectOption(writers))
    await page.getByText(`Members of ${writers}`).waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    expect(countActions()).toBeLessThanOrEqual(3)
    await open('/users')
    countActions()
    await type(page.getByRole('searchbox', { name: 'number' }), String(kim.user.id))
    await expect.poll(() => rows.first().innerText()).toContain(kim.user.username)
    // They signed in, so they were seen.
    expect(await rows.first().innerText()).not.toContain('Never')
    expect(countActions()).toBe(1)

    await place('Access links')
    await page.getByRole('heading', { level: 1, name: 'Access links' }).waitFor()
    await type(page.getByRole('searchbox'), 'guest4@partner.example')
    await expect.poll(() => rows.count()).toBe(1)
    expect(countActions()).toBe(2)

    for (const list of ['/users?filter=person-', '/audit-events', '/api-tokens', '/access-links']) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await open(list)
      await expect.poll(() => rows.count()).toBeGreaterThan(12)
      const bottoms = await rows.evaluateAll((found) =>
        found.map((row) => row.getBoundingClientRect().bottom),
      )
      const shown = bottoms.filter((bottom) => bottom <= 800).length
      expect(shown, list).toBeGreaterThanOrEqual(12)
      expect(shown, list).toBeLessThanOrEqual(16)
      const signOut = await page.getByRole('button', { name: 'Sign out' }).boundingBox()
      expect((signOut?.y ?? Number.NaN) + (signOut?.height ?? 0)).toBeLessThanOrEqual(800)
      await page.setViewportSize({ width: 768, height: 1024 })
      const heights = await rows.evaluateAll((found) =>
        found.map((row) => row.getBoundingClientRect().height),
      )
      expect(Math.max(...heights)).toBeLessThanOrEqual(60)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await open('/health')
    await act(page.locator('a[href^="/docs"]').first().click())
    await page.waitForURL('**/docs**')
    await page.goto(`${service.url}/docs/sessions`)
    expect(await page.locator('main').innerText()).not.toMatch(/\]\(/)
  })
})
