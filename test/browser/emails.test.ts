import { beforeAll, expect, it } from 'vitest'
import { type Branding, defaultBranding } from '../../lib/features/branding/brand.models.ts'
import { loadEmailMessages } from '../../lib/features/mail/translate.ts'
import { type Language, languages } from '../../lib/kernel/i18n/languages.ts'
import { emailPreviews } from '../../local/previews/emails.ts'
import { exampleBranding } from '../../local/previews/serve.ts'
import { findViolations } from '../support/axe.ts'
import { shareBrowser } from '../support/shared-browser.ts'

const browser = await shareBrowser()
beforeAll(() => Promise.all(languages.map(loadEmailMessages)))

/** An email is a part of the page of an email program, which has the landmarks. */
const landmarkRules = /^(landmark-one-main|region):/

const brightBranding: Branding = { ...exampleBranding, product_name: 'A'.repeat(60), accent_color: '#7f7f7f' }

it.each<[width: number, colorScheme: 'light' | 'dark', branding: Branding, language: Language]>([
  [320, 'light', defaultBranding, 'de'],
  [320, 'dark', brightBranding, 'ja'],
  [700, 'light', exampleBranding, 'fr'],
  [320, 'light', exampleBranding, 'ar'],
  [700, 'dark', exampleBranding, 'es'],
])('all emails can be read at %d px in the %s scheme', async (width, colorScheme, branding, language) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 600 } })
  const page = await context.newPage()
  // Many email programs load no images.
  await page.route('**/*', (route) => route.abort())
  for (const { name, render } of emailPreviews) {
    const email = render({ to: 'ada@example.com', language, branding, publicUrl: 'https://auth.example.com' })
    await page.setContent(email.html)
    const violations = await findViolations(page)
    expect(
      violations.filter((line) => !landmarkRules.test(line)),
      name,
    ).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
    expect(await page.evaluate('document.querySelector("table table").clientWidth')).toBeLessThanOrEqual(600)
  }
  await context.close()
})

it('shows emails in all languages without the ground of a light scheme in the dark one', async () => {
  const page = await browser.newPage({ colorScheme: 'dark' })
  for (const language of languages) {
    const [preview] = emailPreviews
    const envelope = { to: '', language, branding: exampleBranding, publicUrl: 'https://auth.example.com' }
    await page.setContent(preview?.render(envelope).html ?? '', { waitUntil: 'commit' })
    const grounds = await page.evaluate<string[]>(
      '[document.body, ...document.querySelectorAll("table")].map((part) => getComputedStyle(part).background_color)',
    )
    expect(new Set(grounds)).not.toContain('rgb(255, 255, 255)')
    // The logo keeps a light ground, because it is dark.
    expect(await page.evaluate('getComputedStyle(document.querySelector("img")).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    )
  }
  await page.close()
})
