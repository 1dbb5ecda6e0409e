import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ageProofs } from '../support/account-pages.ts'
import { visitConsole } from '../support/console.ts'
import { holdRequest, parseLines, saveFile } from '../support/pages.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { sendsMail: false })

const newName = () => `made-${randomUUID()}`
const fileOf = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(lines.join('\n')),
})
const fileOfUsers = (names: readonly string[]) =>
  fileOf(
    'users.jsonl',
    names.map((username) => JSON.stringify({ username })),
  )

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)
  const words = {
    menu: loadWords(persona, 'console'),
    kit: loadWords(persona, 'kit'),
    session: loadWords(persona, 'session'),
    users: loadWords(persona, 'users'),
    files: loadWords(persona, 'userFiles'),
  }

  /** Opens the list of users. */
  const enter = async () => {
    const [kit, menu, session, t] = [
      await words.kit,
      await words.menu,
      await words.session,
      await words.files,
    ]
    const visit = await visitConsole(service, browser, persona)
    const { page, activate, choosePlace, person, press, type, upload } = visit
    await choosePlace(menu('users'))
    const dialog = page.getByRole('dialog', { name: t('exportHeading') })
    const identity = page.getByRole('dialog', { name: session('confirmHeading') })
    return {
      ...visit,
      dialog,
      identity,
      follow: (name: string) => activate(page.getByRole('main').getByRole('link', { name, exact: true })),
      seeFocusOn: (text: string) => expect.poll(() => readFocusedText(page)).toContain(text),
      seeFocusIn: (target: Locator) => expect.poll(() => hasFocus(target)).toBe(true),
      /** Chooses a file and has it checked. */
      check: async (file: ReturnType<typeof fileOf>) => {
        await upload(page.getByLabel(t('file'), { exact: true }), file)
        await press(t('check'))
      },
      save: (button: string) => saveFile(page, () => press(button)),
      close: async (opened: Locator, how: 'Escape' | 'button') => {
        if (how === 'Escape') await page.keyboard.press('Escape')
        else await activate(opened.getByRole('button', { name: kit('cancel'), exact: true }))
        await opened.waitFor({ state: 'detached' })
      },
      requireIdentity: () => ageProofs(service, person),
      confirmIdentity: async () => {
        await identity.waitFor()
        await type(identity.getByLabel(session('password'), { exact: true }), person.password)
        await activate(identity.getByRole('button', { name: session('confirm'), exact: true }))
      },
    }
  }

  it('checks a file, reads why lines are refused, saves a report, and imports the others', async () => {
    const [kit, menu, users, t] = [await words.kit, await words.menu, await words.users, await words.files]
    const visit = await enter()
    const { page, check, close, confirmIdentity, follow, identity, look, press, save, seeFocusIn } = visit
    const { heading, requireIdentity, seeFocusOn, state, type } = visit
    const field = page.getByLabel(t('file'), { exact: true })
    await follow(users('import'))
    await expect.poll(heading).toBe(t('importHeading'))
    await seeFocusOn(t('importHeading'))
    await press(t('check'))
    await page.getByText(kit('required')).waitFor()
    await seeFocusIn(field)
    await look('administrators')
    await check(fileOf('people.xlsx', ['']))
    await page.getByText(t('wrongFormat')).waitFor()
    await seeFocusIn(field)
    await look('administrators')

    const [ada, bo] = [newName(), newName()]
    const people = fileOf('people.csv', [
      'username,full_name,permissions',
      `${ada},"Lovelace, Ada",projects:view`,
      ',=cmd(),',
      `${ada.toUpperCase()},,`,
      `${bo},Bo Chen,`,
    ])
    await requireIdentity()
    await check(people)
    await seeFocusIn(identity.getByRole('textbox').first())
    await look('administrators')
    await close(identity, 'Escape')
    await seeFocusOn(t('checkStopped', { line: 0 }))
    await look('administrators')
    await press(t('otherFile'))
    await seeFocusOn(t('importHeading'))
    await check(people)
    await confirmIdentity()
    await seeFocusOn(t('importable', { count: 2 }))
    await seeFocusOn(t('refused', { count: 2 }))
    await state.getByText(t('importable', { count: 2 })).waitFor()
    await state.getByText(t('refused', { count: 2 })).waitFor()
    await look('administrators')

    const refused = page.getByRole('region', { name: t('refusedLines'), exact: true })
    expect(await refused.getByRole('term').allInnerTexts()).toEqual([3, 4].map((line) => t('line', { line })))
    expect(await refused.getByRole('definition').allInnerTexts()).toEqual([
      'username is required',
      'username is the same as on line 2',
    ])
    const { name, text: report } = await save(t('reportJson'))
    expect(name).toBe('people.csv.refused.jsonl')
    expect(parseLines(report)).toEqual([
      { line: 3, errors: [{ field: 'username', message: 'is required' }] },
      { line: 4, errors: [{ field: 'username', message: 'is the same as on line 2' }] },
    ])
    await seeFocusOn(t('reportJson'))

    await press(t('start', { count: 2 }))
    await seeFocusOn(t('imported', { count: 2 }))
    await state.getByText(t('imported', { count: 2 })).waitFor()
    await look('administrators')
    const { text: table } = await save(t('reportCsv'))
    expect(table.split('\r\n').slice(0, 2)).toEqual(['line,field,message', '3,username,is required'])
    await follow(menu('backToList'))
    await seeFocusOn(menu('users'))
    for (const username of [ada, bo]) {
      await type(page.getByRole('searchbox', { name: users('search') }), username)
      await page.getByRole('table').getByRole('link', { name: username, exact: true }).waitFor()
    }
  })

  it('asks before an import is left, stops it, and imports the rest of the file', async () => {
    const [menu, users, t] = [await words.menu, await words.users, await words.files]
    const visit = await enter()
    const { page, activate, check, close, follow, heading, look, press, seeFocusIn, seeFocusOn, type } = visit
    const file = fileOfUsers(Array.from({ length: 60 }, newName))
    await follow(users('import'))
    await check(file)
    await seeFocusOn(t('importable', { count: 60 }))
    const release = await holdRequest(page, importAddress)
    await press(t('start', { count: 60 }))
    await seeFocusOn(users('stop'))
    await look('administrators')
    const question = page.getByRole('dialog', { name: t('leaveHeading') })
    const back = page.getByRole('main').getByRole('link', { name: menu('users'), exact: true })
    for (const how of ['Escape', 'button'] as const) {
      await activate(back)
      await question.waitFor()
      await look('administrators')
      await close(question, how)
      await seeFocusIn(back)
    }
    await press(users('stop'))
    release()
    await seeFocusOn(t('importStopped', { line: 50 }))
    await look('administrators')

    await press(t('otherFile'))
    await seeFocusOn(t('importHeading'))
    await check(file)
    await seeFocusOn(t('importable', { count: 10 }))
    await seeFocusOn(t('known', { count: 50 }))
    const releaseRest = await holdRequest(page, importAddress)
    await press(t('start', { count: 10 }))
    await activate(back)
    await question.waitFor()
    releaseRest()
    await question.waitFor({ state: 'detached' })
    await seeFocusOn(t('imported', { count: 10 }))
    await look('administrators')

    await press(t('otherFile'))
    const [first, last] = [newName(), newName()]
    await check(fileOfUsers([first, ...Array.from({ length: 58 }, newName), last]))
    await seeFocusOn(t('importable', { count: 60 }))
    const releaseFirst = await holdRequest(page, importAddress)
    await press(t('start', { count: 60 }))
    await activate(back)
    await activate(question.getByRole('button', { name: t('leave'), exact: true }))
    await expect.poll(heading).toBe(menu('users'))
    await seeFocusOn(menu('users'))
    await Promise.all([page.waitForResponse(importAddress), releaseFirst()])
    const searchField = page.getByRole('searchbox', { name: users('search') })
    await type(searchField, first)
    await page.getByRole('table').getByRole('link', { name: first, exact: true }).waitFor()
    await type(searchField, last)
    await page.getByText(menu('noResults')).waitFor()
  })

  it('exports all users as lines that an import reads', async () => {
    const [users, kit, t] = [await words.users, await words.kit, await words.files]
    const visit = await enter()
    const { page, activate, close, confirmIdentity, dialog, identity, look, person } = visit
    const { problem, requireIdentity, seeFocusIn, seeToast } = visit
    const opener = page
      .getByRole('main')
      .getByRole('button', { name: users('export'), exact: true })
      .first()
    const start = dialog.getByRole('button', { name: users('export'), exact: true })
    for (const how of ['Escape', 'button'] as const) {
      await activate(opener)
      await seeFocusIn(start)
      await look('administrators')
      await close(dialog, how)
      await seeFocusIn(opener)
    }

    // The answer to an export that was stopped arrives while the dialog is open again.
    const release = await holdRequest(page, exportAddress)
    await activate(opener)
    await activate(start)
    await seeFocusIn(dialog.getByRole('button', { name: users('stop'), exact: true }))
    await look('administrators')
    await close(dialog, 'Escape')
    await seeFocusIn(opener)
    await activate(opener)
    await seeFocusIn(start)
    await Promise.all([page.waitForResponse(exportAddress), release()])
    await page.route(exportAddress, (route) => route.abort(), { times: 1 })
    await activate(start)
    await problem.getByText(kit('problemUnreachable')).waitFor()
    await seeFocusIn(dialog.getByRole('heading'))
    await look('administrators')

    await requireIdentity()
    await activate(start)
    await seeFocusIn(identity.getByRole('textbox').first())
    await look('administrators')
    await close(identity, 'Escape')
    await dialog.waitFor({ state: 'detached' })
    await seeFocusIn(opener)
    await activate(opener)
    await activate(start)
    const { name, text } = await saveFile(page, confirmIdentity)
    expect(name).toBe('users.jsonl')
    const lines = parseLines(text)
    await seeToast(t('exported', { count: lines.length }))
    await seeFocusIn(opener)
    await look('administrators')
    expect(lines).toContainEqual(
      expect.objectContaining({ username: person.user.username, full_name: 'Root' }),
    )
    const { users: count } = await (await page.request.get(`${service.url}/api/2/totals`)).json()
    expect(lines).toHaveLength(count)
  })
})

const importAddress = '**/api/2/users/import'
const exportAddress = '**/api/2/users/export*'

/** Returns the text of the focused element, and nothing if the focus is lost. */
const readFocusedText = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement === document.body ? '' : document.activeElement.textContent")

/** Whether this element, or one in it, has the focus. */
const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.contains(element.ownerDocument.activeElement))
