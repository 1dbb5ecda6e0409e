import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { signInBrowser } from './account-pages.ts'
import { addPerson, type Person } from './people.ts'
import { loadWords, type Persona, type Visit, visit } from './personas.ts'
import type { TestService } from './service.ts'

/** What all parts of the account page say in a language. */
export const loadAccountWords = async (persona: Pick<Persona, 'language'> | { readonly language: 'en' }) => {
  const [account, security, access, session, kit, newPassword] = await Promise.all([
    loadWords(persona, 'account'),
    loadWords(persona, 'security'),
    loadWords(persona, 'access'),
    loadWords(persona, 'session'),
    loadWords(persona, 'kit'),
    loadWords(persona, 'newPassword'),
  ])
  return { account, security, access, session, kit, newPassword }
}

export type AccountWords = Awaited<ReturnType<typeof loadAccountWords>>

export interface AccountFlow extends Visit {
  readonly person: Person
  readonly words: AccountWords
  /** Waits for what the page reports to have done. */
  readonly seeDone: (message: string) => Promise<void>
  /** Gives the password in the dialog that asks for a proof of identity. */
  readonly confirmIdentity: () => Promise<void>
}

/** Prepares a page for the account of a person, who is new unless one is given. */
export const startAccountFlow = async (
  service: TestService,
  browser: Browser,
  persona: Persona,
  given?: Person,
): Promise<AccountFlow> => {
  const person = given ?? (await addPerson(service, { full_name: 'Ada Lovelace' }))
  const [opened, words] = await Promise.all([visit(browser, persona), loadAccountWords(persona)])
  const { page, state, activate, type, look } = opened
  return {
    ...opened,
    person,
    words,
    seeDone: (message) => state.getByText(message).waitFor(),
    confirmIdentity: async () => {
      const dialog = page.getByRole('dialog', { name: words.session('confirmHeading') })
      await look()
      await type(dialog.getByLabel(words.session('password'), { exact: true }), person.password)
      await activate(dialog.getByRole('button', { name: words.session('confirm'), exact: true }))
    },
  }
}

/** Signs the person of a flow in and opens a section of their account. */
export const openSection = async (
  service: TestService,
  flow: AccountFlow,
  section: string,
): Promise<void> => {
  await signInBrowser(service, flow, flow.person)
  await flow.page.goto(`${service.url}/account#/${section}`)
  await flow.page.getByRole('navigation').waitFor()
  expect(new URL(flow.page.url()).hash).toBe(`#/${section}`)
}
