/** The claims of an ID token, or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** Reads one claim. A name such as `__proto__` never leads to a built-in member. */
export const getClaim = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined
