import { TestBrowser } from './browser.ts'
import type { Answer } from './client.ts'
import type { LogoutRequestFacts } from './idp/logout.ts'
import { child, type ReceivedElement } from './idp/parse.ts'
import { queryOf, type ReceivedMessage, type RedirectFacts } from './idp/redirect.ts'
import { addPerson } from './people.ts'
import { itemsIn, seedSamlSession, type TestProvider } from './saml.ts'
import type { TestService } from './service.ts'

/** Adds a user with a session from a provider, without a sign-in over HTTP. */
export const addSamlUser = async (
  service: TestService,
  by: TestProvider,
  subject: Parameters<typeof seedSamlSession>[3],
) => {
  const { user } = await addPerson(service)
  return { user, ...(await seedSamlSession(service, by, user, subject)) }
}

export type RequestFacts = LogoutRequestFacts & { readonly redirect?: RedirectFacts }

/** Sends a logout request of a provider through a browser. */
export const sendLogoutRequest = (
  service: TestService,
  by: TestProvider,
  facts: RequestFacts = {},
): Promise<Answer> => {
  const query = queryOf(by.idp.logoutRequest(by.logoutReturnUrl, facts))
  return new TestBrowser(service).get(`${by.logoutReturnUrl}?${query}`, 'cross-site')
}

/** Reads the logout response as the provider. @throws Error if the request was rejected. */
export const readAnswer = (by: TestProvider, answer: Answer): ReceivedMessage => {
  if (answer.status !== 303) throw new Error(`the request was rejected: ${answer.status} ${answer.text}`)
  return by.idp.read(answer.headers.get('location') ?? '', [by.own.pem])
}

/** Returns the status codes of a response, from the outermost to the innermost. */
export const statusCodes = ({ root }: ReceivedMessage): readonly string[] => {
  const codes: string[] = []
  for (let at: ReceivedElement | undefined = child(root, 'Status'); at; ) {
    at = child(at, 'StatusCode')
    if (at) codes.push(at.attributes['Value'] ?? '')
  }
  return codes
}

/** Returns the audit events with this name. */
export const recordsOf = async (service: TestService, name: string) =>
  (await itemsIn(service, '')).filter(({ event }) => event === name)
