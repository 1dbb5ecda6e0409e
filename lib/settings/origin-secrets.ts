/** The header with which the front door proves that a request came through it. */
export const originSecretHeader = 'Latchkey-Origin-Secret'

/** Two, so that a new secret is accepted before the front door sends it, and the old one until it no longer does. */
const maxSecrets = 2

/** Reads the secrets of the front door, separated by commas. Returns what is wrong if the list is invalid. */
export const readOriginSecrets = (text: string): readonly string[] | string => {
  if (text === '') return []
  const secrets = text.split(',')
  return secrets.length <= maxSecrets && secrets.every((secret) => /^[\w-]{32,256}$/.test(secret))
    ? secrets
    : `must contain at most ${maxSecrets} values of 32 to 256 letters, digits, hyphens and underscores`
}
