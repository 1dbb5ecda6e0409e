import type { Browser } from 'playwright-core'
import { type BrowserPage, openPage } from './pages.ts'
import { addPerson, type Person } from './people.ts'
import type { TestService } from './service.ts'

/** Gives the browser of a page a new session of this person. */
export const signInBrowser = async (
  { url }: TestService,
  { page }: Pick<BrowserPage, 'page'>,
  { user, password }: Person,
  fields: { readonly second_factor_setup?: boolean } = {},
): Promise<void> => {
  const answer = await page.request.post(`${url}/api/2/auth/login`, {
    data: { username: user.username, password, ...fields },
  })
  if (!answer.ok()) throw new Error(`the sign-in failed: ${await answer.text()}`)
}

export interface AccountVisit extends BrowserPage {
  readonly person: Person
}

interface AccountOptions {
  readonly locale?: string
  readonly person?: Person
  readonly fields?: Parameters<typeof addPerson>[1]
}

/** Opens a section of the account page in a browser of its own, as a new person unless one is given. */
export const openAccount = async (
  service: TestService,
  browser: Browser,
  section: string,
  { locale = 'en-US', person, fields = { full_name: 'Ada Lovelace' } }: AccountOptions = {},
): Promise<AccountVisit> => {
  const visit = await openPage(browser, { locale, permissions: ['clipboard-read', 'clipboard-write'] })
  const signedIn = person ?? (await addPerson(service, fields))
  await signInBrowser(service, visit, signedIn)
  await visit.page.goto(`${service.url}/account#/${section}`)
  await visit.page.getByRole('heading', { level: 1 }).waitFor()
  return { ...visit, person: signedIn }
}

/** Makes the proof of identity of all sessions of a user too old. */
export const ageProofs = async (
  { services: { table } }: TestService,
  { user }: { readonly user: Pick<Person['user'], 'id'> },
): Promise<void> => {
  for (const { pk, sk } of await table.list(`user#${user.id}`, 'session#'))
    await table.update({ pk, sk }, (x) => ({
      set: [`${x.path('authentication', 'at')} = ${x.value(Date.now() - 3_600_000)}`],
    }))
}
