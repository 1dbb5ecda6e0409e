const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Written as they are, these would be blanks to whoever reads an attribute (XML 1.0 3.3.3).
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** A text as it stands in XML, within an element as well as within an attribute. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"\t\n\r]/g, (character) => references[character] ?? '')
