import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { findConfirmation, mintConfirmation } from '../../lib/accounts/names/email-confirmations.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { findSignUpLink } from '../../lib/features/invitations/sign-up.records.ts'
import { mintSecurityReport } from '../../lib/features/mail/write-reset.ts'
import { authenticateClient } from '../../lib/features/oauth/authenticate-client.ts'
import { findClientById, removeClientSecret } from '../../lib/features/oauth/clients.records.ts'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { findSecondFactorToken, mintSecondFactorToken } from '../../lib/features/second-factor/tokens.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { type CredentialKind, credentialPrefixes } from '../../lib/kernel/util/credential-prefixes.ts'
import { enableSecondFactor } from './authenticator.ts'
import type { Answer } from './client.ts'
import { findInvitation, storeInvitation } from './invitations.ts'
import { addLink, lookUp } from './links.ts'
import { readMailedToken } from './mailed-page.ts'
import { addStoredClient } from './oidc-clients.ts'
import { addMember, addOrganization, findOffer, inviteMember } from './organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson, signIn } from './people.ts'
import { openRememberingBrowser } from './remembered-devices.ts'
import { scimSettings, storeConnection } from './scim.ts'
import { reportChange } from './security-emails.ts'
import type { TestService } from './service.ts'
import { storeSignInPolicy } from './sign-in-policy.ts'

/** The limits of a service whose credentials are tried very often. */
export const holdingLimits = {
  RATE_LIMITS: 'lookUpFailures=1000/60,leakReports=1000/60,signUpsPerAddress=1000/3600,linkGuesses=1000/60',
}

