import { describe, expect, it } from 'vitest'
import { visitConsole } from '../support/console.ts'
import { saveFile } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

/** More than the console shows at once. */
const groups = 60
const service = await useService()
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const headers = { 'user-agent': '=HYPERLINK("https://evil.example")' }
for (let number = 1; number <= groups; number += 1)
  await service.client('POST', '/api/2/groups', { bearer, headers, body: { name: `Team ${number}` } })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('filters the audit log, reads more, opens details and exports what is found', async () => {
    const t = await loadWords(persona, 'audit')
    const menu = await loadWords(persona, 'console')
    const names = await loadWords(persona, 'events')
    const { page, activate, choose, choosePlace, look, person, press, pressIn, type } = await visitConsole(
      service,
      browser,
      persona,
    )
    await choosePlace(menu('auditLog'))
    const rows = page.getByRole('table').locator('tbody tr')
    await rows.first().waitFor()
    await look('administrators')
    await press(t('people'))
    await choose(page.getByLabel(t('event'), { exact: true }), names('group.created'))
    await page.waitForURL(/event=group\.created/)
    // Before, the list shows other events.
    const created = rows.filter({ hasText: 'Team ' })
    await expect.poll(() => created.count()).toBe(20)
    await press(menu('showMore'))
    await expect.poll(() => rows.count()).toBe(groups)
    await look('administrators')

    await activate(rows.first().getByRole('button', { name: /Team \d/ }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('=HYPERLINK("https://evil.example")', { exact: true }).waitFor()
    await look('administrators')
    await activate(dialog.getByRole('button', { name: t('closeDetails') }))

    const exported = page.getByText(t('exported', { count: groups }))
    const save = async (button: string): Promise<readonly string[]> => {
      const { text } = await saveFile(page, () => pressIn(t('export'), button))
      await exported.waitFor()
      return text.trim().split(/\r?\n/)
    }
    const lines = await save(t('exportCsv'))
    expect(lines[0]).toContain('created_at,event,outcome')
    expect(lines).toHaveLength(1 + groups)
    expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    const events = await save(t('exportJson'))
    expect(new Set(events.map((line) => JSON.parse(line).event))).toEqual(new Set(['group.created']))
    await look('administrators')

    await type(page.getByLabel(t('find'), { exact: true }), '192.0.2.1')
    await page.getByText(menu('noResults')).waitFor()
    await look('administrators')
    await press(menu('resetFilters'))
    await rows.first().waitFor()

    const { username } = person.user
    await type(page.getByRole('searchbox', { name: t('findPerson') }), username)
    await press(`${t('showEvents')} ${username}`)
    await page.getByText(t('onlyUser', { id: 'Root' })).waitFor()
    await look('administrators')
    await activate(page.getByRole('button', { name: t('onlyUser', { id: 'Root' }) }))
    await page.getByText(t('onlyUser', { id: 'Root' })).waitFor({ state: 'detached' })
  })
})
