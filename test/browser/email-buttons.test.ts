import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { MailJob } from '../../lib/accounts/outbox/job.records.ts'
import { buildOutboxStep } from '../../lib/accounts/outbox/outbox.records.ts'
import {
  administratorChanges,
  ownerNotices,
  securityChanges,
  unreportableChanges,
} from '../../lib/accounts/outbox/security-changes.models.ts'
import { awaitMails } from '../support/await-mails.ts'
import { deliverMail } from '../support/deliver-mail.ts'
import { makeIdp } from '../support/idp.ts'
import { createInvited } from '../support/invitations.ts'
import { requestJoinCode } from '../support/join-codes.ts'
import type { ReceivedMail } from '../support/mailbox.ts'
import { addSharer, mailLink, shareLink } from '../support/mailed-links.ts'
import { addOrganization, inviteMember, newPersonAddress } from '../support/organization-invitations.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, callAs, type Person } from '../support/people.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/*
 * The service sends every kind of email, and the person who gets it opens every button and link. Nothing may lead to "Page not found", to
 * an error, to a page without a next step, or to the page of somebody else.
 */

const service = await useService({
  RATE_LIMITS: 'securityNotices=1000/3600,emailConfirmationsPerRecipient=1000/3600',
})
const { table, now } = service.services
const browser = await shareBrowser()
const admin = await addSignedIn(service, {
  permissions: ['system:admin-access'],
  full_name: 'Root',
  email: newPersonAddress(),
})
const call = callAs(service, admin)
const device = { browser: 'Firefox', system: 'Linux' }

/** Queues an email as a request of this person does. */
const queue = (job: MailJob, actor: number | null = null): Promise<void> => {
  const origin = { requestId: randomUUID(), address: '203.0.113.7', actor }
  return table.transact([buildOutboxStep(job, origin, now())])
}
const addReader = (fields: object = {}) =>
  addPerson(service, { email: newPersonAddress(), full_name: 'Ada Lovelace', ...fields })
const addAdministrator = () => addReader({ permissions: ['system:admin-access'] })

/** What one kind of email is about. */
interface Sent {
  readonly to: string | null | readonly (string | null)[]
  /** Who signs in to see a page that asks for it. Undefined for people who have no account yet, and for links that need none. */
  readonly person?: Person
  /** How many emails come. */
  readonly count?: number
  /** The heading of the page behind each button, or of the one. Empty for an email without any. */
  readonly leadsTo: readonly RegExp[]
}