export const requireSuccess = (answer: Answer): Answer => {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

/** A credential of an owner, who is also an owner of an organization. */
export interface Held {
  readonly value: string
  readonly works: () => Promise<boolean>
  /** Ends it as its user would, for those that a restore could bring back. */
  readonly end?: () => Promise<unknown>
}

export interface Owner extends SignedInPerson {
  readonly organizationId: number
}

export const credentialKinds = Object.keys(credentialPrefixes) as CredentialKind[]

/** Makes credentials of each kind for owners of organizations, and acts as an administrator. */
export const startHoldings = async (service: TestService) => {
  const { table } = service.services
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  let { bearer } = admin
  const staff = (method: string, path: string, body?: unknown) =>
    callAs(service, admin)(method, path, body, { bearer })
  /** After the administrator was signed out. */
  const signInAgain = async (): Promise<void> => {
    bearer = await signIn(service, admin)
  }
  const context = { address: '192.0.2.7', userAgent: '', requestId: 'x', actor: null, at: Date.now() }
  await storeSignInPolicy(service, { remembered_device_days: 30 })
  requireSuccess(await staff('PUT', 'system/sign-up-policy', { mode: 'open' }))

  const addOwner = async (): Promise<Owner> => {
    const { id } = await addOrganization(service, { bearer })
    const person = await addMember(service, { bearer }, id, ['owner'])
    const user = await editUser(table, await stored(person), { permissions: ['media:access'] })
    return { ...person, user, organizationId: id }
  }

  const stored = async ({ user }: { readonly user: Pick<UserRecord, 'id'> }): Promise<UserRecord> => {
    const found = await findUser(table, user.id)
    if (!found) throw new Error('the user was not found')
    return found
  }

  const isAccepted = async (answer: Promise<Answer>): Promise<boolean> => (await answer).status === 200

  const makers: Readonly<Record<CredentialKind, (owner: Owner) => Promise<Held>>> = {
    session: async ({ bearer }) => ({
      value: bearer,
      works: () => isAccepted(service.client('GET', '/api/2/users/me', { bearer })),
    }),
    api_token: async (owner) => {
      const call = callAs(service, owner)
      const { token, id } = requireSuccess(await call('POST', 'api-tokens', { name: 'sync' })).body
      return {
        value: token,
        works: () => isAccepted(service.client('GET', '/api/2/users/me', { bearer: token })),
        end: () => staff('DELETE', `api-tokens/${id}?user=${owner.user.id}`),
      }
    },
    organization_token: async (owner) => {
      const path = `organizations/${owner.organizationId}/api-tokens`
      const given = { name: 'import', permissions: ['org:members:view'] }
      const { token, id } = requireSuccess(await callAs(service, owner)('POST', path, given)).body
      return {
        value: token,
        works: () => isAccepted(service.client('GET', '/api/2/organizations/current', { bearer: token })),
        end: () => staff('DELETE', `${path}/${id}`),
      }
    },
    scim_token: async (owner) => {
      const id = await storeConnection(service, {
        organization_id: owner.organizationId,
        isFromOrganization: true,
      })
      const path = `organizations/${owner.organizationId}/sign-in/${id}/scim`
      requireSuccess(await callAs(service, owner)('PUT', path, scimSettings))
      const { token, id: tokenId } = requireSuccess(
        await callAs(service, owner)('POST', `${path}/tokens`),
      ).body
      return {
        value: token,
        works: () => isAccepted(service.client('GET', `/scim/v2/${id}/Users`, { bearer: token })),
        end: () => staff('DELETE', `${path}/tokens/${tokenId}`),
      }
    },
    organization_invitation: async (owner) => {
      const path = `/api/2/organizations/${owner.organizationId}/invitations`
      const email = `${randomUUID()}@example.com`
      const { token, id } = await inviteMember(service, { path }, owner, { email, roles: ['owner'] })
      return {
        value: token,
        works: () => isAccepted(findOffer(service, token)),
        end: () => staff('DELETE', `${path}/${id}`),
      }
    },
    auth_ticket: async (owner) => {
      const { ticket } = requireSuccess(await callAs(service, owner)('POST', 'auth/ticket', {})).body
      const check = () => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
      return { value: ticket, works: () => isAccepted(check()), end: check }
    },
    reset_token: async (owner) => {
      const { value, steps } = mintResetToken(service.services, await stored(owner))
      await table.transact(steps)
      return {
        value,
        works: () => isAccepted(callAs(service, { bearer: value })('POST', 'auth/generate-password')),
      }
    },
    access_token: async ({ bearer }) => {
      const { token, id } = await addLink(service, bearer)
      return {
        value: token,
        works: () => isAccepted(lookUp(service, token)),
        end: () => service.client('DELETE', `/api/2/auth/access-tokens/${id}`, { bearer }),
      }
    },
    second_factor_token: async (owner) => {
      const value = await mintSecondFactorToken(service.services, context, await stored(owner), undefined)
      return {
        value,
        works: async () => (await findSecondFactorToken(service.services, context, value)) !== undefined,
      }
    },
    security_report: async (owner) => {
      const { email } = owner.user
      const { value, step } = mintSecurityReport(service.services, {
        ...{ userId: owner.user.id, change: 'new_device', changedAt: Date.now() },
        ...{ email: email ?? '', normalizedEmail: email ?? '' },
      })
      await table.transact([step])
      return { value, works: () => isAccepted(reportChange(service, value)) }
    },
    email_confirmation: async (owner) => {
      const address = { email: `${randomUUID()}@example.com` }
      const pendingAddress = { ...address, normalizedEmail: address.email }
      const user = await stored(owner)
      const pendingEmail = { ...pendingAddress, credentialEpoch: user.credentialEpoch }
      const pending = await editUser(table, user, { pendingEmail })
      const { value, step } = mintConfirmation(service.services, pending, pendingAddress)
      await table.transact([step])
      return { value, works: async () => (await findConfirmation(service.services, value)) !== undefined }
    },
    oidc_client_secret: async ({ user }) => {
      const { client, secret } = await addStoredClient(table, { createdBy: user.id })
      const proof = { authorizationHeader: undefined, clientId: client.clientId, clientSecret: secret }
      return {
        value: secret,
        works: async () => (await authenticateClient(service.services, proof, context)) !== undefined,
        end: async () => {
          const present = await findClientById(table, client.id)
          return present && removeClientSecret(table, present, present.secrets[0]?.id ?? 0, [])
        },
      }
    },
    invitation: async ({ user }) => {
      const value = await storeInvitation(service, user.id)
      return { value, works: () => isAccepted(findInvitation(service, value)) }
    },
    sign_up: async () => {
      const email = `${randomUUID()}@example.com`
      requireSuccess(await service.client('POST', '/api/2/auth/sign-up', { body: { email } }))
      const value = await readMailedToken(service, email, 'sign-up')
      const hash = parseCredential(value)?.hash ?? ''
      return { value, works: async () => (await findSignUpLink(table, hash, Date.now())) !== undefined }
    },
    saml_setup: async (owner) => {
      await editUser(table, await stored(owner), { permissions: ['system:admin-access'] })
      const { body } = requireSuccess(
        await callAs(service, owner)('POST', 'auth/saml-setups', { name: randomUUID() }),
      )
      const token = new URLSearchParams(new URL(body.url).hash.slice(1)).get('token') ?? ''
      const find = () => service.client('POST', '/api/2/auth/saml-setup', { body: { token } })
      return { value: token, works: () => isAccepted(find()) }
    },
    remembered_device: async (owner) => {
      const { authenticator } = await enableSecondFactor(service, owner)
      const browser = openRememberingBrowser(service)
      requireSuccess(await browser.signIn(owner, { otp: authenticator.code(1), remember_device: true }))
      return {
        value: /lkd_\w+/.exec(browser.cookie)?.[0] ?? '',
        works: async () => (await browser.signIn(owner)).status === 200,
      }
    },
  }

  return { addOwner, makers, staff, signInAgain }
}
