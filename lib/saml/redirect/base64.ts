/** Decodes base64, which some products break into lines (SAML Bindings 3.4.4.1). Undefined if it is invalid. */
export const decodeBase64 = (text: string): Buffer | undefined => {
  const compact = text.replaceAll(/[\t\n\r ]/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(compact) ? Buffer.from(compact, 'base64') : undefined
}
