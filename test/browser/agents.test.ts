import { expect, it } from 'vitest'
import { agentPresets } from '../../lib/features/oauth/agent-presets.models.ts'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { findOverflow } from '../support/looks.ts'
import { addRelyingParty, exchangeCode, getCode } from '../support/oidc.ts'
import { addSignedIn, signIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()
const openAdmin = () => openConsole(service, browser, { browserOptions: { locale: 'en' } })

it('lets known agents in, with the hosts where their users come back to', async () => {
  const { page, open, press, seeToast, person } = await openAdmin()
  await open('/apis/agents')
  await page.getByLabel('Claude, Claude Code, at claude.ai').check()
  await page.getByLabel('Grok, at grok.com').check()
  await page.getByLabel('Goose, at goose-docs.ai').check()
  await page.getByLabel('Goose, at goose-docs.ai').uncheck()
  expect(await page.getByLabel('Hosts', { exact: true }).inputValue()).toBe('claude.ai\ngrok.com')
  expect(await findViolations(page)).toEqual([])
  expect(await findOverflow(page)).toEqual([])
  await press('Save')
  await seeToast('Saved.')
  const bearer = await signIn(service, person)
  const read = async () => (await service.client('GET', '/api/2/system/agent-policy', { bearer })).body
  expect(await read()).toEqual({
    hosts: ['claude.ai', 'grok.com'],
    callback_hosts: [{ host: 'grok.com', callback_host: 'console.x.ai' }],
  })
  await page.getByLabel('Grok, at grok.com').uncheck()
  await press('Save')
  await expect.poll(read).toEqual({ hosts: ['claude.ai'], callback_hosts: [] })
})

it('registers an agent with its addresses, and says which one comes later', async () => {
  const { page, open, press, person } = await openAdmin()
  await open('/apis/agents')
  await page.getByRole('link', { name: 'Register an agent' }).click()
  const choice = page.getByLabel('What do you build?')
  await choice.selectOption({ label: 'Agent: Copilot Studio' })
  await page.getByText('Copilot Studio shows its whole address after you enter').waitFor()
  await choice.selectOption({ label: 'Agent: Cursor' })
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Cursor')
  expect(await findViolations(page)).toEqual([])
  await press('Create app')
  await page.getByRole('heading', { level: 1, name: 'Cursor' }).waitFor()
  const bearer = await signIn(service, person)
  const { body } = await service.client('GET', '/api/2/oidc-clients', { bearer })
  expect(body).toMatchObject([
    {
      name: 'Cursor',
      type: 'public',
      redirect_uris: [...agentPresets.cursor.redirectUris],
      scopes: expect.arrayContaining(['offline_access']),
    },
  ])
})

it('shows who uses an agent, and ends it for one person', async () => {
  const agent = await addRelyingParty(service)
  const people = [
    await addSignedIn(service, { full_name: 'Ada Lovelace' }),
    await addSignedIn(service, { full_name: 'Eve' }),
  ] as const
  const issued: Awaited<ReturnType<typeof exchangeCode>>[] = []
  for (const { bearer } of people)
    issued.push(await exchangeCode(service, agent, await getCode(service, agent, bearer)))
  const { page, open, openTab, seeToast } = await openAdmin()
  await open(`/apps/${agent.client.id}`)
  await openTab('People')
  const [first, second] = people.map(({ user: { username } }) => page.getByRole('link', { name: username }))
  await first?.waitFor()
  await second?.waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await findOverflow(page)).toEqual([])
  const ask = async (index: number) => {
    const { access_token: bearer } = issued[index]?.body ?? {}
    return (await service.client('GET', '/oauth2/userinfo', { bearer })).status
  }
  expect([await ask(0), await ask(1)]).toEqual([200, 200])
  await page.getByRole('button', { name: `End access ${people[0].user.username}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
  await seeToast('The access has ended.')
  await first?.waitFor({ state: 'detached' })
  expect([await ask(0), await ask(1)]).toEqual([401, 200])
})
