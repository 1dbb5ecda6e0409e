import { expect } from 'vitest'
import type { World } from '../row.ts'

export const newPassword = 'A new password for the matrix'

/** Returns the status of a call without a body. */
export const statusOf = async (
  { service }: World,
  method: string,
  path: string,
  bearer?: string,
): Promise<number> => (await service.client(method, path, bearer === undefined ? {} : { bearer })).status

/** Expects that the credential acts as this user. */
export const expectIdentity = async ({ service }: World, bearer = '', userId: unknown): Promise<void> => {
  const { body } = await service.client('GET', '/api/2/users/me', { bearer })
  expect(body.id).toBe(userId)
}

/** Expects that the password signs this user in. */
export const expectPassword = async (
  { service }: World,
  username: string,
  password: unknown,
): Promise<void> => {
  const { status } = await service.client('POST', '/api/2/auth/login', { body: { username, password } })
  expect(status).toBe(200)
}
