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
