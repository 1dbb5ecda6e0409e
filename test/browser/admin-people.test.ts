import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const ada = await addPerson(service, { username: 'ada', full_name: 'Ada' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const browser = await shareBrowser()
let visit: ConsoleVisit
let page: Page
beforeEach(async () => {
  visit = await openConsole(service, browser)
  page = visit.page
})

const dialog = () => page.getByRole('dialog')
const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const read = async (path: string) => (await page.request.get(service.url + path)).json()
const idInAddress = () => Number(/\d+$/.exec(page.url())?.[0])

it('creates a group, changes its members and permissions, and deletes it', async () => {
  await visit.open('/groups')
  await page.getByText('There are no groups yet.').waitFor()
  const guide = await page.getByRole('link', { name: 'Read how it works' }).getAttribute('href')
  await page.goto(service.url + guide)
  await page.locator(':target').getByRole('heading', { name: 'Groups', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Create the first one' }).click()
  const name = '<script>document.title = "stolen"</script>'
  await visit.fill({ Name: name })
  await page.getByLabel('Create access links').check()
  await page.getByRole('button', { name: 'Create', exact: true }).dblclick()
  await visit.seeToast(`Created ${name}.`)
  await page.getByText('No members yet.').waitFor()
  const id = idInAddress()
  expect(await findViolations(page)).toEqual([])
  await visit.press('Add members')
  await dialog().getByRole('searchbox', { name: 'Search users' }).fill('ada')
  await dialog().getByRole('button', { name: 'Add ada' }).click()
  expect(await findViolations(page)).toEqual([])
  await confirm('Add members')
  await visit.seeToast('1 member added.')
  await page.getByRole('link', { name: 'ada' }).waitFor()
  await visit.openTab('Permissions')
  await page.getByLabel('Create access links').uncheck()
  await visit.press('Save')
  await visit.seeToast('Saved.')
  expect(await read(`/api/2/groups/${id}`)).toMatchObject({ permissions: [], members: [{ id: ada.user.id }] })
  await visit.openTab('Members')
  await page.getByLabel('Select ada').check()
  await visit.press('Remove from the group')
  await confirm('Remove from the group')
  await visit.seeToast('1 member removed.')
  await page.getByText('No members yet.').waitFor()
  expect((await read(`/api/2/groups/${id}`)).members).toEqual([])
  await visit.open('/groups')
  await page.getByRole('link', { name }).click()
  await visit.press('Delete this group')
  await dialog().getByText('Its members lose the permissions of this group.').waitFor()
  await confirm('Delete this group')
  await visit.seeToast(`Deleted ${name}.`)
  expect(await read('/api/2/groups')).toEqual([])
  await expect.poll(() => page.title()).toBe('Groups – Administration – Latchkey')
})

it('says at its field that a name is taken: of a group, of an app, and of the audience of an API', async () => {
  for (const attempt of [1, 2]) {
    await visit.open('/groups/new')
    await visit.fill({ Name: 'Editors' })
    await visit.press('Create')
    if (attempt === 1) await visit.seeToast('Created Editors.')
  }
  await visit.problem.getByText('This name is already taken.').waitFor()
  const isMarked = (field: string) => page.getByLabel(field, { exact: true }).getAttribute('aria-invalid')
  expect(await isMarked('Name')).toBe('true')
  for (const [path, address, body, marked] of [
    [
      '/api/2/oidc-clients',
      '/apps/new',
      { name: 'Portal', type: 'public', redirect_uris: ['http://127.0.0.1/'] },
      'Name',
    ],
    [
      '/api/2/protected-apis',
      '/apis/new',
      { name: 'Films', audience: 'https://films.example.com' },
      'Audience',
    ],
  ] as const) {
    const created = await service.client('POST', path, { bearer: admin.bearer, body })
    expect(created.status).toBe(201)
    await page.goto('about:blank')
    await visit.open(address)
    await visit.fill(
      'audience' in body ? { Name: 'Other films', Audience: body.audience } : { Name: body.name },
    )
    await visit.press(address === '/apps/new' ? 'Create app' : 'Create API')
    await visit.problem.getByText('Check the marked fields.').waitFor()
    expect(await isMarked(marked)).toBe('true')
    await page.getByText('This is already taken. Choose another one.').waitFor()
  }
})

it('sees the API tokens of all users, newest first, finds those of an owner, and revokes them', async () => {
  const [owner, other] = [
    await addSignedIn(service, { username: 'owner' }),
    await addSignedIn(service, { username: 'other' }),
  ]
  const createToken = async ({ bearer }: SignedInPerson, name: string): Promise<string> =>
    (await service.client('POST', '/api/2/api-tokens', { bearer, body: { name } })).body.token
  const expectRevoked = async (bearer: string) =>
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
  const name = '<b onclick=alert(1)>Build</b>'
  const build = await createToken(owner, name)
  const report = await createToken(other, 'Report')
  await visit.open('/api-tokens')
  const names = page.locator('tbody tr td:first-child')
  await expect.poll(() => names.allInnerTexts()).toEqual(['Report', name])
  await page.getByRole('row', { name: 'Report' }).getByRole('link', { name: 'other' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await page.locator('main b').count()).toBe(0)
  for (const token of [build, report]) expect(await page.content()).not.toContain(token)
  await page.getByRole('button', { name: 'Revoke Report' }).click()
  await confirm('Revoke')
  await visit.seeToast('The API token is revoked.')
  await expectRevoked(report)
  await page.getByRole('searchbox', { name: 'Find tokens by their owner' }).fill('owner')
  await page.getByRole('button', { name: 'Show owner' }).click()
  await page.getByRole('heading', { name: 'API tokens of owner' }).waitFor()
  await expect.poll(() => names.allInnerTexts()).toEqual([name])
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await confirm('Revoke')
  await page.getByText('This user has no API tokens.').waitFor()
  await expectRevoked(build)
  await page.getByRole('link', { name: 'API tokens of all users' }).click()
  await page.getByText('There are no API tokens yet.').waitFor()
})
