/** Decodes a name or a value of `application/x-www-form-urlencoded`. Undefined if it is not percent-encoded UTF-8. */
export const decodeFormPart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
