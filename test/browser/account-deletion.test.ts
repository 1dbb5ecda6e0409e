import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { openSection, startAccountFlow } from '../support/account-flows.ts'
import { visitConsole } from '../support/console.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* How users have their own account deleted, and what administrators see of it. */

const service = await useService({}, { hostname: 'localhost' })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('is allowed in the console, asked for, seen by an administrator, and withdrawn', async () => {
    await storeSignInPolicy(service, {})
    const [policies, kit, users] = [
      await loadWords(persona, 'policies'),
      await loadWords(persona, 'kit'),
      await loadWords(persona, 'users'),
    ]
    const visit = await visitConsole(service, browser, persona)
    await visit.open('/policies/account-deletion')
    await visit.choose(visit.page.getByLabel(policies('deletionRule')), policies('deletionAfterDays'))
    await visit.fill({ [policies('deletionDays')]: '0' })
    await visit.press(kit('save'))
    await expect
      .poll(() => visit.page.getByLabel(policies('deletionDays')).getAttribute('aria-invalid'))
      .toBe('true')
    await visit.fill({ [policies('deletionDays')]: '3' })
    await visit.look('administrators')
    await visit.press(kit('save'))
    await visit.seeToast(kit('saved'))

    const flow = await startAccountFlow(service, browser, persona)
    const { page, look, words, person, activate, seeDone } = flow
    await openSection(service, flow, 'profile')
    const panel = page.getByRole('region', { name: words.account('deletion') })
    await panel.getByText(words.account('deletionGraceText', { days: 3 })).waitFor()
    await flow.press(words.account('deletionAction'))
    await page.getByText(words.account('deletionWarning')).waitFor()
    await look()
    const dialog = page.getByRole('dialog')
    await activate(dialog.getByRole('button', { name: words.account('deletionAction'), exact: true }))
    await panel.getByRole('button', { name: words.account('deletionWithdraw') }).waitFor()
    await look()

    await visit.open(`/users/${person.user.id}`)
    await visit.page.getByText(users('deletion'), { exact: true }).waitFor()
    await visit.look('administrators')

    await flow.press(words.account('deletionWithdraw'))
    await seeDone(words.account('deletionWithdrawn'))
    expect((await findUser(service.services.table, person.user.id))?.deletion).toBeUndefined()
  })

  it('waits for an administrator if the policy says so', async () => {
    await storeSignInPolicy(service, { account_deletion: 'ask', account_deletion_grace_days: 14 })
    const flow = await startAccountFlow(service, browser, persona)
    const { page, activate, look, words } = flow
    await openSection(service, flow, 'profile')
    await page.getByText(words.account('deletionAskText')).waitFor()
    await flow.press(words.account('deletionAsk'))
    const dialog = page.getByRole('dialog')
    await activate(dialog.getByRole('button', { name: words.account('deletionAsk'), exact: true }))
    await page.getByRole('button', { name: words.account('deletionWithdraw') }).waitFor()
    await look()
    // Users can change their mind also after the policy changed.
    await storeSignInPolicy(service, {})
    await page.reload()
    await page.getByRole('button', { name: words.account('deletionWithdraw') }).waitFor()
  })
})
