import { type ApiFailure, type ApiResponse, callApi } from '../kit/call-api.ts'

/** A user as the API shows them. */
export interface User {
  readonly id: number
  readonly username: string
  readonly display_name: string
}

const path = '/api/2/auth/access-tokens'

/** What everyone who has an access link may know before they open it. */
export interface Link {
  readonly id: number
  readonly has_password: boolean
  /** The recipient. */
  readonly user: User
  /** The name of the user who created the link. */
  readonly shared_by: string
  /** The name of the product that the link leads to. */
  readonly product: string | null
  /** Empty if only the recipient may see the names. */
  readonly shared_items: readonly string[]
}

/** A session of the link. */
export interface LinkSession {
  readonly user: User
  readonly session_key: string
  readonly redirect?: string
}

interface SharedObject {
  readonly name: string
}

export interface OpenedLink {
  readonly user: User
  readonly shared_bundles: readonly SharedObject[]
  readonly shared_directories: readonly SharedObject[]
}

const notFound: ApiFailure = { isOk: false, status: 404, retryAfterSeconds: 0, problem: {} }

/** Looks an access link up without opening it. */
export const fetchLink = async (token: string): Promise<ApiResponse<Link>> => {
  // Anything else would be a different path of the API.
  if (!/^lka_\w+$/.test(token)) return notFound
  return callApi<Link>('GET', `${path}/get/${token}`)
}

/** Opens an access link. A person who is signed in keeps their session. */
export const redeemLink = (token: string, password: string): Promise<ApiResponse<LinkSession>> =>
  callApi('POST', `${path}/redeem`, {
    body: { token, keep_own_session: true, ...(password ? { password } : {}) },
  })

/** Returns the access link that this browser has open; undefined if it is not open, or the service does not answer. */
export const fetchOpenedLink = async (id: number, bearer?: string): Promise<OpenedLink | undefined> => {
  const options = bearer === undefined ? {} : { bearer }
  const response = await callApi<OpenedLink>('GET', `${path}/${id}`, options)
  return response?.isOk ? response.body : undefined
}

/** Returns the user of the browser's session. Undefined if no one is signed in, or the service does not answer. */
export const fetchUser = async (): Promise<User | undefined> => {
  const response = await callApi<User>('GET', '/api/2/users/me')
  return response.isOk ? response.body : undefined
}

/** Whether the user is a guest whom an access link created. Their names are generated. */
export const isGuest = ({ username, display_name: name }: User): boolean =>
  name === username && /^guest-[0-9a-f]+$/.test(name)
