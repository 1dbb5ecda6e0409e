/** The bytes of a text in base64, which some products break into lines (SAML Bindings 3.4.4.1); undefined for what is none. */
export const decodeBase64 = (text: string): Buffer | undefined => {
  const plain = text.replaceAll(/[\t\n\r ]/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(plain) ? Buffer.from(plain, 'base64') : undefined
}