/** Makes the service send an email of each kind. A new kind does not compile without its case. */
const cases: Readonly<Record<MailJob['kind'] | 'access_link', () => Promise<Sent>>> = {
  password_reset: async () => {
    const { user } = await addReader()
    await queue({ kind: 'password_reset', userId: user.id })
    await queue({ kind: 'password_reset', userId: user.id, reason: 'sign_in_locked' })
    await queue({ kind: 'password_reset', userId: user.id, reason: 'password_breached' })
    // A newer link ends the earlier ones.
    return { to: user.email, count: 3, leadsTo: [/^Choose a new password$/] }
  },
  email_confirmation: async () => {
    const { user } = await addReader({ emailVerified: false })
    await queue({ kind: 'email_confirmation', userId: user.id })
    return { to: user.email, leadsTo: [/^Confirm your email address$/] }
  },
  // Its link is an example, which leads to the page that says so.
  email_text_test: async () => {
    const tester = await addSignedIn(service, {
      email: newPersonAddress(),
      permissions: ['system:admin-access'],
    })
    const path = 'branding/email-texts/service/sign_in_code/en/test'
    const body = { subject: 'Code', body: 'Hello {username}:\n{code}' }
    expect((await callAs(service, tester)('POST', path, body)).status).toBe(204)
    return { to: tester.user.email, leadsTo: [] }
  },
  invitation: async () => {
    const { user } = await createInvited(service, admin.bearer)
    return { to: user.email, leadsTo: [/^Welcome to Latchkey$/] }
  },
  organization_invitation: async () => {
    const organization = await addOrganization(service, admin)
    const email = newPersonAddress()
    const created = await callAs(service, organization.owner)(
      'POST',
      `organizations/${organization.id}/invitations`,
      { email, roles: ['owner'] },
    )
    expect(created.status, created.text).toBe(201)
    return { to: email, leadsTo: [/^Join Acme Studios$/] }
  },
  organization_ending: () => endOrganization(),
  organization_ending_notice: () => endOrganization(),
  sign_in_code: async () => {
    const { user } = await addReader()
    await storeSignInPolicy(service, { allow_email_codes: true })
    const body = { username: user.email }
    expect((await service.client('POST', '/api/2/auth/email-code', { body })).status).toBe(200)
    return { to: user.email, leadsTo: [] }
  },
  organization_join_code: async () => {
    const person = await addSignedIn(service, { email: newPersonAddress() })
    const organization = await addOrganization(service, admin)
    const invited = { email: person.user.email ?? '' }
    const { id } = await inviteMember(service, organization, organization.owner, invited)
    expect((await requestJoinCode(service, person.bearer, id)).status).toBe(200)
    return { to: invited.email, count: 2, leadsTo: [/^Join Acme Studios$/] }
  },
  sign_up: async () => {
    const [{ user }, email] = [await addReader(), newPersonAddress()]
    expect((await call('PUT', 'system/sign-up-policy', { mode: 'open' })).status).toBe(200)
    await queue({ kind: 'sign_up', email: user.email ?? '' })
    await queue({ kind: 'sign_up', email })
    return { to: [email, user.email], count: 2, leadsTo: [/^Welcome to Latchkey$/, /^Sign in to/] }
  },
  sign_up_waiting: async () => {
    const person = await addAdministrator()
    const approver = person.user.email ?? ''
    const policy = { mode: 'approval', approvers: [approver] }
    expect((await call('PUT', 'system/sign-up-policy', policy)).status).toBe(200)
    await queue({ kind: 'sign_up_waiting', to: approver, person: 'Grace Hopper' })
    return { to: person.user.email, person, leadsTo: [/^Sign-up$/] }
  },
  saml_certificate_ending: async () => {
    const person = await addAdministrator()
    const { id: providerId } = await addProvider(service, await makeIdp(), { name: 'Northwind' })
    for (const side of ['idp', 'sp'] as const)
      await queue({
        ...{ kind: 'saml_certificate_ending', userId: person.user.id, providerId, side },
        endsAt: now() + 30 * 86_400_000,
      })
    return { to: person.user.email, person, count: 2, leadsTo: [/^Northwind$/] }
  },
  saml_setup: async () => {
    const person = await addAdministrator()
    const { id: providerId } = await addProvider(service, await makeIdp(), { name: 'Southwind' })
    for (const step of ['metadata', 'live'] as const)
      await queue({
        ...{ kind: 'saml_setup', step, userId: person.user.id, providerId },
        ...{ entityId: 'https://idp.example/metadata', source: '', fingerprints: [], domains: ['a.example'] },
      })
    return { to: person.user.email, person, count: 2, leadsTo: [/^Southwind$/] }
  },
  security_notice: async () => {
    const { user } = await addReader()
    for (const change of securityChanges)
      await queue({
        ...{ kind: 'security_notice', userId: user.id, change, email: user.email ?? '', at: now(), device },
        by: unreportableChanges.includes(change) ? 'service' : 'user',
      })
    return {
      to: user.email,
      count: securityChanges.length,
      leadsTo: [/^Secure your account$/, /^Sign in to/],
    }
  },
  administrators_notice: async () => {
    const person = await addAdministrator()
    await queue(
      { kind: 'administrators_notice', change: 'administrator_added', name: 'grace', at: now(), device },
      admin.user.id,
    )
    return { to: person.user.email, person, leadsTo: [/^Audit log$/] }
  },
  owners_notice: () => informOwners('owners_notice'),
  owner_notice: () => informOwners('owner_notice'),
  administrator_notice: async () => {
    const person = await addAdministrator()
    for (const change of administratorChanges)
      await queue(
        {
          ...{ kind: 'administrator_notice', userId: person.user.id, change, name: 'grace', at: now() },
          device,
        },
        admin.user.id,
      )
    return {
      to: person.user.email,
      person,
      count: administratorChanges.length,
      leadsTo: [/^Audit log$/, /^Root$/],
    }
  },
  access_link: async () => {
    const sharer = await addSharer(service)
    const email = newPersonAddress()
    const { id } = await shareLink(service, sharer, { email })
    const sent = await mailLink(service, sharer, id)
    expect(sent.status, sent.text).toBe(204)
    return { to: email, leadsTo: [/^Shared with you$/] }
  },
}

const endOrganization = async (): Promise<Sent> => {
  expect((await call('PUT', 'organization-policy', { ending_grace_days: 30 })).status).toBe(200)
  const { id, owner } = await addOrganization(service, admin)
  const ended = await callAs(service, owner)('POST', `organizations/${id}/ending`, {})
  expect(ended.status, ended.text).toBeLessThan(300)
  return { to: owner.user.email, person: owner, leadsTo: [/^Settings$|Acme Studios/] }
}

