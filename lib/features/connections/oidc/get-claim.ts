/** The claims of an ID token, or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** Reads one claim. A name such as `__proto__` never leads to a built-in member. */
export const getClaim = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined

export const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a text that is an object in JSON. */
export const parseObject = (text: string): Claims | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
