import type { Browser } from 'playwright-core'
import { tabTo } from './keyboard.ts'
import { type BrowserPage, openPage } from './pages.ts'
import { addPerson, type Person } from './people.ts'
import { loadWords, type Persona, type Visit, visit } from './personas.ts'
import type { TestService } from './service.ts'

/** What the console adds to the actions of a person on a page. */
interface ConsoleActions {
  readonly person: Person
  /** Opens a place of the console: `/users/12`. */
  readonly open: (place: string) => Promise<void>
  /** Opens a tab of the page. */
  readonly openTab: (name: string) => Promise<void>
  /** Presses a button in a menu, such as that of the actions of a user. */
  readonly pressIn: (menu: string, name: string) => Promise<void>
  /** Waits for what the console says about something that worked, each time anew. */
  readonly seeToast: (text: string) => Promise<void>
}

export interface ConsoleVisit extends BrowserPage, ConsoleActions {}

interface AdministratorOptions {
  readonly permissions?: readonly string[]
  /** By default a random one. */
  readonly username?: string
}

interface ConsoleOptions extends AdministratorOptions {
  readonly browserOptions?: Parameters<typeof openPage>[1]
}

/** Opens the console as a person with these permissions, by default as an administrator. */
export const openConsole = async (
  service: TestService,
  browser: Browser,
  { browserOptions, ...options }: ConsoleOptions = {},
): Promise<ConsoleVisit> => enterConsole(service, await openPage(browser, browserOptions), options)

/** Signs an administrator in and opens the console. */
const enterConsole = async <Opened extends BrowserPage>(
  service: TestService,
  opened: Opened,
  { permissions = ['system:admin-access'], username }: AdministratorOptions,
): Promise<Opened & ConsoleActions> => {
  const { page } = opened
  const person = await addPerson(service, {
    full_name: 'Root',
    permissions,
    ...(username !== undefined && { username }),
  })
  const { user, password } = person
  await page.request.post(`${service.url}/api/2/auth/login`, { data: { username: user.username, password } })
  await page.goto(`${service.url}/admin`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return {
    ...opened,
    person,
    open: async (place) => {
      await page.goto(`${service.url}/admin#${place}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    openTab: (name) => page.getByRole('tab', { name, exact: true }).click(),
    pressIn: async (menu, name) => {
      await opened.press(menu)
      await opened.press(name)
    },
    seeToast: async (text) => {
      // A toast stays for seconds, and the next one can have the same text.
      const unseen = page.getByRole('status').locator('p:not([data-seen])')
      const toast = unseen.and(page.getByText(text, { exact: true }))
      await toast.waitFor()
      await toast.evaluate((shown) => shown.setAttribute('data-seen', ''))
    },
  }
}

/** The console as a persona has it. */
export interface PersonaConsole extends Visit, ConsoleActions {
  /** Follows a link of the menu, which narrow screens show on demand. */
  readonly choosePlace: (name: string) => Promise<void>
}

/** Opens the console as this persona, in a browser that was started for them. */
export const visitConsole = async (
  service: TestService,
  browser: Browser,
  persona: Persona,
  options: AdministratorOptions = {},
): Promise<PersonaConsole> => {
  const entered = await enterConsole(service, await visit(browser, persona), options)
  const { page, activate, press } = entered
  const menu = await loadWords(persona, 'console')
  return {
    ...entered,
    openTab: async (name) => {
      await tabTo(page.getByRole('tab', { selected: true }))
      const wanted = page.getByRole('tab', { name, exact: true })
      for (let presses = 9; presses > 0; presses -= 1) {
        if ((await wanted.getAttribute('aria-selected')) === 'true') return
        await page.keyboard.press('ArrowRight')
      }
      throw new Error(`The arrow keys do not lead to the tab ${name}.`)
    },
    choosePlace: async (name) => {
      const link = page.getByRole('navigation').getByRole('link', { name, exact: true })
      if (!(await link.isVisible())) await press(menu('menu'))
      await activate(link)
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    },
  }
}
