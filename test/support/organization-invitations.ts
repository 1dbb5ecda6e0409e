import { randomUUID } from 'node:crypto'
import type { Answer } from './client.ts'
import { acceptInvitation } from './invitations.ts'
import { listMailedTokens, readMailedToken } from './mailed-page.ts'
import { addSignedIn, callAs, type SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

export const invitedPassword = 'violet tractor under nine moons'
export const newPersonAddress = (): string => `${randomUUID()}@people.example`

/** An organization with an owner. */
export interface OwnedOrganization {
  readonly id: number
  /** The address of its invitations. */
  readonly path: string
  readonly owner: SignedInPerson
}

/** Creates an organization with an owner. `staff` holds `organizations:manage`. */
export const addOrganization = async (
  service: TestService,
  staff: Pick<SignedInPerson, 'bearer'>,
  fields: object = {},
): Promise<OwnedOrganization> => {
  const slug = `org-${randomUUID().slice(0, 13).replaceAll(/[01]/g, '2')}`
  const call = callAs(service, staff)
  const created = await call('POST', 'organizations', { name: 'Acme Studios', slug, ...fields })
  if (created.status !== 201) throw new Error(`the organization was not created: ${created.text}`)
  const { id } = created.body
  const owner = await addMember(service, staff, id, ['owner'])
  return { id, path: `/api/2/organizations/${id}/invitations`, owner }
}

/** Adds a person with these roles. */
export const addMember = async (
  service: TestService,
  staff: Pick<SignedInPerson, 'bearer'>,
  id: number,
  roles: readonly string[],
): Promise<SignedInPerson> => {
  const person = await addSignedIn(service, { email: newPersonAddress(), full_name: 'Grace Hopper' })
  const body = { user: person.user.id, roles }
  const added = await callAs(service, staff)('POST', `organizations/${id}/members`, body)
  if (added.status !== 201) throw new Error(`the member was not added: ${added.text}`)
  return person
}

/** The token in the latest email to an address. Waits for one that is none of the `earlier` ones. */
export const readJoinToken = (
  service: TestService,
  email: string,
  earlier: readonly string[] = [],
): Promise<string> =>
  readMailedToken(
    service,
    email,
    'invite',
    ({ text }) => text.includes('lkj_') && !earlier.some((token) => text.includes(token)),
  )

/** Invites an address as a member, and returns the answer with the token of the email. */
export const inviteMember = async (
  service: TestService,
  { path }: Pick<OwnedOrganization, 'path'>,
  inviter: Pick<SignedInPerson, 'bearer'>,
  { email, roles = ['member'] }: { readonly email: string; readonly roles?: readonly string[] },
): Promise<{ readonly id: number; readonly token: string }> => {
  const earlier = listMailedTokens(service, email, 'invite')
  const invited = await callAs(service, inviter)('POST', path, { email, roles })
  if (invited.status !== 201) throw new Error(`nobody was invited: ${invited.text}`)
  return { id: invited.body.id, token: await readJoinToken(service, email, earlier) }
}

export const findOffer = ({ client }: TestService, token: string): Promise<Answer> =>
  client('POST', '/api/2/auth/organization-invitation', { body: { token } })

export const completeInvitedSignUp = ({ client }: TestService, token: string, more: object = {}) =>
  client('POST', '/api/2/auth/organization-invitation/account', {
    body: { token, full_name: 'Katherine Johnson', ...more },
  })

export const accept = (
  { client }: TestService,
  bearer: string,
  token: string,
  shown: string,
): Promise<Answer> =>
  client('POST', '/api/2/users/me/organization-invitations/accept', { bearer, body: { token, shown } })

/** Accepts what the link shows now. */
export const acceptShown = async (service: TestService, bearer: string, token: string): Promise<Answer> =>
  accept(service, bearer, token, (await findOffer(service, token)).body.shown ?? 'a'.repeat(43))

/** Creates the account of an invited person, and returns their session. */
export const signUpInvited = async (service: TestService, token: string): Promise<string> => {
  const { body } = await completeInvitedSignUp(service, token)
  return (await acceptInvitation(service, body.invitation_token, invitedPassword)).body.session_key
}
