import { keepValue, readKeptValue } from '../kit/kept-values.ts'

/** A way to sign in: a name of the service, or the ID of a public provider. It says nothing about the person. */
export type SignInWay = 'password' | 'passkey' | 'email_code' | `${number}`

const name = 'last-way'
const lifetimeMs = 400 * 24 * 60 * 60_000

/** Keeps in this browser alone how somebody signed in, so that the sign-in page begins with it. */
export const keepLastWay = (way: SignInWay): void => keepValue('browser', name, way, lifetimeMs)

/** The way that was used last in this browser. */
export const readLastWay = (): string | undefined => readKeptValue('browser', name)
