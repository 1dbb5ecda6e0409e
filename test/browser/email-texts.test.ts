import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { findOverflow } from '../support/looks.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

it('gives an email other words, shows them, restores earlier ones and returns to the built-in words', async () => {
  const { page, open } = await openConsole(service, browser, { browserOptions: { locale: 'en' } })
  await open('/branding')
  await page.getByRole('link', { name: 'Words of emails' }).click()
  await page.getByLabel('Kind of emails').selectOption({ label: 'New password' })
  const [subject, words] = [page.getByLabel('Subject'), page.getByLabel('Words', { exact: true })]
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  }
  await subject.fill('Hello from {product}')
  await words.fill('Hello {name}')
  await page.getByText('line 1: has the unknown variable {name}').first().waitFor()
  await words.fill('Hello **{username}**\n\n[Choose a password]({link})')
  const frame = page.locator('iframe').contentFrame()
  await frame.getByText('Choose a password').waitFor()
  await page.getByLabel('{username}', { exact: true }).fill('<b>eve</b>')
  await frame.getByText('<b>eve</b>').last().waitFor()
  // Its styles are those of the email.
  const button = frame.getByRole('link', { name: 'Choose a password' })
  expect((await button.boundingBox())?.height).toBeGreaterThan(40)
  await save()
  await subject.fill('Hi from {product}')
  await save()
  await page.getByText('Earlier words').waitFor()
  await page.getByRole('button', { name: /^Use again: / }).click()
  expect(await subject.inputValue()).toBe('Hello from {product}')
  await save()
  expect(await findViolations(page)).toEqual([])
  expect(await findOverflow(page)).toEqual([])
  await page.getByRole('button', { name: 'Return to the built-in words' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Return to the built-in words' }).click()
  await page.getByText('The built-in words are back.').waitFor()
  await expect.poll(() => subject.inputValue()).toBe('')
})
