import { randomBytes } from 'node:crypto'

/*
 * A client identifier is the ID of the client and a random part. So one call finds the client, without an item for the
 * identifier, and guessing does not reveal which clients exist.
 */

const randomByteLength = 12
const pattern = new RegExp(`^([1-9]\\d{0,9})-[0-9a-f]{${2 * randomByteLength}}$`)

export const createClientId = (id: number): string => `${id}-${randomBytes(randomByteLength).toString('hex')}`

/** The ID of the client, or undefined if the text is not a client identifier. The random part is not verified. */
export const readClientId = (clientId: string): number | undefined => {
  const [, digits] = pattern.exec(clientId) ?? []
  return digits === undefined || Number(digits) >= 2 ** 31 ? undefined : Number(digits)
}
