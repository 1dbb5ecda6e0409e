/**
 * A name without what indented XML has around it: blanks with a line end among them, on both sides. All other blanks
 * are part of it (SAML Core 1.3.1), and a name that differs by them is somebody else's.
 */
export const withoutIndent = (text: string): string => {
  const name = text.trim()
  const start = text.indexOf(name)
  const around = [text.slice(0, start), text.slice(start + name.length)]
  return around.every((part) => /^[\t\n ]*$/.test(part) && part.includes('\n')) ? name : text
}
