import { forgetValue, keepValue, readKeptValue } from './kept-values.ts'

const name = 'setup-target'
/** As long as a session for the setup of a second factor. */
const lifetimeMs = 30 * 60_000

/** Keeps in this tab where the person wanted to go, while they set up a second factor. Undefined forgets an earlier target. */
export const keepSetupTarget = (address: string | undefined): void =>
  address === undefined ? forgetValue('tab', name) : keepValue('tab', name, address, lifetimeMs)

/** Returns where the person wanted to go, once. */
export const takeSetupTarget = (): string | undefined => {
  const address = readKeptValue('tab', name)
  forgetValue('tab', name)
  return address
}
