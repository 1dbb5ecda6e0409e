import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { NewUser } from '../../lib/accounts/users/stored-user.records.ts'
import type { JsonValue } from './client.ts'
import { listenOnLoopback } from './listen-on-loopback.ts'
import { addPerson, type Person } from './people.ts'
import type { TestService } from './service.ts'

type Responder = (question: JsonValue, response: ServerResponse) => unknown

/** Starts an old system on loopback that knows passwords. A test can give it another behavior. */
export const startOldSystem = async () => {
  const passwords = new Map<string, string>()
  const questions: JsonValue[] = []
  const answerTruly: Responder = ({ username, password }, response) =>
    response.end(JSON.stringify({ is_correct: passwords.get(username) === password }))
  let respond = answerTruly
  const server = createServer(async (request: IncomingMessage, response) => {
    const question = await json(request)
    questions.push(question)
    await respond(question, response)
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    url: `${url}/check`,
    /** All questions so far, in their order. */
    questions,
    questionsAbout: ({ user }: Person) => questions.filter(({ username }) => username === user.username),
    /** Adds a user whose password only this system knows. */
    addUser: async (
      service: TestService,
      fields: Partial<Omit<NewUser, 'normalizedUsername' | 'normalizedEmail'>> = {},
      password?: string,
    ): Promise<Person> => {
      const { username = `user-${randomUUID()}`, email = null } = fields
      const marked = { passwordHash: null, legacySignIn: { username, email } }
      const person = await addPerson(service, { username, ...marked, ...fields }, password)
      passwords.set(username, person.password)
      return person
    },
    behave: (next: Responder) => {
      respond = next
    },
    answerTruly: () => {
      respond = answerTruly
    },
    close,
  }
}

export type OldSystem = Awaited<ReturnType<typeof startOldSystem>>

/** The settings of a service that asks an old system. */
export const askOldSystemAt = (target: string): Record<string, string> => ({
  LEGACY_PASSWORD_CHECK: target,
  LEGACY_PASSWORD_CHECK_UNTIL: '2099-12-31',
})
