const references = new Map<string, string>(
  Object.entries({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    // XML readers would replace these with spaces in attributes (XML 1.0 3.3.3).
    '\t': '&#9;',
    '\n': '&#10;',
    '\r': '&#13;',
  }),
)

/** Escapes a text for XML, both for elements and for attributes in double quotes. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"\t\n\r]/g, (character) => references.get(character) ?? '')

/**
 * Removes the whitespace that indented XML adds around a text: it contains a line end on both sides. All other
 * whitespace belongs to the text (SAML Core 1.3.1), and may distinguish the names of two users.
 */
export const trimIndentation = (text: string): string => {
  const trimmed = text.trim()
  const start = text.indexOf(trimmed)
  const surroundings = [text.slice(0, start), text.slice(start + trimmed.length)]
  return surroundings.every((part) => /^[\t\n ]*$/.test(part) && part.includes('\n')) ? trimmed : text
}
