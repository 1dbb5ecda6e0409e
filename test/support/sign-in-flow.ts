import type { Browser } from 'playwright-core'
import type { Person } from './people.ts'
import { loadWords, type Persona, visit } from './personas.ts'
import type { TestService } from './service.ts'

/** Opens an empty page for a persona, with what the sign-in page says and what people do there. */
export const startSignInFlow = async (service: TestService, browser: Browser, persona: Persona) => {
  const [opened, t, kit] = await Promise.all([
    visit(browser, persona),
    loadWords(persona, 'signIn'),
    loadWords(persona, 'kit'),
  ])
  const { page, state, fill, press } = opened
  const username = page.getByLabel(t('username'), { exact: true })
  return {
    ...opened,
    t,
    kit,
    username,
    /** Opens the sign-in page, on the way to this address of a product unless it is missing. */
    open: (returnTo?: string) =>
      page.goto(
        `${service.url}/${returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`}`,
      ),
    enter: async ({ user }: Person, password: string) => {
      await fill({ [t('username')]: user.username })
      const next = page.getByRole('button', { name: kit('continue'), exact: true })
      if (await next.isVisible()) await next.click()
      await fill({ [t('password')]: password })
      await press(t('signIn'))
    },
    seeSignedIn: (name: string) => state.getByText(t('signedInAs', { name })).waitFor(),
    signOut: async () => {
      await press(t('signOut'))
      await username.waitFor()
    },
    /** Waits for the page of a product that knows the user. */
    seeGreeting: (name: string) =>
      page.getByRole('heading', { name: `Hello ${name}`, exact: true }).waitFor(),
  }
}
