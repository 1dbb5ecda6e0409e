import { randomBytes, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { en as account } from '../../web/messages/account/en.ts'
import { ar } from '../../web/messages/public/ar.ts'
import { de } from '../../web/messages/public/de.ts'
import { en } from '../../web/messages/public/en.ts'
import { ja } from '../../web/messages/public/ja.ts'
import { findViolations } from '../support/axe.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeIdp } from '../support/idp.ts'
import { startIdpSite } from '../support/idp-site.ts'
import { openPage } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { fixture } from '../support/saml-metadata.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const dns = closeAfterTests(await startDnsServer())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const browser = await shareBrowser()

const createLink = async (fields: object = {}): Promise<{ url: string; id: number }> => {
  const { body } = await service.client('POST', '/api/2/auth/saml-setups', {
    bearer: admin.bearer,
    body: { name: 'Example Company', ...fields },
  })
  return { url: body.url, id: body.saml_provider }
}

/** The metadata of a Shibboleth identity provider, with an entity ID of its own. */
const makeMetadata = async (): Promise<string> => {
  const { signer } = await makeIdp()
  const xml = fixture('shibboleth', { signing: signer, signing2: signer, other: signer })
  const [, host = ''] = /entityID="https?:\/\/([^/"]+)/.exec(xml) ?? []
  return xml.replaceAll(host, `${randomBytes(6).toString('hex')}.example`)
}

describe('the page of a set-up link', () => {
  it('tests the sign-in at the identity provider, and says what to change', async () => {
    const site = await startIdpSite()
    const { setup: t } = en
    const { url, id } = await createLink()
    const { page } = await openPage(browser, { locale: 'en' })
    await page.goto(url)
    await page.getByLabel(t.idpText).fill(site.metadata())
    await page.getByRole('button', { name: t.sendMetadata }).click()
    const { body: provider } = await service.client('GET', `/api/2/auth/saml/${id}`, { bearer: admin.bearer })
    site.trust([provider.sp_certificate])
    const test = async () => {
      await page.getByRole('button', { name: t.test }).click()
      await page.getByRole('button', { name: 'Go on' }).click()
    }
    site.answerWith({ audiences: ['https://other.example'] })
    await test()
    await page.getByText(t.testRefused).waitFor()
    expect(await findViolations(page)).toEqual([])
    site.answerWith({ nameId: 'person-1', attributes: { email: 'ada@corp.example' } })
    await test()
    await page.getByText(t.testAccepted).waitFor()
    await page.getByText('ada@corp.example').waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(page.url()).not.toMatch(/token|test=/)
    await page.reload()
    await page.getByText(t.testAccepted).waitFor()
    await site.close()
  })

  it('turns the directory on and shows a token once, if the link includes it', async () => {
    const { setup: t } = en
    const { directory, access } = account
    const { url, id } = await createLink({ allows_directory: true })
    const { page } = await openPage(browser, { locale: 'en' })
    await page.goto(url)
    await page.getByRole('heading', { name: t.directoryStep }).waitFor()
    await page.getByRole('button', { name: directory.turnOn }).click()
    await page.getByText(`/scim/v2/${id}`).first().waitFor()
    await page.getByLabel(directory.directory, { exact: true }).selectOption('Okta')
    await page.getByRole('figure', { name: 'Okta' }).waitFor()
    await page.getByRole('button', { name: directory.createToken }).click()
    const token = (await page.getByText('lkm_').textContent()) ?? ''
    expect(token).toMatch(/^lkm_/)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: access.tokenStored }).click()
    await page.getByText('lkm_').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: directory.createToken }).click()
    await page.getByRole('button', { name: access.tokenStored }).click()
    await page.getByRole('button', { name: directory.createToken }).click()
    await page.getByRole('alert').filter({ hasText: directory.tokensText }).waitFor()
    await page.reload()
    await page.getByText(`/scim/v2/${id}`).first().waitFor()
    expect(await page.getByText('lkm_').count()).toBe(0)
  })

  it('belongs to the browser that opened it first, and takes live only what it showed', async () => {
    const { setup: t } = en
    const { url, id } = await createLink()
    const { page } = await openPage(browser, { locale: 'en' })
    await page.goto(url)
    await page.getByText(t.incomplete).waitFor()
    const { page: second } = await openPage(browser, { locale: 'en' })
    await second.goto(url)
    await second.getByRole('heading', { name: t.takenHeading }).waitFor()
    expect(await findViolations(second)).toEqual([])
    await page.reload()
    await page.getByLabel(t.idpText).fill(await makeMetadata())
    await page.getByRole('button', { name: t.sendMetadata }).click()
    await page.getByText(t.compare).waitFor()
    const domain = `${randomBytes(8).toString('hex')}.example`
    await page.getByLabel(t.domain).fill(domain)
    await page.getByRole('button', { name: t.addDomain }).click()
    const value = (await page.getByText('latchkey-domain=').textContent()) ?? ''
    dns.answers.set(`_latchkey.${domain}`, [Buffer.from(value.trim())])
    await page.getByRole('button', { name: t.checkNow }).click()
    await page.getByText(t.proven).waitFor()
    const { bearer } = admin
    const path = `/api/2/auth/saml/${id}`
    const { certificate } = (await service.client('GET', path, { bearer })).body
    const another = await makeIdp()
    const body = { certificate: certificate + another.signer.pem }
    expect((await service.client('PATCH', path, { bearer, body })).status).toBe(200)
    await page.getByRole('button', { name: t.finish }).click()
    await page.getByText(t.changed).waitFor()
    await page.getByText(new X509Certificate(another.signer.pem).fingerprint256).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: t.finish }).click()
    await page.getByRole('heading', { name: t.doneHeading }).waitFor()
  })

  it.each([
    ['en', en],
    ['de', de],
    ['ja', ja],
    ['ar', ar],
  ] as const)('takes a company live in the language %s', async (language, { setup: t }) => {
    const { url, id } = await createLink()
    const { page } = await openPage(browser, { locale: language })
    await page.goto(url)
    await page.getByText(t.incomplete).waitFor()
    await page.getByRole('combobox').first().selectOption('Microsoft Entra ID')
    await page.getByRole('figure', { name: 'Microsoft Entra ID' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(page.url()).not.toContain('token')
    await page.getByLabel(t.idpText).fill(await makeMetadata())
    await page.getByRole('button', { name: t.sendMetadata }).click()
    await page.getByRole('button', { name: t.test, exact: true }).waitFor()
    const domain = `${randomBytes(8).toString('hex')}.example`
    await page.getByLabel(t.domain).fill(domain)
    await page.getByRole('button', { name: t.addDomain }).click()
    await page.getByText(t.pending).waitFor()
    expect(await findViolations(page)).toEqual([])
    const value = (await page.getByText('latchkey-domain=').textContent()) ?? ''
    dns.answers.set(`_latchkey.${domain}`, [Buffer.from(value.trim())])
    await page.getByRole('button', { name: t.checkNow }).click()
    await page.getByText(t.proven).waitFor()
    await page.getByRole('button', { name: t.finish }).click()
    await page.getByRole('heading', { name: t.doneHeading }).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect((await service.client('GET', `/api/2/auth/saml/${id}/sso`)).status).toBe(303)
    await page.goto('about:blank')
    await page.goto(url)
    await page.getByRole('heading', { name: t.endedHeading }).waitFor()
  })
})
