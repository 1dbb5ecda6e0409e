import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import type { Json } from '../support/client.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { parseLines, saveFile } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { sendsMail: false })
const browser = await shareBrowser()

const newName = () => `made-${randomUUID()}`
const press = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' }).click()
/** Presses a button that saves a file. Returns the text of the file. */
const save = async (page: Page, name: string, within: Page | Locator = page): Promise<string> =>
  (await saveFile(page, () => press(within, name))).text

const check = async ({ page, open }: ConsoleVisit, name: string, text: string): Promise<void> => {
  await open('/users')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) }
  await page.getByLabel('File with users').setInputFiles(file)
  await press(page, 'Check the file')
}

const exportUsers = async ({ page, open }: ConsoleVisit): Promise<Json[]> => {
  await open('/users')
  await press(page, 'Export')
  // The button that opens the dialog has the same name.
  return parseLines(await save(page, 'Export', page.getByRole('dialog')))
}

describe('a file with users', () => {
  it('is checked, imported without its invalid lines, and equal when it is exported again', async () => {
    const visit = await openConsole(service, browser)
    const { page, seeToast } = visit
    const [ada, bo] = [newName(), newName()]
    const rows = [
      'username,email,full_name,permissions',
      `${ada},${ada}@example.com,"Lovelace, Ada",projects:view`,
      ',someone@example.com,=cmd(),',
      'broken"quote,,,',
      `${ada.toUpperCase()},,,`,
      `${bo},,Bo Chen,`,
    ]
    await check(visit, 'people.csv', rows.join('\r\n'))
    await page.getByText('2 users can be imported.').waitFor()
    await page.getByText('3 lines are refused.').waitFor()
    expect(await findViolations(page)).toEqual([])
    const users = await page.request.get(`${service.url}/api/2/users?username=${ada}`)
    expect(await users.json()).toEqual([])
    const report = parseLines(await save(page, 'Save the report as JSON lines'))
    expect(report).toEqual([
      { line: 3, errors: [{ field: 'username', message: 'is required' }] },
      {
        line: 4,
        errors: [{ field: 'line', message: 'has a quote inside a cell that is not quoted' }],
      },
      { line: 5, errors: [{ field: 'username', message: 'is the same as on line 2' }] },
    ])
    await press(page, 'Import 2 users')
    await page.getByText('2 users were imported.').waitFor()
    expect(await save(page, 'Save the report as CSV')).toContain('5,username,is the same as on line 2\r\n')

    const first = await exportUsers(visit)
    await seeToast(`${first.length} users exported.`)
    const lines = first.filter(({ username }) => [ada, bo].includes(username))
    expect(lines).toMatchObject([
      { username: ada, full_name: 'Lovelace, Ada', permissions: ['projects:view'] },
      { username: bo },
    ])
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (const { username } of lines) {
      const found = await service.client('GET', `/api/2/users?username=${username}`, { bearer })
      await service.client('DELETE', `/api/2/users/${found.body[0].id}`, { bearer })
    }
    await check(visit, 'users.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
    await press(page, 'Import 2 users')
    await page.getByText('2 users were imported.').waitFor()
    const second = await exportUsers(visit)
    expect(second.filter(({ username }) => [ada, bo].includes(username))).toEqual(lines)
  })

  it('is compared as a whole, also where a request has only a part of it', async () => {
    const visit = await openConsole(service, browser)
    const { page } = visit
    const names = Array.from({ length: 120 }, newName)
    const lines = [...names, names[0]].map((username) => JSON.stringify({ username }))
    await check(visit, 'users.jsonl', lines.join('\n'))
    await page.getByText('120 users can be imported.').waitFor()
    await page.getByText('username is the same as on line 1').waitFor()
    await press(page, 'Import 120 users')
    await page.getByText('120 users were imported.').waitFor()
    await check(visit, 'users.jsonl', lines.join('\n'))
    await page.getByText('120 users had been imported before.').waitFor()
  })

  it('cannot put a formula into the report, nor keep other lines from being checked', async () => {
    const visit = await openConsole(service, browser)
    const nested = JSON.parse(`${'['.repeat(23)}1${']'.repeat(23)}`)
    const lines = [
      { username: newName(), '=cmd()': 1 },
      { username: newName(), attributes: nested },
    ]
    const text = [...lines, { username: newName() }].map((line) => JSON.stringify(line)).join('\n')
    await check(visit, 'users.jsonl', text)
    await visit.page.getByText('1 user can be imported.').waitFor()
    const report = await save(visit.page, 'Save the report as CSV')
    expect(report).toContain("1,'=cmd(),is not recognized\r\n2,")
  })

  it('goes on after a lost answer, and after a pause that the person asked for', async () => {
    const visit = await openConsole(service, browser)
    const { page } = visit
    const text = Array.from({ length: 150 }, () => JSON.stringify({ username: newName() })).join('\n')
    await check(visit, 'users.jsonl', text)
    await page.getByText('150 users can be imported.').waitFor()
    let requests = 0
    await page.route('**/api/2/users/import', async (route) => {
      requests += 1
      // The service does the work, and the answer does not arrive.
      if (requests === 1) await route.fetch().then(() => route.abort())
      else if (requests === 3) {
        await press(page, 'Stop')
        await route.continue()
      } else await route.continue()
    })
    await press(page, 'Import 150 users')
    await page.getByText(/The import was stopped after line (50|100)\./).waitFor()
    await page.unroute('**/api/2/users/import')
    await check(visit, 'users.jsonl', text)
    await page.getByText(/(100|50) users can be imported\./).waitFor()
    await press(page, /^Import \d+ users$/)
    await page.getByText(/users were imported\./).waitFor()
    await check(visit, 'users.jsonl', text)
    await page.getByText('150 users had been imported before.').waitFor()
  })

  it.each([
    ['a wrong name', 'users.xlsx', 'a', 'Choose a file that ends in .csv, .jsonl or .ndjson.'],
    ['another encoding', 'users.csv', '\u{feff}', 'This file is encoded as UTF-16. Save it as UTF-8.'],
    ['no names of fields', 'users.csv', 'ada,Ada\n', 'The first line must have the column names'],
    ['a quote without an end', 'users.csv', 'username\n"ada\n', 'Line 2 opens a quote that is never closed.'],
  ])('with %s is refused before anything is written', async (_, name, text, message) => {
    const visit = await openConsole(service, browser)
    const { page, open } = visit
    await open('/users/import')
    const buffer = Buffer.from(text, name === 'users.csv' && text === '\u{feff}' ? 'utf16le' : 'utf8')
    await page.getByLabel('File with users').setInputFiles({ name, mimeType: 'text/plain', buffer })
    await press(page, 'Check the file')
    await page.getByText(message).waitFor()
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0)
  })
})

it('offers neither to those who only manage users', async () => {
  const { page, open } = await openConsole(service, browser, { permissions: ['users:manage', 'users:view'] })
  await open('/users')
  await page.getByRole('link', { name: 'New user' }).waitFor()
  expect(await page.getByRole('link', { name: 'Import', exact: true }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Export', exact: true }).count()).toBe(0)
})
