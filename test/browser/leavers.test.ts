import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { addLink, lookUp } from '../support/links.ts'
import { findOverflow } from '../support/looks.ts'
import { checkInSight } from '../support/out-of-sight.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

it('ends everything of a person, with the numbers before and after on one screen', async () => {
  const ada = await addSignedIn(service, { permissions: ['media:access'], full_name: 'Ada' })
  await callAs(service, ada)('POST', 'api-tokens', { name: 'Deploy robot' })
  const { token } = await addLink(service, ada.bearer)
  const visit = await openConsole(service, browser, { permissions: ['system:admin-access'] })
  const { page } = visit
  const dialog = page.getByRole('dialog')
  await visit.open(`/users/${ada.user.id}`)
  await visit.pressIn('Actions', 'End everything')
  await expect.poll(visit.heading).toBe('End everything of Ada')
  await page.getByText('Trailer, second cut').first().waitFor()
  await page.getByText('Deploy robot').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await checkInSight(page, 'leaver')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await findOverflow(page)).toEqual([])
  const successor = await addSignedIn(service, { permissions: ['media:access'], full_name: 'Grace' })
  const { token: kept } = await addLink(service, ada.bearer, {
    directories: [{ id: 3, name: 'Press kit' }],
    bundles: [],
  })
  await page.reload()
  await page.getByRole('button', { name: 'Hand over Press kit' }).click()
  await dialog.getByRole('searchbox').fill(successor.user.username)
  await dialog.getByRole('button', { name: 'Choose' }).click()
  await dialog.getByText('Ada still knows its address.').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await findOverflow(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await visit.seeToast('1 link was handed over.')
  await expect.poll(() => page.getByText('Press kit').count()).toBe(0)
  await page.getByLabel('End the password as well').check()
  await page.getByRole('button', { name: 'End everything' }).click()
  await dialog.getByLabel(`Type ${ada.user.username} to confirm`).fill(ada.user.username)
  await dialog.getByRole('button', { name: 'End everything' }).click()
  await page.getByRole('heading', { name: 'What has ended' }).waitFor()
  const facts = await page.locator('.facts').innerText()
  for (const kind of ['Access links', 'API tokens', 'Sessions', 'Password'])
    expect(facts.replaceAll(/\s+/g, ' ')).toContain(`${kind} 1 → 0`)
  expect(await findViolations(page)).toEqual([])
  expect(await findOverflow(page)).toEqual([])
  expect((await lookUp(service, token)).status).toBe(404)
  expect((await lookUp(service, kept)).status).toBe(200)
  await page.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByText('API tokens rest').waitFor()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('The account is disabled.').waitFor()
})

it('replaces an API token of a person, which works until a day although everything else ends', async () => {
  const ada = await addSignedIn(service, { full_name: 'Ada' })
  const make = async (name: string) => (await callAs(service, ada)('POST', 'api-tokens', { name })).body
  const [robot, report, mirror] = [
    await make('Deploy robot'),
    await make('Nightly report'),
    await make('Mirror'),
  ]
  const visit = await openConsole(service, browser, { permissions: ['system:admin-access'] })
  const { page } = visit
  const dialog = page.getByRole('dialog')
  await visit.open(`/users/${ada.user.id}`)
  await visit.pressIn('Actions', 'End everything')
  await page.getByRole('button', { name: 'Replace Deploy robot' }).click()
  await dialog.getByRole('button', { name: 'Create the new token' }).click()
  await dialog.getByText('Fill in this field.').waitFor()
  await dialog.getByLabel('Limited to, one per line').fill('users:view\nmade:up')
  await dialog.getByRole('button', { name: 'Create the new token' }).click()
  await dialog.getByText('contains an unknown scope').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('Limited to, one per line').fill('users:view')
  await dialog.getByRole('button', { name: 'Create the new token' }).click()
  await dialog.getByText('It is not shown again.').waitFor()
  const value = /lkp_\S+/.exec(await dialog.innerText())?.[0] ?? ''
  // It has the scope that was entered, and no other.
  expect((await service.client('GET', '/api/2/users', { bearer: value })).status).toBe(200)
  expect(await call(value)).toBe(403)
  expect(await call(robot.token)).toBe(200)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await findOverflow(page)).toEqual([])
  await dialog.getByRole('button', { name: 'End the old token' }).click()
  await page.getByText('The old token works until').waitFor()
  await expect.poll(() => page.getByLabel('Let Deploy robot work until').isChecked()).toBe(true)
  await page.getByText('1 API token works for some days:').waitFor()
  expect(await findOverflow(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'End everything' }).click()
  await dialog.getByText('Deploy robot, until').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await visit.open(`/api-tokens/${ada.user.id}/${mirror.id}`)
  await page.getByRole('button', { name: 'Replace' }).click()
  await dialog.getByLabel('Who creates the new token?').selectOption('other')
  await dialog.getByLabel('The old token works until').selectOption('now')
  await dialog.getByRole('button', { name: 'End the old token' }).click()
  await visit.seeToast('The old token has ended.')
  expect(await call(mirror.token)).toBe(401)
  await visit.open(`/users/${ada.user.id}`)
  await visit.pressIn('Actions', 'End everything')
  await page.getByLabel('Let Deploy robot work until').check()
  await page.getByRole('button', { name: 'End everything' }).click()
  await dialog.getByLabel(`Type ${ada.user.username} to confirm`).fill(ada.user.username)
  await dialog.getByRole('button', { name: 'End everything' }).click()
  await page.getByRole('heading', { name: 'What has ended' }).waitFor()
  await page.getByText('Deploy robot, until').waitFor()
  expect((await page.locator('.facts').innerText()).replaceAll(/\s+/g, ' ')).toContain('API tokens 2 → 1')
  expect(await call(robot.token)).toBe(200)
  expect(await call(report.token)).toBe(401)
})

const call = async (bearer: string): Promise<number> =>
  (await service.client('GET', '/api/2/users/me', { bearer })).status
