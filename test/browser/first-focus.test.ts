import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openAccount } from '../support/account-pages.ts'
import { openConsole } from '../support/console.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

/** What the page changes first, after which a person can press a key. */
interface Shown {
  readonly selector: string
  readonly text: string
}

const watch = ({ selector, text }: Shown): string => `(() => {
  const isShown = () =>
    [...document.querySelectorAll(${JSON.stringify(selector)})].some((part) => part.textContent === ${JSON.stringify(text)})
  if (isShown()) throw new Error('it is shown before')
  const nameFocus = () => {
    const { activeElement: element } = document
    return element.localName + ' ' + ((element.name || element.labels?.[0]?.textContent || element.textContent))
  }
  window.firstFocus = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!isShown()) return
      observer.disconnect()
      const before = nameFocus()
      setTimeout(() => resolve({ before, after: nameFocus() }), 200)
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true })
  })
})()`

/** Returns what has the focus before the browser paints the change, and what has it after all effects of the change. */
const readFocus = async (page: Page, shown: Shown, act: () => Promise<unknown>): Promise<unknown> => {
  await page.evaluate(watch(shown))
  await act()
  return page.evaluate('window.firstFocus')
}

const openAssistant = async () => {
  const visit = await openConsole(service, browser)
  await visit.open('/connections/saml/new')
  return visit
}

const nameProvider = async () => {
  const visit = await openAssistant()
  await visit.fill({ Name: 'Example' })
  await visit.press('Continue')
  await visit.page.getByRole('heading', { name: 'Enter these values at the provider' }).waitFor()
  return visit
}

const openNewToken = async () => {
  const visit = await openAccount(service, browser, 'api-tokens', {
    fields: { permissions: ['system:admin-access'] },
  })
  await visit.press('Create a token')
  await visit.fill({ Name: 'Backup' })
  await visit.page.getByLabel('What it may do').first().selectOption('Everything that I may do')
  return visit
}

const openSignIn = async () => {
  const visit = await openPage(browser)
  await visit.page.goto(service.url)
  return visit
}

const follow = (name: string) => (visit: BrowserPage) =>
  visit.page.getByRole('link', { name, exact: true }).click()
const press = (name: string) => (visit: BrowserPage) => visit.press(name)

interface Change {
  readonly name: string
  readonly open: () => Promise<BrowserPage>
  readonly act: (visit: BrowserPage) => Promise<void>
  readonly shown: Shown
  /** By default what is shown. */
  readonly focus?: string
}

/** A page that moves the focus later takes it away from people who press keys quickly, and what they press gets lost. */
const changes: readonly Change[] = [
  {
    name: 'a place of the console',
    open: () => openConsole(service, browser),
    act: follow('Groups'),
    shown: { selector: 'h1', text: 'Groups' },
  },
  {
    name: 'a step of an assistant',
    open: nameProvider,
    act: press('Continue'),
    shown: { selector: 'h2', text: 'What does the provider give you?' },
  },
  {
    name: 'a problem of a field',
    open: openAssistant,
    act: press('Continue'),
    shown: { selector: '[aria-invalid=true]', text: '' },
    focus: 'input Name',
  },
  {
    name: 'a section of the account page',
    open: () => openAccount(service, browser, 'profile'),
    act: follow('API tokens'),
    shown: { selector: 'h1', text: 'API tokens' },
  },
  {
    name: 'the setup of a second factor',
    open: () => openAccount(service, browser, 'two-step'),
    act: press('Set up'),
    shown: { selector: 'h2', text: 'Set up' },
  },
  {
    name: 'the value of a token',
    open: openNewToken,
    act: press('Create'),
    shown: { selector: 'h2', text: 'Copy your new token' },
  },
  {
    name: 'a step of the sign-in',
    open: openSignIn,
    act: press('Forgot your password?'),
    shown: { selector: 'h1', text: 'Reset your password' },
    focus: 'input username',
  },
]

it.each(changes)('has the focus at once: $name', async ({ open, act, shown, focus }) => {
  const visit = await open()
  const wanted = focus ?? `${shown.selector} ${shown.text}`
  expect(await readFocus(visit.page, shown, () => act(visit))).toEqual({ before: wanted, after: wanted })
})
