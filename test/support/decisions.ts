import type { Answer } from './client.ts'

/** What the form of a page that asks a person sends, apart from the button. */
export const readHiddenFields = ({ text }: Pick<Answer, 'text'>): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  )
