import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage } from '../support/pages.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

/** Returns a property of an element as the browser computed it. */
const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)

/** WCAG 2.2, relative luminance and contrast ratio. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
    const share = Number(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(['light', 'dark'] as const)('the %s color scheme', (colorScheme) => {
  it('shows fields, focus and errors with enough contrast (WCAG 1.4.3 and 1.4.11)', async () => {
    const { page, fill, press, problem } = await openPage(browser, { colorScheme })
    await page.goto(service.url)
    await fill({ 'Username or email': 'unknown', Password: 'a wrong password' })
    await press('Sign in')
    await problem.waitFor()
    await page.locator('[name=username]').focus()
    const surface = await styleOf(page, 'main', 'backgroundColor')
    const text = await styleOf(page, 'main', 'color')
    const errorBackground = await styleOf(page, '[role=alert]', 'backgroundColor')
    const edges = [
      await styleOf(page, '[name=password]', 'borderTopColor'),
      await styleOf(page, '[name=username]', 'outlineColor'),
      await styleOf(page, '[role=alert]', 'borderLeftColor'),
    ]
    expect(contrast(text, surface)).toBeGreaterThan(4.5)
    expect(contrast(text, errorBackground)).toBeGreaterThan(4.5)
    for (const edge of edges) expect(contrast(edge, surface)).toBeGreaterThan(3)
    expect(errorBackground).not.toBe(surface)
  })
})

it.each([
  { width: 1280, height: 800 },
  { width: 375, height: 667 },
  { width: 320, height: 568 },
])('keeps messages apart and never scrolls sideways at $width x $height', async (viewport) => {
  const { page, fill, press, problem } = await openPage(browser, { viewport })
  await page.goto(service.url)
  await fill({ 'Username or email': 'unknown', Password: 'a wrong password' })
  await press('Sign in')
  const box = await problem.boundingBox()
  const label = await page.getByText('Username or email', { exact: true }).boundingBox()
  expect((label?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0)).toBeGreaterThanOrEqual(12)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
  expect(await styleOf(page, '[name=username]', 'fontWeight')).toBe('400')
})

it.each(['/', '/reset', '/secure', '/link'])(
  '%s without JavaScript asks for JavaScript and shows no fields',
  async (path) => {
    const { page } = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(service.url + path)
    const [top = '', ...rest] = await page.locator('main > *:visible, noscript > *:visible').allInnerTexts()
    expect(top).toMatch(/Sign in|Choose a new password|Secure your account|Shared with you/)
    expect(rest.join()).toMatch(/This page needs JavaScript\./)
    expect(await page.locator('input:visible, button:visible, [role=status]:visible').count()).toBe(0)
  },
)
