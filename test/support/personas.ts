import type { Browser, Locator } from 'playwright-core'
import { expect } from 'vitest'
import { readCatalogues } from '../../build/pages/read-catalogues.ts'
import type { TranslatePlain } from '../../lib/features/pages/plain/plain.page.ts'
import type { Language } from '../../lib/kernel/i18n/languages.ts'
import { createTranslate, type Translate, type Translations } from '../../lib/kernel/i18n/messages.ts'
import type { Catalogues, Part } from '../../web/messages/catalogues.ts'
import { findViolations } from './axe.ts'
import { hasLostFocus, pressKeyOn, tabTo, typeInto } from './keyboard.ts'
import { findOverflow, inEachLook, isFirefox } from './looks.ts'
import { type BrowserPage, openPage } from './pages.ts'
import type { BrowserName } from './shared-browser.ts'
import { technicalTerms } from './technical-terms.ts'

/** Who goes through a flow by keyboard alone: with which browser, language, look and window. */
export interface Persona {
  readonly name: string
  readonly browser: BrowserName
  readonly language: 'de' | 'ja' | 'en' | 'ar'
  readonly width: number
  readonly height: number
}

/**
 * Every flow works by keyboard alone, in the language with the longest words, and each of its states fits into each look. Firefox
 * takes those that depend on the engine: forms, storage, cookies, passkeys, cryptography, files and the history.
 */
export const personas: readonly Persona[] = [
  {
    name: 'by keyboard alone, in Chromium, German',
    browser: 'Chromium',
    language: 'de',
    width: 1280,
    height: 800,
  },
  {
    name: 'by keyboard alone, in Firefox, Japanese, dark, 375 px',
    browser: 'Firefox',
    language: 'ja',
    width: 375,
    height: 667,
  },
]

/** Whether this run takes every browser and every language, also where one shows as much as all: `npm run test:browser:all`. */
export const takesAll = process.env['BROWSERS'] === 'all'

/**
 * Who goes through the long flows of administrators, of the account page and of emails. In each check it is Chromium, and
 * `npm run test:browser:all` takes Firefox as well: the sign-in shows both browsers each time.
 */
export const inOneBrowser: readonly Persona[] = personas.filter(
  ({ browser }) => browser === 'Chromium' || takesAll,
)

/** Options of a page as the persona has it. */
const optionsFor = ({ browser, language, width, height }: Persona): Parameters<typeof openPage>[1] => ({
  locale: language,
  viewport: { width, height },
  // Playwright cannot set these in Firefox.
  ...(browser === 'Chromium' && {
    reducedMotion: 'reduce' as const,
    permissions: ['clipboard-read', 'clipboard-write'],
  }),
})

/** A page with the actions of a persona, each by keyboard. */
export interface Visit extends BrowserPage {
  readonly persona: Persona
  /** Presses a button, opens a link, or opens what else can be pressed. */
  readonly activate: (target: Locator) => Promise<void>
  /** Presses the button with this name. */
  readonly press: (name: string) => Promise<void>
  /** Replaces the text of a field. */
  readonly type: (field: Locator, text: string) => Promise<void>
  /** Turns a checkbox on or off, or chooses a radio button. */
  readonly check: (box: Locator, isOn?: boolean) => Promise<void>
  /** Chooses the option with this label. */
  readonly choose: (field: Locator, label: string) => Promise<void>
  /** Chooses a file from the device. */
  readonly upload: (field: Locator, file: UploadedFile) => Promise<void>
  /**
   * Checks what the page shows now: the focus is somewhere, nothing sticks out sideways in any look, axe finds nothing, and pages for
   * everybody contain no technical term. axe does not read the elements of the selector `unread`.
   */
  readonly look: (audience?: 'everybody' | 'administrators', unread?: string) => Promise<void>
}

interface UploadedFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const isRadio = async (box: Locator) => (await box.getAttribute('type')) === 'radio'

/** Moves the focus into a group of radio buttons, and to the right one by the arrow keys. */
const chooseRadio = async (box: Locator): Promise<void> => {
  const page = box.page()
  const name = await box.getAttribute('name')
  const group = page.locator(`input[type=radio][name="${name}"]`)
  const chosen = page.locator(`input[type=radio][name="${name}"]:checked`)
  await tabTo((await chosen.count()) > 0 ? chosen : group.first())
  for (let presses = await group.count(); presses > 0 && !(await box.isChecked()); presses -= 1)
    await page.keyboard.press('ArrowDown')
  if (!(await box.isChecked())) await page.keyboard.press('Space')
  expect(await box.isChecked(), `${box} cannot be chosen by keyboard`).toBe(true)
}

