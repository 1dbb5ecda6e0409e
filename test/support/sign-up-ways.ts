import { randomUUID } from 'node:crypto'
import { TestBrowser } from './browser.ts'
import type { Answer } from './client.ts'
import { closeAfterTests } from './close-after-tests.ts'
import { companyKinds } from './company-sign-in.ts'
import { readMailedToken } from './mailed-page.ts'
import { startUpstream } from './oidc-upstream.ts'
import {
  addOrganization,
  completeInvitedSignUp,
  inviteMember,
  newPersonAddress,
} from './organization-invitations.ts'
import type { SignedInPerson } from './people.ts'
import { addPublicConnection, newGoogleAccount } from './public-upstream.ts'
import type { TestService } from './service.ts'

/** A person who proved who they are, and has no account yet. */
export interface Begun {
  readonly email: string
  /** Begins the account. Again with the same link, or by another sign-in at the same account there. */
  readonly send: () => Promise<Answer>
}

export interface SignUpWay {
  readonly name: string
  /** The `way` in the input of the hook. */
  readonly way: string
  /** Whether the answer is a page. */
  readonly isPage: boolean
  readonly begin: () => Promise<Begun>
}

/** All ways in which a person begins an account, in a service where everybody can sign up. */
export const openSignUpWays = async (
  service: TestService,
  admin: SignedInPerson,
): Promise<readonly SignUpWay[]> => {
  const policy = { bearer: admin.bearer, body: { mode: 'open' } }
  await service.client('PUT', '/api/2/system/sign-up-policy', policy)
  const upstream = closeAfterTests(await startUpstream())
  const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })
  const companies = await Promise.all(
    companyKinds.map(async ({ kind, add }) => ({
      kind,
      company: closeAfterTests(await add(service, `${kind} of a company`)),
    })),
  )
  return [
    {
      ...{ name: 'an email', way: 'email', isPage: false },
      begin: async () => {
        const email = `${randomUUID()}@example.com`
        await service.client('POST', '/api/2/auth/sign-up', { body: { email } })
        const body = { token: await readMailedToken(service, email, 'sign-up'), full_name: 'Grace Hopper' }
        return { email, send: () => service.client('POST', '/api/2/auth/sign-up/complete', { body }) }
      },
    },
    {
      ...{ name: 'an invitation of an organization', way: 'invitation', isPage: false },
      begin: async () => {
        const email = newPersonAddress()
        const organization = await addOrganization(service, admin)
        const { token } = await inviteMember(service, organization, organization.owner, { email })
        return { email, send: () => completeInvitedSignUp(service, token) }
      },
    },
    {
      ...{ name: 'Google', way: 'provider', isPage: true },
      begin: async () => {
        const account = newGoogleAccount()
        return { email: account.email, send: async () => (await google.signIn(account)).answer }
      },
    },
    ...companies.map(({ kind, company }) => ({
      ...{ name: `${kind} of a company`, way: 'company', isPage: true },
      begin: async () => {
        const email = `${randomUUID()}@company.example`
        return { email, send: async () => (await company.start(new TestBrowser(service)))(email) }
      },
    })),
  ]
}