const informOwners = async (kind: 'owners_notice' | 'owner_notice'): Promise<Sent> => {
  const { id: organizationId, owner } = await addOrganization(service, admin)
  for (const change of ownerNotices) {
    const notice = { change, organizationId, name: 'grace', members: [], except: [], at: now() }
    await queue(
      kind === 'owners_notice' ? { kind, ...notice } : { kind, userId: owner.user.id, ...notice },
      admin.user.id,
    )
  }
  return { to: owner.user.email, person: owner, count: ownerNotices.length, leadsTo: [/Acme Studios/] }
}

const addressPattern = /href="([^"]+)"/g
const listLinks = ({ html }: ReceivedMail): readonly string[] =>
  [...html.matchAll(addressPattern)].map(([, address = '']) => address.replaceAll('&amp;', '&'))

const listMails = (to: Sent['to']): readonly ReceivedMail[] =>
  [to].flat().flatMap((address) => service.mailbox.mailsTo(address))

const signIn = async ({ page }: BrowserPage, { user, password }: Person): Promise<void> => {
  const data = { username: user.username, password }
  const answer = await page.request.post(`${service.url}/api/2/auth/login`, { data })
  expect(answer.status()).toBe(200)
}

/** Opens a link, and returns the heading of its page once it shows what it has loaded. */
const openLink = async ({ page, heading }: BrowserPage, link: string): Promise<string> => {
  // The same page with another fragment does not load anew.
  await page.goto('about:blank')
  const answer = await page.goto(link)
  expect(answer?.status(), link).toBe(200)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  return heading()
}

describe.each(Object.entries(cases))('the email %s', (_, send) => {
  it('leads its reader to the right page', async () => {
    const { to, person, count = 1, leadsTo } = await send()
    await deliverMail(service)
    await awaitMails(service)
    const mails = listMails(to)
    expect(mails.length).toBeGreaterThanOrEqual(count)
    const links = mails.flatMap(listLinks)
    expect(links.filter((link) => !link.startsWith(service.url))).toEqual([])
    const isLatestOnly = links.every((link) => link.includes('/reset#'))
    const opened = isLatestOnly ? links.slice(-1) : [...new Set(links)]
    const visit = await openPage(browser, { locale: 'en' })
    visit.page.setDefaultTimeout(100_000)
    if (person) await signIn(visit, person)
    const headings: string[] = []
    for (const link of opened) {
      await openLink(visit, link)
      await expect
        .poll(visit.heading, { message: link })
        .toSatisfy((heading: string) => leadsTo.some((one) => one.test(heading)))
      headings.push(await visit.heading())
      expect(await visit.problem.allInnerTexts(), link).toEqual([])
      // Something leads on.
      const next = visit.page
        .locator('main')
        .locator('button:enabled:visible, a:visible, input:enabled:visible')
      expect(await next.count(), `${link} is a dead end`).toBeGreaterThan(0)
      if (person) {
        const own = await visit.page.request.get(`${service.url}/api/2/users/me`)
        expect((await own.json()).id, link).toBe(person.user.id)
      }
    }
    for (const one of leadsTo)
      expect(
        headings.some((heading) => one.test(heading)),
        `${one}`,
      ).toBe(true)
    await visit.page.context().close()
  })

  it('leads a reader of a page of administrators or owners there after the sign-in', async () => {
    const { to, person, leadsTo } = await send()
    if (!person) return
    await deliverMail(service)
    await awaitMails(service)
    const [link = ''] = listMails(to).flatMap(listLinks)
    const visit = await openPage(browser, { locale: 'en' })
    await openLink(visit, link)
    await visit.fill({ 'Username or email': person.user.username, Password: person.password })
    await visit.press('Sign in')
    const fragment = link.slice(link.indexOf('#'))
    await expect.poll(() => new URL(visit.page.url()).hash).toBe(fragment)
    // Emails of one moment come in any order, so the first one may be any of them.
    await expect
      .poll(visit.heading, { message: link })
      .toSatisfy((heading: string) => leadsTo.some((one) => one.test(heading)))
    await visit.page.context().close()
  })
})

it('a page that does not exist fails this walk', async () => {
  const visit = await openPage(browser, { locale: 'en' })
  await signIn(visit, await addAdministrator())
  expect(await openLink(visit, `${service.url}/admin#/audit`)).toBe('Page not found')
  await visit.page.context().close()
})
