import type { Answer } from './client.ts'
import type { SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'
import { waitFor } from './wait-for.ts'

const ofInvitation = (id: number) => `/api/2/users/me/organization-invitations/${id}`

/** Asks for a code to join an organization. */
export const requestJoinCode = ({ client }: TestService, bearer: string, id: number): Promise<Answer> =>
  client('POST', `${ofInvitation(id)}/code`, { bearer })

/** What a person sends to join. */
export interface JoinRequest {
  readonly request_id: string
  readonly code: string
  readonly shown: string
}

export const joinWithCode = (
  { client }: TestService,
  bearer: string,
  id: number,
  { request_id, code, shown }: JoinRequest,
): Promise<Answer> =>
  client('POST', `${ofInvitation(id)}/join`, { bearer, body: { request_id, code, shown } })

/** The codes that were emailed to an address. */
export const listMailedCodes = ({ mailbox }: TestService, email: string | null): readonly string[] =>
  mailbox.mailsTo(email).flatMap(({ text }) => /^\d{4} \d{4}$/m.exec(text)?.[0] ?? [])

/** Asks for a code, and reads it in the mailbox. */
export const receiveJoinCode = async (
  service: TestService,
  { bearer, user }: SignedInPerson,
  id: number,
): Promise<JoinRequest> => {
  const before = listMailedCodes(service, user.email).length
  const { status, body, text } = await requestJoinCode(service, bearer, id)
  if (status !== 200) throw new Error(`no code was requested: ${text}`)
  const code = await waitFor(() => {
    const found = listMailedCodes(service, user.email)
    if (found.length <= before) throw new Error('no code arrived')
    return found.at(-1) ?? ''
  })
  return { request_id: body.request_id, shown: body.shown, code }
}
