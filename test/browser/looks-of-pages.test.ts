import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Language, languages } from '../../lib/kernel/i18n/languages.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { checkEnlarged } from '../support/enlarge.ts'
import { walkThrough } from '../support/keyboard.ts'
import { checkLooks, findOverflow } from '../support/looks.ts'
import { openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { takesAll } from '../support/personas.ts'
import { compareWithReference } from '../support/pictures/references.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { technicalTerms } from '../support/technical-terms.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const ada = await addPerson(service, {
  username: 'ada',
  full_name: 'Ada Lovelace',
  email: 'ada@example.com',
  permissions: ['system:admin-access'],
})
const signedIn = await addSignedIn(service, { username: 'grace', full_name: 'Grace Hopper' })
await enableSecondFactor(service, signedIn)
const grace: Person = signedIn
const linus = await addPerson(service, { username: 'linus', password_change_required: true })
const browser = await shareBrowser()

interface PageState {
  readonly name: string
  readonly path: string
  /** Who is signed in. */
  readonly person?: () => Person
  /** Leads from the page to the state, in any language. */
  readonly reach?: (page: Page) => Promise<unknown>
}

/** Submits the form of the sign-in page. */
const signIn = async (page: Page, { user }: Person, password: string) => {
  await page.locator('[name=username]').fill(user.username)
  await page.locator('[name=password]').fill(password)
  await page.keyboard.press('Enter')
}

/** Each request has another ID. */
const hideRequestId = (page: Page) =>
  page.evaluate(`for (const note of document.querySelectorAll('.note'))
    note.innerHTML = note.innerHTML.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '01234567-89ab-cdef-0123-456789abcdef')`)

const states: readonly PageState[] = [
  { name: 'not-found', path: '/nothing', reach: hideRequestId },
  { name: 'sign-in-service-missing', path: '/api/2/auth/saml/999/sso', reach: hideRequestId },
  { name: 'sign-in', path: '/' },
  {
    name: 'sign-in-failed',
    path: '/',
    reach: async (page) => {
      await signIn(page, ada, 'a wrong password')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'sign-in-code',
    path: '/',
    reach: async (page) => {
      await signIn(page, grace, grace.password)
      await page.locator('[autocomplete=one-time-code]').waitFor()
    },
  },
  {
    name: 'sign-in-new-password',
    path: '/',
    reach: async (page) => {
      await signIn(page, linus, linus.password)
      await page.locator('[autocomplete=new-password]').first().waitFor()
      // The rules arrive after the field.
      await page.locator('.password-rules').waitFor()
    },
  },
  {
    name: 'sign-in-forgot',
    path: '/',
    reach: async (page) => {
      await page.locator('main button').last().click()
      await page.locator('[name=password]').waitFor({ state: 'detached' })
    },
  },
  { name: 'signed-in', path: '/', person: () => ada },
  { name: 'invite-incomplete', path: '/invite' },
]

const openState = async (page: Page, { path, person, reach }: PageState): Promise<void> => {
  await page.context().clearCookies()
  if (person) {
    const { user, password } = person()
    const data = { username: user.username, password }
    await page.request.post(`${service.url}/api/2/auth/login`, { data })
  }
  await page.goto('about:blank')
  await page.goto(service.url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await reach?.(page)
}

describe('each state', () => {
  let page: Page
  beforeAll(async () => {
    page = (await openPage(browser, { locale: 'en' })).page
  })

  it.each(states)('$name looks as before, is accessible and adapts', async (state) => {
    await openState(page, state)
    await page.waitForLoadState('networkidle')
    await checkLooks(page, state.name)
    await checkEnlarged(page, state.name)
    await walkThrough(page)
  })
})

/** The language with the longest words, and one with other letters. */
const pictured: readonly Language[] = ['de', 'ja']

/** Also one that is written from right to left. The others have no longer words and no other letters. */
const shown = takesAll ? languages : ([...pictured, 'ar'] as const)

describe.each(shown)('texts in %s', (locale) => {
  it('fit into narrow windows, and contain no terms of protocols', async () => {
    const { page } = await openPage(browser, { locale, viewport: { width: 320, height: 568 } })
    for (const state of states) {
      await openState(page, state)
      expect(await page.locator('html').getAttribute('lang'), state.name).toBe(locale)
      expect(await findOverflow(page), state.name).toEqual([])
      const text = await page.locator('body').innerText()
      expect(text, state.name).not.toMatch(technicalTerms)
      if (!pictured.includes(locale)) continue
      await page.waitForLoadState('networkidle')
      await compareWithReference(page, `${state.name}.${locale}`)
    }
  })
})
