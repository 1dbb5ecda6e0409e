import { callApi } from './call-api.ts'

export interface User {
  readonly id: number
  readonly username: string
  readonly display_name: string
}

/** Returns the signed-in user; undefined if no one is signed in or the service does not answer. */
export const fetchCurrentUser = async (): Promise<User | undefined> => {
  const response = await callApi<User>('GET', '/api/2/users/me').catch(() => undefined)
  return response?.isOk ? response.body : undefined
}

/** Whether the user is a guest whom an access link created. Their names are generated. */
export const isGuest = ({ username, display_name: name }: User): boolean =>
  name === username && /^guest-[0-9a-f]+$/.test(name)

/** Returns the name to greet a user by. The generated names of guest accounts mean nothing to people. */
export const describeUser = (user: User): string => (isGuest(user) ? 'a guest' : user.display_name)
