import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { RateLimitName } from '../../lib/kernel/limits/rate-limits.ts'
import { countEvent } from '../../lib/kernel/rates/rates.ts'
import { getNetwork } from '../../lib/kernel/util/network.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadWords, visit } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* People whose network sends so many requests that their browser has to prove work. */

const limits: readonly RateLimitName[] = [
  'signUpsPerAddress',
  'resetRequestsPerAddress',
  'emailCodeRequestsPerAddress',
]
const service = await useService(
  { RATE_LIMITS: limits.map((name) => `${name}=100/3600`).join(', ') },
  { hostname: 'localhost' },
)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
await service.client('PUT', '/api/2/system/sign-up-policy', { bearer: admin.bearer, body: { mode: 'open' } })
await storeSignInPolicy(service, { allow_email_codes: true })
const { table, config, now } = service.services
for (const name of limits)
  for (const address of ['127.0.0.1', '::1'])
    for (let at = 0; at <= 50; at++)
      await countEvent(table, config.rateLimits[name], getNetwork(address), now())

/** Holds the solver back until the test has seen what the page says while it works. Returns what lets it go. */
const holdSolver = async (page: Page): Promise<() => void> => {
  const held = Promise.withResolvers<void>()
  await page.route(/solve-challenge/, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)
  const [kit, signIn, signUp, invite] = await Promise.all([
    loadWords(persona, 'kit'),
    loadWords(persona, 'signIn'),
    loadWords(persona, 'signUp'),
    loadWords(persona, 'invite'),
  ])

  it('signs up, and gets the account', async () => {
    const email = `${randomUUID()}@example.com`
    const { page, fill, press, look } = await visit(browser, persona)
    const letGo = await holdSolver(page)
    await page.goto(`${service.url}/sign-up`)
    await fill({ [signUp('email')]: email })
    await press(signUp('send'))
    const said = page.getByText(kit('provingWork'))
    await said.waitFor()
    expect(await page.locator('[aria-live=polite]').getByText(kit('provingWork')).count()).toBe(1)
    await look()
    letGo()
    await page.getByText(signUp('sent', { email })).waitFor()
    await said.waitFor({ state: 'detached' })
    await page.goto(await readMailedLink(service, email, 'sign-up'))
    await fill({ [signUp('name')]: 'Grace Hopper' })
    await press(signUp('create'))
    await fill({ [invite('password')]: 'violet tractor under nine moons' })
    await press(invite('finish'))
    await page.waitForURL(`${service.url}/account**`)
  })

  it('has a reset link and a code emailed', async () => {
    const email = `${randomUUID()}@example.com`
    const { user } = await addPerson(service, { email })
    const { page, fill, press, activate } = await visit(browser, persona)
    await page.goto(`${service.url}/`)
    await fill({ [signIn('username')]: user.username })
    await activate(page.getByRole('button', { name: signIn('forgotPassword') }))
    await press(signIn('sendLink'))
    await page.getByText(signIn('linkSent')).waitFor()
    await readMailedLink(service, email, 'reset')
    await press(signIn('backToSignIn'))
    await fill({ [signIn('username')]: user.username })
    await press(signIn('useEmailCode'))
    await page.getByLabel(signIn('emailCode')).waitFor()
    await service.mailbox.mailTo(email, ({ text }) => /^\d{4} \d{4}$/m.test(text))
  })
})
