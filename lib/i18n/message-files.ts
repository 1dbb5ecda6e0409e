/** The script with the messages of a part of the pages. The version of all messages is in its name, so browsers keep it. */
export const nameMessageFile = (part: string, language: string, version: string): string =>
  `messages-${part}-${language}-${version}.js`
