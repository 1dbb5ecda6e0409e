import { type ApiFailure, type ApiResponse, callApi } from '../shared/call-api.ts'
import type { User } from '../shared/current-user.ts'

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

/** Looks an access link up without opening it. Returns undefined if the service does not answer. */
export const fetchLink = async (token: string): Promise<ApiResponse<Link> | undefined> => {
  // Anything else would be a different path of the API.
  if (!/^lka_\w+$/.test(token)) return notFound
  return callApi<Link>('GET', `${path}/get/${token}`).catch(() => undefined)
}

/** Opens an access link. A person who is signed in keeps their session. Rejects if the service does not answer. */
export const redeemLink = (token: string, password: string): Promise<ApiResponse<LinkSession>> =>
  callApi('POST', `${path}/redeem`, {
    body: { token, keep_own_session: true, ...(password ? { password } : {}) },
  })

/** Returns the access link that this browser has open; undefined if it is not open, or the service does not answer. */
export const fetchOpenedLink = async (id: number, bearer?: string): Promise<OpenedLink | undefined> => {
  const options = bearer === undefined ? {} : { bearer }
  const response = await callApi<OpenedLink>('GET', `${path}/${id}`, options).catch(() => undefined)
  return response?.isOk ? response.body : undefined
}
