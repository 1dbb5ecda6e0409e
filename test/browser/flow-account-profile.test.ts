import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createEmailTranslate, loadEmailMessages } from '../../lib/features/mail/translate.ts'
import { languageNames } from '../../lib/kernel/i18n/languages.ts'
import { loadAccountWords, openSection, startAccountFlow } from '../support/account-flows.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { getFocused, saveFile } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { hostname: 'localhost' })

const newAddress = () => `ada-${randomUUID()}@example.com`

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('changes the name and the language, in the profile and below the page', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, fill, press, choose, look, seeDone, words } = flow
    await openSection(service, flow, 'profile')
    await look()
    await fill({ [words.account('fullName')]: 'Ada King' })
    await press(words.kit('save'))
    await seeDone(words.kit('saved'))
    await page.getByText('Ada King', { exact: true }).waitFor()
    await look()

    // A language with another heading, and with a name that begins with a letter of every keyboard.
    const language = persona.language === 'de' ? 'en' : 'de'
    const other = await loadAccountWords({ language })
    const inProfile = page.getByRole('main').getByRole('combobox')
    await choose(inProfile, languageNames[language])
    await press(words.kit('save'))
    await page.getByRole('heading', { level: 1, name: other.account('profile'), exact: true }).waitFor()
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe(language)
    const title = `${other.account('profile')} – Latchkey`
    expect([await page.title(), new URL(page.url()).search]).toEqual([title, ''])
    await expect.poll(() => page.getByLabel(other.account('fullName')).inputValue()).toBe('Ada King')
    await look()
    const below = page.getByRole('contentinfo').getByRole('combobox')
    await choose(below, languageNames[persona.language])
    await page.keyboard.press('Enter')
    await page.getByLabel(words.account('fullName')).waitFor()
    await choose(inProfile, words.account('languageOfBrowser'))
    const isShownAgain = page.waitForEvent('load')
    await press(words.kit('save'))
    await isShownAgain
    await expect.poll(() => inProfile.inputValue()).toBe('')
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe(persona.language)
  })

  it('saves what the service stores about the person', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, press, look, words, person } = flow
    await openSection(service, flow, 'profile')
    await look()
    const { name, text } = await saveFile(page, () => press(words.account('saveData')))
    expect(name).toBe(`${person.user.username}.json`)
    const data = JSON.parse(text)
    expect(data.user).toMatchObject({ id: person.user.id, full_name: 'Ada Lovelace' })
    expect(data.sessions).toHaveLength(1)
    expect(Object.keys(data)).toEqual(
      expect.arrayContaining(['passkeys', 'connected_accounts', 'apps', 'api_tokens']),
    )
    for (const secret of [person.password, person.user.passwordHash ?? 'bcrypt'])
      expect(text).not.toContain(secret)
  })

  it('visits each section, reloads it, goes back, and signs out', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, activate, press, look, heading, words } = flow
    await openSection(service, flow, 'profile')
    const names = ['password', 'twoStep', 'passkeys', 'sessions', 'apiTokens', 'apps', 'connections'] as const
    for (const name of names) {
      const label = words.account(name)
      const isShown = () => page.getByRole('heading', { level: 1, name: label, exact: true }).waitFor()
      await activate(page.getByRole('navigation').getByRole('link', { name: label, exact: true }))
      await isShown()
      await expect.poll(() => getFocused(page)).toBe(label)
      await page.reload()
      await isShown()
      await page.getByText(words.kit('loading')).waitFor({ state: 'detached' })
      await look()
    }
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: words.account('apps'), exact: true }).waitFor()
    await expect.poll(() => heading()).toBe(words.account('apps'))
    await press(words.account('signOut'))
    await page.waitForURL(`${service.url}/`)
    await page.goto(`${service.url}/account#/sessions`)
    await page.waitForURL((url) => url.searchParams.get('return_to') === '/account')
  })

  it('changes the email address after the new one is confirmed, and informs the old one', async () => {
    const old = newAddress()
    const person = await addPerson(service, { full_name: 'Ada', email: old })
    const flow = await startAccountFlow(service, browser, persona, person)
    const { page, activate, fill, press, look, state, seeDone, heading, words } = flow
    const { account, kit } = words
    const confirm = await loadWords(persona, 'confirm')
    await openSection(service, flow, 'profile')
    await fill({ [account('newEmail')]: 'nonsense' })
    await press(kit('continue'))
    await page.getByText(account('emailInvalid')).waitFor()
    await look()
    const first = newAddress()
    await fill({ [account('newEmail')]: first })
    await press(kit('continue'))
    await seeDone(account('linkSent', { address: first }))
    await page.getByText(account('emailPending', { address: first })).waitFor()
    await look()
    await press(account('sendLink'))
    await seeDone(account('linkSent', { address: first }))
    await press(account('withdrawEmail'))
    await seeDone(account('emailWithdrawn'))
    await page.getByText(account('emailPending', { address: first })).waitFor({ state: 'detached' })

    const next = newAddress()
    await fill({ [account('newEmail')]: next })
    await press(kit('continue'))
    await page.getByText(account('emailPending', { address: next })).waitFor()
    await page.reload()
    await page.getByText(account('emailPending', { address: next })).waitFor()
    await page.goto(await readMailedLink(service, next, 'confirm'))
    await state.getByText(confirm('explanation', { email: next, account: person.user.username })).waitFor()
    await look()
    await press(confirm('confirm'))
    await state.getByText(confirm('done')).waitFor()
    await expect.poll(() => getFocused(page)).toBe(await heading())
    await look()
    await loadEmailMessages(persona.language)
    const changed = createEmailTranslate(persona.language)('emailChangedSubject')
    await service.mailbox.mailTo(old, ({ subject }) => subject.includes(changed))
    await activate(page.getByRole('link', { name: confirm('goToSignIn') }))
    await page.waitForURL(`${service.url}/`)
    await page.goto(`${service.url}/account`)
    await page.getByText(next).waitFor()
    await page.getByText(account('emailVerified'), { exact: true }).waitFor()
  })
})
