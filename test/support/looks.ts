import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { findViolations, type RuleSet } from './axe.ts'
import { compareWithReference } from './pictures/references.ts'
import { checkLinks } from './walk.ts'

/** A window on a system with settings that change how pages look. */
export interface Look {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
  readonly forcedColors: 'active' | 'none'
  /** What axe examines there. The desktop comes first, with all rules. */
  readonly rules: RuleSet
}

/** Each width, color scheme and kind of colors at least once. All combinations would take too long for every state. */
export const looks: readonly Look[] = [
  { name: 'desktop', width: 1280, height: 800, colorScheme: 'light', forcedColors: 'none', rules: 'all' },
  { name: 'phone-dark', width: 375, height: 667, colorScheme: 'dark', forcedColors: 'none', rules: 'look' },
  {
    name: 'narrow-contrast',
    width: 320,
    height: 568,
    colorScheme: 'dark',
    forcedColors: 'active',
    rules: 'size',
  },
]

/**
 * One state of each kind of page has a picture in every look: forms, messages, a dialog, lists, tables and plain pages. The others
 * have one of the desktop, which is what a review compares.
 */
const picturedInEveryLook: ReadonlySet<string> = new Set([
  'account-confirm-identity',
  'account-profile',
  'console-audit-log',
  'console-branding',
  'console-overview',
  'console-user',
  'console-users',
  'invite',
  'setup',
  'link-opened',
  'sign-in',
  'sign-in-failed',
  'sign-in-many-ways',
])

/** What to leave out of the pictures, because it differs between two runs. */
export interface LookOptions {
  readonly mask?: readonly Locator[]
}

export const isFirefox = (page: Page): boolean => page.context().browser()?.browserType().name() === 'firefox'

/** Lists elements that make the page wider than its window. */
export const findOverflow = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return []
    const wide = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
    return wide.slice(-3).map((element) => element.outerHTML.slice(0, 200)).concat(wide.length ? [] : ['the page'])
  })()`)

/** Lists the headings, fields, buttons, links and messages that people see in the main part of the page or in its dialog. */
const listVisible = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const within = document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body
    return [...within.querySelectorAll('h1, h2, h3, input, select, textarea, button, a, [role=alert], [role=status]')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => element.getBoundingClientRect().width > 0)
      .map((element) => element.localName + ' ' + (element.textContent.trim() || element.name || element.id))
  })()`)

/** Hides what differs between two runs but is below something else. A mask would cover what is above. */
export const hide = (page: Page, selector: string): Promise<void> =>
  page.evaluate(`for (const element of document.querySelectorAll(${JSON.stringify(selector)}))
    element.style.visibility = 'hidden'`)

/**
 * Puts what moves into one place for a picture. Where a sticky element is depends on how far the page is scrolled, and a
 * dialog in the middle begins within a pixel, so that its lines are drawn in one pixel or the next. The shade behind a dialog
 * begins where the window does: at the top of the page.
 */
const settle = (page: Page): Promise<void> =>
  page.evaluate(`if (document.querySelector('dialog[open]')) scrollTo({ top: 0, behavior: 'instant' })
  for (const element of document.querySelectorAll('body *')) {
    if (getComputedStyle(element).position === 'sticky') element.style.position = 'static'
    if (!element.matches('dialog[open]')) continue
    element.style.cssText = ''
    const { top, left } = element.getBoundingClientRect()
    element.style.cssText = 'margin: 0; inset: ' + Math.round(top) + 'px auto auto ' + Math.round(left) + 'px'
  }`)

/**
 * Gives all dates and times the same text, and returns what gives them their own again. A date is wider in some months than
 * in others, and moves the columns beside it, also below a mask.
 */
const fixTimes = async (page: Page): Promise<() => Promise<void>> => {
  await page.evaluate(`(() => {
    const pattern = /\\b[A-Z][a-z]{2} \\d{1,2}, \\d{4}(, \\d{1,2}:\\d{2}(:\\d{2})?\\s[AP]M)?/g
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    window.fixedTimes = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const fixed = node.data.replace(pattern, (_, time) => 'Nov 20, 2026' + (time ? ', 10:15 AM' : ''))
      if (fixed === node.data) continue
      window.fixedTimes.push([node, node.data, fixed])
      node.data = fixed
    }
  })()`)
  return () =>
    page.evaluate(
      `for (const [node, own, fixed] of window.fixedTimes) if (node.data === fixed) node.data = own`,
    )
}

/** On a busy machine, Chromium keeps the background of the look before, unless the page changes it. */
const repaintBackground = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const { style } = document.documentElement
    style.background = 'gray'
    requestAnimationFrame(() => {
      style.background = ''
      requestAnimationFrame(() => resolve())
    })
  })`)

/**
 * Shows the page as it is now in each look, one after another, and then as before but without motion. Firefox keeps the look that it was started with,
 * and the window.
 */
export const inEachLook = async (
  page: Page,
  check: (look: string, rules: RuleSet) => Promise<void>,
): Promise<void> => {
  if (isFirefox(page)) return check('this look', 'all')
  const viewport = page.viewportSize()
  for (const { name, width, height, colorScheme, forcedColors, rules } of looks) {
    await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    await check(name, rules)
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
  if (viewport) await page.setViewportSize(viewport)
}

/**
 * Checks the page as it is now in each look: nothing sticks out sideways, axe finds nothing, everything of the desktop is
 * visible, and the picture, if the look has one, is the reference of this name. All links lead somewhere.
 */
export const checkLooks = async (page: Page, name: string, options: LookOptions = {}): Promise<void> => {
  await checkLinks(page, name)
  let onDesktop: readonly string[] | undefined
  await inEachLook(page, async (look, rules) => {
    const state = `${name}.${look}`
    await repaintBackground(page)
    expect(await findOverflow(page), `${state} is too wide`).toEqual([])
    expect(await findViolations(page, 'html', rules), `axe about ${state}`).toEqual([])
    const visible = await listVisible(page)
    onDesktop ??= visible
    expect(visible, `${state} hides something`).toEqual(onDesktop)
    if (look !== 'desktop' && !picturedInEveryLook.has(name)) return
    await settle(page)
    const restoreTimes = await fixTimes(page)
    await compareWithReference(page, state, options.mask).finally(restoreTimes)
  })
}
