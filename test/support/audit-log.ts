import { expect } from 'vitest'
import type { JsonValue } from './client.ts'
import { callAs, type SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

/** What a test of events does as an administrator: it makes and changes things, and reads what the audit log says about it. */
export const useAuditLog = (service: TestService, admin: SignedInPerson) => {
  const call = callAs(service, admin)
  const findEvents = async (query: string, bearer = admin.bearer): Promise<readonly JsonValue[]> =>
    (await service.client('GET', `/api/2/auth/audit-events?${query}`, { bearer })).body
  return {
    call,
    made: async (path: string, body: object): Promise<JsonValue> => {
      const answer = await call('POST', path, body)
      expect(answer.status, answer.text).toBe(201)
      return answer.body
    },
    change: async (method: string, path: string, body: object): Promise<void> => {
      const answer = await call(method, path, body)
      expect(answer.status, answer.text).toBe(200)
    },
    findEvents,
    /** The newest event. */
    findEvent: async (query: string, bearer?: string): Promise<JsonValue> =>
      (await findEvents(query, bearer))[0],
  }
}
