import { createCodec } from './codec.ts'

export interface UserMarker {
  readonly userId: number
  /** Hash of the line of the file that the user was imported from. */
  readonly origin?: string
}

/** An item that leads to a user: by username, email address, custom API token, passkey or the name at an identity provider. */
export const userMarkerCodec = createCodec<UserMarker>('user marker', { userId: 'number' })

/** An item that leads to another record by a unique name. */
export const idMarkerCodec = createCodec<{ readonly id: number }>('name marker', { id: 'number' })