interface SelectLike {
  readonly options: ArrayLike<{ readonly label: string }>
  readonly selectedIndex: number
}

interface Choice {
  readonly selectedIndex: number
  /** Of the wanted option. */
  readonly index: number
  readonly count: number
}

const readChoice = (field: Locator, label: string): Promise<Choice> =>
  field.evaluate<Choice, string>((select, wanted) => {
    const { options, selectedIndex } = select as unknown as SelectLike
    const index = Array.from(options).findIndex((option) => option.label.trim() === wanted)
    return { selectedIndex, index, count: options.length }
  }, label)

/** Marks a field whose window was opened. Returns whether it was marked before. */
const markOpened = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => {
    const wasOpened = element.hasAttribute('data-opened')
    element.setAttribute('data-opened', '')
    return wasOpened
  })

const byKeyboard = {
  type: typeInto,
  check: async (box: Locator, isOn = true) => {
    if (await isRadio(box)) await chooseRadio(box)
    else if ((await box.isChecked()) !== isOn) await pressKeyOn(box, 'Space')
  },
  // Letters choose what begins with them only if the keyboard has them, and if they follow each other quickly.
  choose: async (field: Locator, label: string) => {
    await tabTo(field)
    let choice = await readChoice(field, label)
    for (let presses = choice.count; presses > 0 && choice.selectedIndex !== choice.index; presses -= 1) {
      await field.page().keyboard.press(choice.index > choice.selectedIndex ? 'ArrowDown' : 'ArrowUp')
      choice = await readChoice(field, label)
    }
    expect(await field.locator('option:checked').innerText()).toBe(label)
  },
  upload: async (field: Locator, file: UploadedFile) => {
    // Firefox leaves the window open that it opens to choose a file, so that a field opens no second one.
    if (isFirefox(field.page()) && (await markOpened(field))) {
      await tabTo(field)
      return field.setInputFiles(file)
    }
    const [chooser] = await Promise.all([field.page().waitForEvent('filechooser'), pressKeyOn(field)])
    await chooser.setFiles(file)
  },
}

/** Opens an empty page in a browser that was started for this persona. */
export const visit = async (browser: Browser, persona: Persona): Promise<Visit> => {
  const opened = await openPage(browser, optionsFor(persona))
  const { page } = opened
  // A button ignores presses while its action runs, which a test that looks at the service alone does not see.
  const activate = async (target: Locator): Promise<void> => {
    await target.and(page.locator(':not([aria-busy="true"])')).waitFor()
    await pressKeyOn(target)
  }
  return {
    ...opened,
    ...byKeyboard,
    persona,
    activate,
    press: (name) => activate(page.getByRole('button', { name, exact: true })),
    fill: async (fields) => {
      for (const [label, value] of Object.entries(fields))
        await typeInto(page.getByLabel(label, { exact: true }), value)
    },
    look: async (audience = 'everybody', unread) => {
      // Rows of a former search are dim until those of the new one are there.
      await expect.poll(() => page.locator('.stale').count()).toBe(0)
      await expect
        .poll(() => hasLostFocus(page), { message: 'an action of the page has removed the focus' })
        .toBe(false)
      // What is behind a dialog was examined before it opened, and cannot be reached now.
      const include = (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : 'html'
      const within = { include, exclude: unread }
      await inEachLook(page, async (look, rules) => {
        // What fits into the widest and the narrowest window fits between them, and the tests of looks examine each page in each look.
        if (!takesAll && rules === 'look') return
        expect(await findOverflow(page), `${look} is too wide`).toEqual([])
        if (takesAll || rules === 'all')
          expect(await findViolations(page, within, rules), `axe about ${look}`).toEqual([])
      })
      if (audience === 'everybody') expect(await page.locator('body').innerText()).not.toMatch(technicalTerms)
    },
  }
}

interface Reader {
  readonly language: Language
}

/** Returns what the pages say in the language of the persona, from one part of their messages: `account`, `users`. */
export const loadWords = async <Name extends Part>(
  { language }: Reader,
  part: Name,
): Promise<Translate<Catalogues[Name]>> => {
  const messages: Partial<Translations<Catalogues>> = (await readCatalogues())[language]
  const ofPart = messages[part]
  if (!ofPart) throw new Error(`The console does not exist in the language ${language}.`)
  return createTranslate<Catalogues[Name]>(language, ofPart)
}

/** Returns what the pages that the server renders say in the language of the persona. */
export const loadPlainWords = async ({ language }: Reader): Promise<TranslatePlain> => {
  const module = await import(`../../lib/features/pages/plain/messages/${language}.ts`)
  return createTranslate(language, module[language])
}
