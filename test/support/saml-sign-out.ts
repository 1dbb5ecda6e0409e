import { TestBrowser } from './browser.ts'
import type { Answer } from './client.ts'
import type { LogoutRequestFacts } from './idp/logout.ts'
import { child, type ReceivedElement } from './idp/parse.ts'
import { queryOf, type ReceivedMessage, type RedirectFacts } from './idp/redirect.ts'
import { addPerson } from './people.ts'
import { itemsIn, seedSamlSession, type TestProvider } from './saml.ts'
import type { TestService } from './service.ts'

/** Somebody whom a provider signed in, without the way there. */
export const signedInBy = async (
  service: TestService,
  by: TestProvider,
  subject: Parameters<typeof seedSamlSession>[3],
) => {
  const { user } = await addPerson(service)
  return { user, ...(await seedSamlSession(service, by, user, subject)) }
}

export type RequestFacts = LogoutRequestFacts & { readonly redirect?: RedirectFacts }

/** What a provider asks by way of somebody's browser. */
export const askToSignOut = (
  service: TestService,
  by: TestProvider,
  facts: RequestFacts = {},
): Promise<Answer> => {
  const query = queryOf(by.idp.logoutRequest(by.logoutReturnUrl, facts))
  return new TestBrowser(service).get(`${by.logoutReturnUrl}?${query}`, 'cross-site')
}

/** The answer that the provider reads. @throws Error when the request was refused. */
export const readAnswer = (by: TestProvider, answer: Answer): ReceivedMessage => {
  if (answer.status !== 303) throw new Error(`the request was refused: ${answer.status} ${answer.text}`)
  return by.idp.read(answer.headers.get('location') ?? '', [by.own.pem])
}

/** The status codes of an answer, from the outer one to the inner one. */
export const statusCodes = ({ root }: ReceivedMessage): readonly string[] => {
  const codes: string[] = []
  for (let at: ReceivedElement | undefined = child(root, 'Status'); at; ) {
    at = child(at, 'StatusCode')
    if (at) codes.push(at.attributes['Value'] ?? '')
  }
  return codes
}

/** The records of what was done under a name. */
export const recordsOf = async (service: TestService, name: string) =>
  (await itemsIn(service, '')).filter(({ event }) => event === name)
