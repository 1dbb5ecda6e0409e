import type { Browser } from 'playwright-core'
import { type BrowserPage, openPage } from './pages.ts'
import { addPerson, type Person } from './people.ts'
import type { TestService } from './service.ts'

export interface ConsoleVisit extends BrowserPage {
  readonly person: Person
  /** Opens a place of the console: `/users/12`. */
  readonly open: (place: string) => Promise<void>
  /** Waits for what the console says about something that worked. */
  readonly seeToast: (text: string) => Promise<void>
}

interface ConsoleOptions {
  readonly permissions?: readonly string[]
  /** By default a random one. */
  readonly username?: string
  readonly browserOptions?: Parameters<typeof openPage>[1]
}

/** Opens the console as a person with these permissions, by default as an administrator. */
export const openConsole = async (
  service: TestService,
  browser: Browser,
  { permissions = ['system:admin-access'], username, browserOptions = {} }: ConsoleOptions = {},
): Promise<ConsoleVisit> => {
  const visit = await openPage(browser, browserOptions)
  const { page } = visit
  const person = await addPerson(service, {
    fullName: 'Root',
    permissions,
    ...(username === undefined ? {} : { username }),
  })
  const { user, password } = person
  await page.request.post(`${service.url}/api/2/auth/login`, { data: { username: user.username, password } })
  await page.goto(`${service.url}/admin`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return {
    ...visit,
    person,
    open: async (place) => {
      await page.goto(`${service.url}/admin#${place}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    seeToast: async (text) => {
      await page.getByRole('status').getByText(text, { exact: true }).waitFor()
    },
  }
}
